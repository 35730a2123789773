//! The memory estimate of calls compared with what the allocator hands out, for noise (the worst case), a photo and a
//! single color. It is a test program of its own, because its allocator counts all allocations of the process.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[allow(dead_code, reason = "the other tests of the engine use the rest")]
#[path = "engine/hdr_files.rs"]
mod hdr_files;
#[path = "common/seed.rs"]
mod seed;
#[allow(dead_code, reason = "the other tests of the engine use the rest")]
#[path = "engine/support.rs"]
mod support;

use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

use filepress::ErrorCode;
use filepress::error::Detail;
use filepress::image::{Output, process, variants};
use filepress::job::{self, Job, LocalJob};
use filepress::options::Options;
use filepress::value::Value as Plain;
use filepress::{Result, media};
use filepress_wire::SNIFF_BYTES;
use image::codecs::gif::GifEncoder;
use image::{DynamicImage, Frame, ImageFormat, Rgb, RgbImage, RgbaImage};
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Held by the test that runs, since what another takes would be counted.
static ALONE: Mutex<()> = Mutex::new(());

/// Sides of the two pictures of each kind: what the larger takes more, it takes for its pixels. The rest are tables that every call
/// has, which the estimate leaves out.
const SIDES: [u32; 2] = [192, 512];

/// What grows with a side alone, so that it is nothing beside the pixels of a large picture: the weights of a resampler.
const TABLES_OF_A_SIDE: u64 = 100_000;

const TYPES: [&str; 14] = [
    "jpeg", "png", "webp", "gif", "bmp", "pnm", "tga", "qoi", "farbfeld", "avif", "tiff", "exr", "hdr", "dds",
];

#[test]
fn calls_take_no_more_memory_than_is_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut calls = TYPES.map(|to| (to.to_owned(), json!({ "to": to, "effort": fast(to) }))).to_vec();
    for to in ["jpeg", "webp", "png", "bmp"] {
        for background in [None, Some("#369")] {
            let resize = json!({ "width": 0.8, "height": 1.2, "fit": "contain" });
            let options = json!({ "to": to, "resize": resize, "background": background });
            calls.push((format!("{to}, padded"), options));
        }
    }
    for to in ["jpeg", "webp", "avif"] {
        for quality in [30, 85, 95, 100] {
            let options = json!({ "to": to, "quality": quality, "effort": fast(to) });
            calls.push((format!("{to} of quality {quality}"), options));
        }
        let of_a_size = json!({ "to": to, "targetSize": 60_000, "effort": fast(to) });
        calls.push((format!("{to} of a size"), of_a_size));
        let resized = json!({ "to": to, "resize": { "width": 0.3 }, "effort": fast(to) });
        calls.push((format!("{to}, resized"), resized));
    }
    for (width, height) in [(0.04, 0.9), (0.9, 0.04)] {
        // The tables of PNG grow up to their most, which is reckoned for pictures of more pixels than these.
        for to in ["jpeg", "webp", "bmp"] {
            let options = json!({ "to": to, "resize": { "width": width, "height": height, "fit": "fill" } });
            calls.push((format!("{to} of {width} by {height}"), options));
        }
    }
    for (to, position) in [("jpeg", "attention"), ("webp", "entropy")] {
        let resize = json!({ "width": 0.9, "height": 0.3, "fit": "cover", "position": position });
        calls.push((format!("{to}, cropped by {position}"), json!({ "to": to, "resize": resize })));
    }
    for to in ["jpeg", "webp"] {
        for width in ["30%", "100%"] {
            let options = json!({ "to": to, "overlay": { "width": width, "opacity": 0.5 } });
            calls.push((format!("{to} with an overlay of {width}"), options));
        }
    }
    // An AVIF of noise has no such score below the qualities that no estimate is made for.
    for to in ["jpeg", "webp"] {
        calls.push((format!("{to} of a score"), json!({ "to": to, "quality": "auto" })));
    }
    for to in ["webp", "avif"] {
        let options = json!({ "to": to, "lossless": true, "effort": fast(to) });
        calls.push((format!("{to} without loss"), options));
    }
    calls.push(("png of few colors".to_owned(), json!({ "to": "png", "quality": 60 })));

    let pictures = SIDES.map(pictures);
    let mut held = Held::default();
    for (name, options) in &calls {
        for (small, large) in pictures[0].iter().zip(&pictures[1]) {
            held.look_at(&format!("{} as {name}", small.0), [&small.1, &large.1], options);
        }
    }
    held.conclude(calls.len() * pictures[0].len());
}

