//! Several outputs of one file: the same bytes as separate calls, from one decoded picture for each scale.

use filepress::ErrorCode;
use filepress::image::{Output, Stage, process, variants};
use filepress::job::{self, Job, LocalJob};
use filepress::media;
use filepress_wire::SNIFF_BYTES;
use serde_json::{Value, json};

use super::animation_support::{Dice, Part, gif};
use super::geometry::turned_jpeg;
use super::support::{options, png, translucent};

fn jobs(bytes: &[u8], list: &[Value]) -> Vec<LocalJob> {
    let media = media::recognize(&bytes[..bytes.len().min(SNIFF_BYTES)], None, None).expect("a type");
    let job = |value: &Value| match job::plan(media, &options(value.clone()).expect("valid")).expect("a plan")
    {
        Job::Local(job) => job,
        Job::Remote(_) => panic!("an image was sent to a service"),
    };
    list.iter().map(job).collect()
}

/// The outputs in the order of their jobs, the order in which they came, and how often pixels were decoded.
fn made(bytes: &[u8], list: &[Value]) -> (Vec<Output>, Vec<usize>, usize) {
    let jobs = jobs(bytes, list);
    let (mut outputs, mut order, mut decoded) = (vec![None; jobs.len()], Vec::new(), 0);
    let mut last = 0.0;
    variants(
        bytes,
        &jobs,
        &mut |progress| {
            decoded += usize::from(progress.stage == Stage::Decode);
            assert!(progress.ratio >= last && progress.next >= progress.ratio, "{progress:?} after {last}");
            last = progress.ratio;
        },
        &mut |index, output| {
            assert_eq!(outputs[index], None, "each output is made once");
            outputs[index] = Some(output);
            order.push(index);
        },
    )
    .expect("outputs");
    assert_eq!(last, 1.0);
    (outputs.into_iter().map(|output| output.expect("every output")).collect(), order, decoded)
}

/// Checks that outputs are those of a call for each. Returns how often pixels were decoded.
fn same_as_calls(bytes: &[u8], list: &[Value]) -> usize {
    let (outputs, _, decoded) = made(bytes, list);
    for ((output, job), options) in outputs.iter().zip(jobs(bytes, list)).zip(list) {
        let alone = process(bytes, &job, &mut |_| {}).expect("an output");
        assert_eq!(output.report, alone.report, "{options}");
        assert!(output.bytes == alone.bytes, "{options}: other bytes");
    }
    decoded
}

#[test]
fn a_jpeg_is_decoded_once_for_each_scale() {
    for orientation in [1, 6] {
        let (input, upright) = turned_jpeg(orientation, (900, 600));
        let mut list = Vec::new();
        // At full size, at a half, at a quarter and at an eighth.
        for share in [0.8, 0.4, 0.35, 0.15, 0.06, 0.05] {
            let width = (f64::from(upright.width()) * share) as u32;
            for to in ["webp", "jpeg", "png"] {
                list.push(json!({ "to": to, "effort": 1, "resize": { "width": width } }));
            }
        }
        assert_eq!(same_as_calls(&input, &list), 4, "orientation {orientation}");
    }
}

#[test]
fn a_tall_jpeg_is_resized_in_bands() {
    // Some bands of the output, from rows of the source that overlap.
    let (input, _) = turned_jpeg(1, (200, 1100));
    let sizes =
        [190, 133, 90, 61].map(|width| json!({ "to": "jpeg", "effort": 0, "resize": { "width": width } }));
    let larger = json!({ "to": "jpeg", "effort": 0, "resize": { "width": 230 } });
    let covered = json!({ "width": 150, "height": 700, "fit": "cover", "position": "bottom" });
    let covered = json!({ "to": "jpeg", "effort": 0, "resize": covered });
    let searched = json!({ "width": 180, "height": 700, "fit": "cover", "position": "attention" });
    let searched = json!({ "to": "jpeg", "effort": 0, "resize": searched });
    same_as_calls(&input, &[&sizes[..], &[larger, covered, searched]].concat());
}