#[test]
fn the_index_of_what_an_avif_repeats_is_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let [small, large] =
        SIDES.map(|side| png(partly_drawn(&DynamicImage::from(noise(side, side)).to_rgb8(), 80)));
    let calls = [
        json!({ "to": "avif", "effort": 0 }),
        json!({ "to": "avif", "effort": 0, "quality": 92 }),
        json!({ "to": "avif", "effort": 0, "quality": 100 }),
        json!({ "to": "avif", "effort": 0, "lossless": true }),
    ];
    let mut held = Held::default();
    for options in &calls {
        held.look_at(&options.to_string(), [&small, &large], options);
    }
    held.conclude(calls.len());
}

#[test]
fn a_png_that_is_made_smaller_is_never_whole_in_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let picture = RgbImage::from_fn(4_032, 3_024, |x, y| Rgb([(x / 16) as u8, (y / 16) as u8, 90]));
    let input = png(picture);
    for to in ["jpeg", "webp", "png"] {
        let options = json!({ "to": to, "resize": { "width": 1_600 } });
        let (taken, told) = (peak(&input, &options), estimate(&input, &options));
        assert!(taken <= told && told <= 64_000_000, "{to}: {taken}, {told} told");
    }
}

#[test]
fn a_webp_or_avif_that_is_made_smaller_is_never_whole_in_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let picture = RgbImage::from_fn(4_032, 3_024, |x, y| {
        let grain = x.wrapping_mul(2_654_435_761).wrapping_add(y.wrapping_mul(40_503)).wrapping_mul(97) >> 29;
        Rgb([(x / 16) as u8, (y / 16) as u8, 90 + grain as u8])
    });
    let input = png(picture);
    for options in [
        json!({ "to": "webp", "quality": 75, "effort": 0 }),
        json!({ "to": "webp", "lossless": true, "effort": 0 }),
        // Of 10 bits a sample.
        json!({ "to": "avif", "quality": 60, "effort": 0 }),
    ] {
        let file = run(&input, &options).expect("a file").bytes.expect("bytes");
        for to in ["jpeg", "webp", "avif"] {
            let resized = json!({ "to": to, "resize": { "width": 1_600 }, "effort": fast(to) });
            let (taken, told) = (peak(&file, &resized), estimate(&file, &resized));
            assert!(taken <= told && told <= 64_000_000, "{options} to {to}: {taken}, {told} told");
            let mut within = resized;
            within["limits"] = json!({ "maxMemoryBytes": told });
            assert!(
                run(&file, &within).is_ok(),
                "{options} to {to} does with the {told} bytes that are told"
            );
        }
    }
}

#[test]
fn the_padding_of_thin_pictures_is_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for turned in [false, true] {
        let sizes = [4_000, 20_000].map(|side| if turned { (side, 1) } else { (1, side) });
        let inputs = sizes.map(|(width, height)| png(DynamicImage::from(noise(width, height)).to_rgb8()));
        for quality in [60, 100] {
            let options = json!({ "to": "avif", "quality": quality, "effort": fast("avif") });
            let [small, large] =
                [0, 1].map(|size| (peak(&inputs[size], &options), estimate(&inputs[size], &options)));
            let (taken, told) = (large.0 - small.0, large.1 - small.1);
            assert!(taken <= told + TABLES_OF_A_SIDE, "{sizes:?}, quality {quality}: {taken}, {told} told");
        }
    }
}

#[test]
fn low_pictures_of_linear_light_are_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Fewer lines than two blocks of OpenEXR's wavelets have.
    let inputs = [4_000, 20_000].map(|width| png(noise(width, 40)));
    let options = json!({ "to": "exr" });
    let [small, large] = inputs.map(|input| (peak(&input, &options), estimate(&input, &options)));
    let (taken, told) = (large.0 - small.0, large.1 - small.1);
    assert!(taken <= told + TABLES_OF_A_SIDE, "{taken}, {told} told");
}