#[test]
fn options_that_change_the_picture_are_kept_apart() {
    let (input, _) = turned_jpeg(8, (400, 300));
    let list = [
        json!({ "to": "webp", "resize": { "width": 100 } }),
        json!({ "to": "webp", "resize": { "width": 100 }, "rotate": 180 }),
        json!({ "to": "png", "resize": { "width": 100, "height": 100, "fit": "cover" } }),
        json!({ "to": "png", "resize": { "width": 100, "height": 100, "fit": "cover", "position": "top" } }),
        json!({ "to": "png", "resize": { "width": 100, "height": 100, "fit": "cover", "position": "attention" } }),
        json!({ "to": "jpeg", "resize": { "width": 100, "height": 100, "fit": "cover", "position": "attention" } }),
        json!({ "to": "webp", "resize": { "width": 90, "height": 200, "fit": "cover", "position": "entropy" } }),
        json!({ "to": "png", "resize": { "width": 100, "height": 100 } }),
        json!({ "to": "png", "resize": { "width": 100, "height": 100, "fit": "contain" } }),
        json!({ "to": "jpeg", "resize": { "width": 100, "height": 100, "fit": "contain" } }),
        json!({ "to": "webp", "resize": { "width": 100, "height": 150, "fit": "contain", "position": "top" }, "background": "#369" }),
        json!({ "to": "jpeg", "crop": { "x": 9, "y": 8, "width": 150, "height": 120 }, "resize": { "width": 50 } }),
        json!({ "to": "jpeg", "crop": { "x": 9, "y": 8, "width": 150, "height": 120 } }),
        json!({ "to": "jpeg", "targetSize": 3000 }),
        json!({ "to": "webp", "quality": "auto", "resize": { "width": 64 } }),
        json!({ "to": "jpeg", "lossless": true }),
        json!({ "quality": 100 }),
        json!({ "quality": 20, "metadata": "strip" }),
        json!({ "quality": 20, "chroma": "444" }),
        json!({ "to": "png", "colors": 9, "dither": 0.5, "resize": { "width": 100 } }),
        json!({ "to": "png", "colors": 9, "dither": 0, "resize": { "width": 100 } }),
    ];
    same_as_calls(&input, &list);
}

#[test]
fn transparency_is_flattened_for_those_that_have_none() {
    let input = png(translucent(120, 90));
    let list: Vec<Value> = ["jpeg", "png", "webp", "gif", "avif", "tiff"]
        .iter()
        .flat_map(|to| {
            [30, 60].map(|width| json!({ "to": to, "background": "#123", "resize": { "width": width } }))
        })
        .collect();
    assert_eq!(same_as_calls(&input, &list), 1);
}

#[test]
fn animations_and_single_frames_come_from_one_call() {
    let frames: Vec<Part> =
        (0..3).map(|step| Part::new((0, 0), Dice::seeded(step).picture(30, 20, false), 6)).collect();
    let input = gif((30, 20), &frames, Some(0));
    let list = [
        json!({ "to": "webp" }),
        json!({ "to": "png", "resize": { "width": 15 } }),
        json!({ "to": "jpeg", "resize": { "width": 15 } }),
        json!({ "resize": { "width": 15 } }),
    ];
    same_as_calls(&input, &list);
}

#[test]
fn small_outputs_come_first() {
    let (input, _) = turned_jpeg(1, (300, 200));
    let list: Vec<Value> =
        [200, 50, 100].map(|width| json!({ "to": "webp", "resize": { "width": width } })).into();
    assert_eq!(made(&input, &list).1, [1, 2, 0]);
}

#[test]
fn an_impossible_output_is_named_before_any_is_made() {
    let (input, _) = turned_jpeg(1, (300, 200));
    let list = [json!({ "to": "webp" }), json!({ "to": "webp", "crop": { "x": 500 } })];
    let error = variants(&input, &jobs(&input, &list), &mut |_| {}, &mut |_, _| panic!("an output"))
        .expect_err("a refusal");
    assert_eq!(error.code(), ErrorCode::InvalidOption);
    assert_eq!(error.details().get("variant"), Some(&1_u64.into()));
}

#[test]
fn a_picture_is_not_held_where_memory_is_short() {
    let input = png(translucent(700, 700));
    let entry = |most: u64| {
        [30, 60].map(|width| json!({ "to": "webp", "resize": { "width": width }, "limits": { "maxMemoryBytes": most } }))
    };
    assert_eq!(same_as_calls(&input, &entry(1 << 30)), 1);
    let needed = (3 << 20).max(input.len() as u64 + 700 * 700 * 7);
    assert_eq!(same_as_calls(&input, &entry(needed)), 2);
}