#[test]
fn windows_as_long_as_a_picture_are_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let resized = |to: &str, [width, height]: [u32; 2]| json!({ "to": to, "resize": { "width": width, "height": height, "fit": "fill" } });
    let mut over = Vec::new();
    for is_high in [false, true] {
        let sized = |length: u32| if is_high { [1, length] } else { [length, 1] };
        let pictures = [40_000, 400_000].map(|length| {
            let [width, height] = sized(length);
            DynamicImage::from(noise(width, height))
        });
        for (kind, to, length) in
            [("gray", "png", 1), ("gray", "jpeg", 1), ("deep", "png", 1), ("light", "exr", 1_000)]
        {
            let options = resized(to, sized(length));
            let [small, large] = pictures.each_ref().map(|picture| {
                let file = match kind {
                    "gray" => png(picture.to_luma8()),
                    "deep" => png(picture.to_luma16()),
                    _ => run(&png(picture.to_rgb8()), &json!({ "to": "exr" }))
                        .expect("a file")
                        .bytes
                        .expect("bytes"),
                };
                (peak(&file, &options), estimate(&file, &options))
            });
            let (taken, told) = (large.0 - small.0, large.1 - small.1);
            if taken > told + TABLES_OF_A_SIDE {
                over.push(format!("{kind} to {to} of {length}, {is_high}: {taken}, {told} told"));
            }
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}

#[test]
fn light_of_code_values_is_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut held = Held::default();
    // PQ, with the primaries of BT.2020.
    let data = *b"cICP\x09\x10\x00\x01";
    let chunk = [&4_u32.to_be_bytes()[..], &data, &crc32fast::hash(&data).to_be_bytes()].concat();
    let kinds: [fn(DynamicImage) -> DynamicImage; 4] = [
        |noise| noise.to_luma8().into(),
        |noise| noise.to_rgb8().into(),
        |noise| noise,
        |noise| noise.to_rgb16().into(),
    ];
    for kind in kinds {
        let inputs = SIDES.map(|side| {
            let file = png(kind(noise(side, side).into()));
            [&file[..33], &chunk, &file[33..]].concat()
        });
        for options in [json!({ "to": "webp" }), json!({ "to": "jpeg", "resize": { "width": 0.3 } })] {
            held.look_at(&format!("{options}"), [&inputs[0], &inputs[1]], &options);
        }
    }
    held.conclude(8);
}

#[test]
fn the_data_of_a_long_frame_counts() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Bytes behind the end of what is packed.
    let plain = moving_png(4, true, png::DisposeOp::None);
    let at = plain.windows(4).position(|kind| kind == b"IDAT").expect("pixels") - 4;
    let length = u32::from_be_bytes(plain[at..at + 4].try_into().expect("four bytes")) as usize;
    let data = [&plain[at + 4..at + 8 + length], &vec![0; 8_000_000]].concat();
    let size = (data.len() as u32 - 4).to_be_bytes();
    let checksum = crc32fast::hash(&data).to_be_bytes();
    let file = [&plain[..at], &size, &data, &checksum, &plain[at + 12 + length..]].concat();
    let options = |limit: u64| json!({ "to": "webp", "limits": { "maxMemoryBytes": limit } });
    let (once, twice) = (file.len() as u64 * 3 / 2, file.len() as u64 * 2 + TABLES_OF_A_SIDE);
    let refusal = run(&file, &options(once)).err().map(|error| error.code());
    assert_eq!(refusal, Some(ErrorCode::TooMuchMemory), "a copy is made");
    let taken = peak(&file, &options(twice));
    assert!(taken <= twice + 1_000_000, "{taken} of {twice}");
}

#[test]
fn files_of_every_type_are_read_in_no_more_memory_than_is_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let pictures = SIDES.map(pictures);
    let mut held = Held::default();
    let calls = [
        ("pnm", json!({ "to": "pnm" })),
        ("the same", json!({ "effort": 1 })),
        ("a narrower jpeg", json!({ "to": "jpeg", "resize": { "width": 0.3 } })),
        ("a jpeg with an overlay", json!({ "to": "jpeg", "overlay": { "width": "40%" } })),
        (
            "a jpeg of its salient part",
            json!({ "to": "jpeg", "resize": { "width": 0.7, "height": 0.4, "fit": "cover", "position": "attention" } }),
        ),
    ];
    for from in TYPES {
        let options = json!({ "to": from, "effort": fast(from), "metadata": "keep" });
        for (small, large) in pictures[0].iter().zip(&pictures[1]) {
            let [small_file, large_file] = [small, large].map(|(_, input)| {
                let output = run(input, &options).expect("a file");
                output.bytes.unwrap_or_else(|| input.clone())
            });
            for (name, options) in &calls {
                held.look_at(
                    &format!("{} in {from} as {name}", small.0),
                    [&small_file, &large_file],
                    options,
                );
            }
        }
    }
    held.conclude(TYPES.len() * pictures[0].len() * calls.len());
}

#[test]
fn animations_take_no_more_memory_than_is_estimated() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut held = Held::default();
    let calls = [
        ("gif", json!({ "to": "gif" })),
        ("webp", json!({ "to": "webp" })),
        ("webp without loss", json!({ "to": "webp", "lossless": true })),
        ("a narrower webp", json!({ "to": "webp", "resize": { "width": 0.3 } })),
        ("a webp with an overlay", json!({ "to": "webp", "overlay": { "width": "40%" } })),
        (
            "a padded webp",
            json!({ "to": "webp", "resize": { "width": 0.6, "height": 0.9, "fit": "contain" } }),
        ),
    ];
    let gifs = SIDES.map(moving);
    let webps = [0, 1].map(|size| {
        let output = run(&gifs[size], &json!({ "to": "webp" })).expect("a WebP");
        output.bytes.expect("bytes")
    });
    let pngs =
        [false, true].map(|has_alpha| SIDES.map(|side| moving_png(side, has_alpha, png::DisposeOp::None)));
    let restored = SIDES.map(|side| moving_png(side, true, png::DisposeOp::Previous));
    for (from, files) in [("gif", &gifs), ("webp", &webps), ("png", &pngs[0])] {
        for (name, options) in &calls {
            held.look_at(&format!("{from} as {name}"), [&files[0], &files[1]], options);
        }
    }
    let efforts = [0, 4, 9];
    for (kind, files) in ["opaque", "translucent"].iter().zip(&pngs) {
        for effort in efforts {
            let options = json!({ "effort": effort });
            held.look_at(&format!("{kind} png, effort {effort}"), [&files[0], &files[1]], &options);
        }
    }
    for width in [0.05, 0.3] {
        let options = json!({ "to": "webp", "resize": { "width": width } });
        held.look_at("a translucent png that is restored", [&restored[0], &restored[1]], &options);
    }
    held.conclude(3 * calls.len() + 2 * efforts.len() + 2);
}

#[test]
fn a_gain_map_takes_no_more_memory_than_is_estimated_for_it() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // A map of noise, as large as its picture, takes as much as one can.
    let inputs = SIDES.map(|side| {
        let noise = DynamicImage::from(noise(side, side));
        let [picture, map] = [noise.clone(), noise.rotate90()].map(|noise| hdr_files::jpeg(noise.to_rgb8()));
        hdr_files::of_pictures(hdr_files::Kind::Both, 1, &picture, &map)
    });
    let calls = [
        json!({ "quality": 30 }),
        json!({ "quality": 95 }),
        json!({ "quality": 80, "resize": { "width": 100 } }),
        json!({ "quality": 80, "rotate": 90 }),
        json!({ "quality": 80, "crop": { "x": "1%", "y": "1%", "width": "97%", "height": "96%" } }),
        json!({ "targetSize": 60_000 }),
    ];
    for options in &calls {
        let mut options = options.clone();
        options["hdr"] = json!("keep");
        let [small, large] =
            inputs.each_ref().map(|input| (peak(input, &options), estimate_with_map(input, &options)));
        let (taken, told) = (large.0 - small.0, large.1 - small.1);
        assert!(taken <= told + told / 33 + TABLES_OF_A_SIDE, "{options}: {taken} bytes, {told} told");
    }
}

#[test]
fn outputs_of_one_file_take_at_most_a_fifth_more_than_the_largest_of_them() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let wave = |at: u32, length: f64| (f64::from(at) / length).sin().mul_add(100.0, 128.0) as u8;
    let photo = RgbImage::from_fn(6000, 4000, |x, y| Rgb([wave(x, 31.0), wave(y, 23.0), wave(x + y, 47.0)]));
    let input = hdr_files::jpeg(photo);
    // From half of the width on, calls take bands of all pixels; below, the file is read at a smaller scale.
    let cases = [
        (&["webp", "jpeg"][..], &[600, 1200, 1800, 2400][..]),
        (&["avif"], &[600, 1200]),
        (&["avif", "webp", "jpeg"], &[600, 2400]),
        (&["webp"], &[3200, 3600]),
        (&["webp", "jpeg"], &[1200, 3200]),
    ];
    for (types, widths) in cases {
        let list: Vec<Value> = types
            .iter()
            .flat_map(|to| {
                widths.iter().map(move |width| json!({ "to": to, "effort": 0, "resize": { "width": width } }))
            })
            .collect();
        let largest = list.iter().map(|options| peak(&input, options)).max().expect("calls");
        let jobs: Vec<LocalJob> =
            list.iter().map(|options| local_job(&input, options).expect("a job")).collect();
        let mut outputs = 0;
        let together = peak_of(&input, || variants(&input, &jobs, &mut |_| {}, &mut |_, _| outputs += 1));
        assert_eq!(outputs, list.len());
        assert!(
            together <= largest + largest / 5,
            "{types:?} {widths:?}: {together} bytes, {largest} for the largest"
        );
    }
}

/// The least `maxMemoryBytes` with which a call keeps the map, to a hundredth.
fn estimate_with_map(input: &[u8], options: &Value) -> u64 {
    let picture = estimate(input, options);
    let keeps = |limit: u64| {
        let mut within = options.clone();
        within["limits"] = json!({ "maxMemoryBytes": limit });
        let output = run(input, &within).expect("limits allow the picture");
        output.report.warnings.iter().all(|warning| warning.code != "gain_map_dropped")
    };
    let (mut refused, mut kept) = (picture, picture * 16);
    assert!(!keeps(refused) && keeps(kept), "{options}");
    while kept - refused > kept / 100 {
        let middle = refused + (kept - refused) / 2;
        if keeps(middle) { kept = middle } else { refused = middle }
    }
    kept
}

/// What was found. Of the options, a width or height is a share of the picture's.
#[derive(Default)]
struct Held {
    calls: usize,
    over: Vec<String>,
}

impl Held {
    fn look_at(&mut self, name: &str, inputs: [&[u8]; 2], options: &Value) {
        let [small, large] = [0, 1].map(|size| {
            let mut options = options.clone();
            for side in ["/resize/width", "/resize/height"] {
                if let Some(side) = options.pointer_mut(side) {
                    *side = json!((f64::from(SIDES[size]) * side.as_f64().expect("a share")) as u32);
                }
            }
            (peak(inputs[size], &options), estimate(inputs[size], &options))
        });
        let (taken, told) = (large.0.saturating_sub(small.0), large.1 - small.1);
        self.calls += 1;
        if taken > told + told / 33 + TABLES_OF_A_SIDE {
            let pixels = f64::from(SIDES[1].pow(2) - SIDES[0].pow(2));
            let each = |bytes: u64| bytes as f64 / pixels;
            self.over.push(format!("{name}: {:.1} bytes a pixel, {:.1} told", each(taken), each(told)));
        }
    }

    fn conclude(self, calls: usize) {
        assert!(self.over.is_empty(), "{} of {calls}:\n{}", self.over.len(), self.over.join("\n"));
        assert_eq!(self.calls, calls);
    }
}

/// Bytes at the peak of a call, the input with them.
fn peak(input: &[u8], options: &Value) -> u64 {
    peak_of(input, || run(input, options).map(drop))
}

/// Bytes at the peak of work on an input, which is counted with it.
fn peak_of(input: &[u8], work: impl FnOnce() -> Result<()>) -> u64 {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let output = work();
    let taken = ALLOCATOR.peak_usage() - before + input.len();
    if let Err(error) = output {
        assert_eq!(error.code(), ErrorCode::TargetUnreachable, "{error}");
    }
    taken as u64
}

/// What the call is estimated to take.
fn estimate(input: &[u8], options: &Value) -> u64 {
    let mut within = options.clone();
    within["limits"] = json!({ "maxMemoryBytes": 1 });
    let Err(error) = run(input, &within) else { panic!("a byte of memory sufficed") };
    assert_eq!(error.code(), ErrorCode::TooMuchMemory, "{error}");
    match error.details().get("needBytes") {
        Some(Detail::Number(bytes)) => *bytes as u64,
        other => panic!("{error}: {other:?}"),
    }
}

fn run(input: &[u8], options: &Value) -> Result<Output> {
    process(input, &local_job(input, options)?, &mut |_| {})
}

fn local_job(input: &[u8], options: &Value) -> Result<LocalJob> {
    let mut options: Plain = serde_json::from_value(options.clone()).expect("JSON is plain");
    if let Plain::Object(members) = &mut options
        && let Some((_, Plain::Object(overlay))) = members.iter_mut().find(|(name, _)| name == "overlay")
    {
        // As large as the input: noise of its size.
        overlay.push(("image".to_owned(), Plain::Bytes(input.to_vec())));
    }
    let options = Options::parse(options)?;
    let head = &input[..input.len().min(SNIFF_BYTES)];
    match job::plan(media::recognize(head, None, None)?, &options)? {
        Job::Local(job) => Ok(job),
        Job::Remote(_) => panic!("an image was sent to a service"),
    }
}

/// What makes no difference for memory, and much for the time of a test.
fn fast(to: &str) -> Value {
    if to == "avif" { json!(0) } else { Value::Null }
}

/// Pictures of a size by name, as PNGs.
fn pictures(side: u32) -> Vec<(&'static str, Vec<u8>)> {
    let photo = RgbImage::from_fn(side, side, |x, y| {
        let grain = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(97) >> 28;
        let wave = (f64::from(x) / 17.0).sin() * 60.0 + (f64::from(y) / 23.0).cos() * 60.0;
        Rgb([(128.0 + wave) as u8, (x * 240 / side + grain) as u8, (y * 240 / side) as u8])
    });
    let noise = DynamicImage::from(noise(side, side));
    let noise_rgb = noise.to_rgb8();
    vec![
        ("gray noise", png(noise.to_luma8())),
        ("noise", png(noise.to_rgb8())),
        ("deep noise", png(noise.to_rgb16())),
        ("translucent deep noise", png(noise.to_rgba16())),
        ("translucent gray noise", png(noise.to_luma_alpha8())),
        ("translucent noise", png(noise)),
        ("noise among drawn squares", png(partly_drawn(&noise_rgb, side))),
        ("a photo", png(photo)),
        ("one color", png(RgbImage::from_pixel(side, side, Rgb([10, 200, 30])))),
    ]
}

/// Noise in three of five squares of 8×8 pixels, the same in each `period` rows, and stripes of two colors in the others: enough of them for
/// a drawing.
fn partly_drawn(noise: &RgbImage, period: u32) -> RgbImage {
    RgbImage::from_fn(noise.width(), noise.height(), |x, y| match (x / 8 + 3 * (y / 8)) % 5 {
        0 | 1 if x % 3 == 0 => Rgb([250, 30, 90]),
        0 | 1 => Rgb([20, 90, 30]),
        _ => *noise.get_pixel(x, y % period),
    })
}

/// A GIF of noise that moves over noise.
fn moving(side: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = GifEncoder::new_with_speed(&mut file, 30);
    let mut noise = noise(side, side * 2);
    noise.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
    for step in 0..5 {
        let part = image::imageops::crop_imm(&noise, 0, step * side / 5, side, side).to_image();
        encoder.encode_frame(Frame::new(part)).expect("a frame");
    }
    drop(encoder);
    file
}

/// The same as a PNG, in RGB or RGBA.
fn moving_png(side: u32, has_alpha: bool, disposal: png::DisposeOp) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(if has_alpha { png::ColorType::Rgba } else { png::ColorType::Rgb });
    encoder.set_animated(5, 0).expect("frames");
    encoder.set_dispose_op(disposal).expect("a disposal");
    let noise = noise(side, side * 2);
    let mut writer = encoder.write_header().expect("a header");
    for step in 0..5 {
        let part = image::imageops::crop_imm(&noise, 0, step * side / 5, side, side).to_image();
        match has_alpha {
            true => writer.write_image_data(&part),
            false => writer.write_image_data(&DynamicImage::from(part).to_rgb8()),
        }
        .expect("a frame");
    }
    writer.finish().expect("an end");
    file
}

fn noise(width: u32, height: u32) -> RgbaImage {
    let mut state = (seed::seed(1) as u32).max(1);
    RgbaImage::from_fn(width, height, |_, _| {
        image::Rgba([0; 4].map(|_: u8| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state >> 11) as u8
        }))
    })
}

fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    image.into().write_to(&mut file, ImageFormat::Png).expect("a PNG");
    file.into_inner()
}
