//! `hdr: "keep"`: a JPEG that stays a JPEG shows the same light on an HDR display, whatever is done to it.

use filepress::ErrorCode;
use filepress::image::{Output, variants};
use filepress::job::{self, Job};
use filepress_wire::MediaType;
use image::{GrayImage, Luma, RgbImage};
use serde_json::{Value, json};

use super::hdr_files::{
    HDRGM, ISO, KINDS, Kind, Light, SECRET, hdr_photo, iso_description, jpeg, of_pictures, rendered,
    rendered_of, scans, second_picture,
};
use super::support::{bytes_of, holds, options, photo, png, read, run};

const SIZE: (u32, u32) = (320, 240);

/// The options of a call, and what they do to light.
type Edit = (Value, fn(&Light) -> Light);

fn edits() -> Vec<Edit> {
    let crop = json!({ "x": 37, "y": 21, "width": 150, "height": 101 });
    vec![
        (json!({ "quality": 90 }), Light::clone),
        (json!({ "quality": 94, "effort": 1 }), Light::clone),
        (json!({ "resize": { "width": 160 } }), Light::halved),
        (json!({ "resize": { "maxHeight": 120 }, "quality": 97 }), Light::halved),
        (json!({ "rotate": 90 }), Light::turned_right),
        (json!({ "rotate": 180 }), |light| light.turned_right().turned_right()),
        (json!({ "flip": "horizontal" }), Light::mirrored),
        (json!({ "crop": crop }), |light| light.part([37, 21, 150, 101])),
        (
            json!({ "crop": { "x": 0, "y": 0, "width": 320, "height": 100 }, "resize": { "width": 160 } }),
            |light| light.part([0, 0, 320, 100]).halved(),
        ),
        (json!({ "crop": crop, "rotate": 90, "flip": "horizontal" }), |light| {
            light.part([37, 21, 150, 101]).turned_right().mirrored()
        }),
        (json!({ "resize": { "width": 80, "height": 120, "fit": "cover", "position": "left" } }), |light| {
            light.part([0, 0, 160, 240]).halved()
        }),
        (json!({ "targetSize": 9000 }), Light::clone),
    ]
}

fn kept(input: &[u8], mut options: Value) -> Output {
    options["hdr"] = json!("keep");
    let output = run(input, options.clone()).expect("a JPEG");
    assert_eq!(dropped(&output), None, "{options}");
    output
}

/// The message of the warning, if there is one.
fn dropped(output: &Output) -> Option<&str> {
    let warnings = &output.report.warnings;
    warnings.iter().find(|warning| warning.code == "gain_map_dropped").map(|warning| warning.message.as_str())
}

fn size_of(jpeg: &[u8]) -> (u32, u32) {
    let picture = read(jpeg, "image/jpeg");
    (picture.width(), picture.height())
}

/// The difference between the ratios of two sizes, as a share.
fn ratio_difference(one: (u32, u32), other: (u32, u32)) -> f64 {
    let ratio = |(width, height): (u32, u32)| f64::from(width) / f64::from(height);
    (ratio(one) / ratio(other) - 1.0).abs()
}

#[test]
fn the_light_of_the_output_is_that_of_the_input() {
    let mut wrong = Vec::new();
    for kind in KINDS {
        let input = hdr_photo(kind, SIZE, 1);
        let light = rendered(kind, &input);
        for (mut options, edit) in edits() {
            if options.get("targetSize").is_none() && options.get("quality").is_none() {
                options["quality"] = json!(98);
            }
            let output = kept(&input, options.clone());
            let bytes = bytes_of(&output, &input);
            let difference = edit(&light).difference(&rendered(kind, bytes));
            if difference > 0.01 {
                wrong.push(format!("{kind:?}, {options}: {:.2} %", difference * 100.0));
            }
            let (picture, map) = (size_of(bytes), size_of(second_picture(bytes)));
            assert!(ratio_difference(picture, map) < 0.004, "{kind:?}, {options}: {picture:?}, {map:?}");
            assert!(map.0 * 3 < picture.0, "{kind:?}, {options}: {map:?} beside {picture:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_low_quality_costs_little_light_beside_what_the_picture_loses() {
    let input = hdr_photo(Kind::Both, SIZE, 1);
    let own = second_picture(&input);
    for quality in [json!(10), json!(30), json!(60), json!(80), json!("auto")] {
        let output = kept(&input, json!({ "quality": quality }));
        let bytes = bytes_of(&output, &input);
        let picture = &bytes[..bytes.len() - second_picture(bytes).len()];
        assert!(second_picture(bytes).len() < own.len(), "{quality}");
        let with_own_map = rendered_of(Kind::Both, picture, own);
        let difference = with_own_map.difference(&rendered(Kind::Both, bytes));
        assert!(difference < 0.01, "{quality}: {:.2} %", difference * 100.0);
    }
}

#[test]
fn the_orientation_of_exif_turns_the_map_with_the_picture() {
    let upright = rendered(Kind::Both, &hdr_photo(Kind::Both, SIZE, 1)).turned_right();
    let turned = hdr_photo(Kind::Both, SIZE, 6);
    for options in [json!({ "quality": 90, "rotate": 0 }), json!({ "quality": 90, "metadata": "strip" })] {
        let output = kept(&turned, options);
        assert!(!output.report.kept_original);
        let difference = upright.difference(&rendered(Kind::Both, bytes_of(&output, &turned)));
        assert!(difference < 0.01, "{:.2} %", difference * 100.0);
    }
}

#[test]
fn a_description_stays_in_its_form_whatever_metadata_is_kept() {
    for kind in KINDS {
        let input = hdr_photo(kind, SIZE, 1);
        for metadata in ["safe", "keep", "strip"] {
            for edit in [json!({ "resize": { "width": 100 } }), json!({ "quality": 30 })] {
                let mut options = edit.clone();
                options["metadata"] = json!(metadata);
                let output = kept(&input, options);
                let bytes = bytes_of(&output, &input);
                let map = second_picture(bytes);
                let picture = &bytes[..bytes.len() - map.len()];
                let case = format!("{kind:?}, {metadata}, {edit}");
                for (part, name) in [(picture, "picture"), (map, "map")] {
                    assert_eq!(holds(part, HDRGM.as_bytes()), kind.has_xmp(), "{case}: XMP of the {name}");
                    assert_eq!(holds(part, ISO), kind.has_iso(), "{case}: ISO 21496-1 of the {name}");
                }
                assert_eq!(holds(map, &iso_description()), kind.has_iso(), "{case}");
                assert_eq!(holds(map, b"2020:aux:hdrgainmap"), kind.is_apple(), "{case}");
                assert_eq!(holds(bytes, SECRET.as_bytes()), metadata == "keep", "{case}");
                let length = format!("Item:Length=\"{}\"", map.len());
                assert_eq!(holds(picture, length.as_bytes()), kind.has_xmp(), "{case}");
            }
        }
    }
}

#[test]
fn the_headroom_of_apples_maker_note_becomes_xmp_where_exif_goes() {
    let input = hdr_photo(Kind::Apple, SIZE, 1);
    let headroom = b"HDRGainMap:HDRGainMapHeadroom=\"6.276673\"";
    for (metadata, options) in [
        ("safe", json!({ "quality": 50 })),
        ("strip", json!({ "rotate": 90 })),
        ("safe", json!({ "lossless": true })),
    ] {
        let mut options = options;
        options["metadata"] = json!(metadata);
        let output = kept(&input, options);
        assert!(holds(second_picture(bytes_of(&output, &input)), headroom), "{metadata}");
    }
    let output = kept(&input, json!({ "metadata": "keep", "quality": 50 }));
    assert!(holds(bytes_of(&output, &input), b"Apple iOS\0") && !holds(bytes_of(&output, &input), headroom));
}

#[test]
fn the_bytes_of_the_map_count_for_the_target() {
    let map = jpeg(GrayImage::from_fn(160, 120, |x, y| Luma([((x * 7) ^ (y * 13)) as u8])));
    let input = of_pictures(Kind::Both, 1, &jpeg(image::DynamicImage::from(photo(320, 240)).to_rgb8()), &map);
    for target in [30_000, 20_000, 12_000] {
        let output = kept(&input, json!({ "targetSize": target }));
        let bytes = bytes_of(&output, &input);
        assert!(bytes.len() <= target && second_picture(bytes).len() > 1000, "{target}: {}", bytes.len());
        assert!(ratio_difference(size_of(bytes), size_of(second_picture(bytes))) < 0.004);
    }
}

#[test]
fn a_map_that_would_not_become_smaller_keeps_its_coded_data() {
    let coarse = run(
        &png(image::DynamicImage::from(photo(80, 60)).to_luma8()),
        json!({ "to": "jpeg", "quality": 10 }),
    );
    let map = coarse.expect("a JPEG").bytes.expect("a new file");
    let input = of_pictures(Kind::Both, 1, &jpeg(image::DynamicImage::from(photo(320, 240)).to_rgb8()), &map);
    let output = kept(&input, json!({ "quality": 50 }));
    assert!(!output.report.kept_original);
    assert_eq!(scans(second_picture(bytes_of(&output, &input))), scans(&map));
}

#[test]
fn maps_of_colors_and_of_any_size_are_kept() {
    let picture = jpeg(image::DynamicImage::from(photo(200, 120)).to_rgb8());
    for (width, height) in [(200, 120), (300, 180), (50, 30), (7, 4), (1, 1)] {
        let map = jpeg(RgbImage::from_fn(width, height, |x, y| image::Rgb([x as u8, y as u8, 90])));
        let input = of_pictures(Kind::Both, 1, &picture, &map);
        for edit in [
            json!({ "crop": { "x": 3, "y": 5, "width": 2, "height": 1 } }),
            json!({ "resize": { "width": 61 } }),
        ] {
            let output = kept(&input, edit.clone());
            let bytes = bytes_of(&output, &input);
            assert!(
                ratio_difference(size_of(bytes), size_of(second_picture(bytes))) < 0.02,
                "{width}×{height}, {edit}: {:?}, {:?}",
                size_of(bytes),
                size_of(second_picture(bytes))
            );
        }
    }
}

#[test]
fn variants_have_the_bytes_of_calls_of_their_own() {
    let input = hdr_photo(Kind::Both, SIZE, 1);
    let entries = [
        json!({ "hdr": "keep", "resize": { "width": 100 } }),
        json!({ "hdr": "keep", "resize": { "width": 100 }, "quality": 40 }),
        json!({ "hdr": "keep", "quality": 40 }),
        json!({ "resize": { "width": 100 } }),
    ];
    let jobs = entries.clone().map(|entry| {
        match job::plan(MediaType::Jpeg, &options(entry).expect("options")).expect("a plan") {
            Job::Local(job) => job,
            Job::Remote(_) => panic!("an image was sent to a service"),
        }
    });
    let mut outputs = Vec::new();
    variants(&input, &jobs, &mut |_| {}, &mut |index, output| outputs.push((index, output)))
        .expect("outputs");
    assert_eq!(outputs.len(), entries.len());
    for (index, output) in outputs {
        assert_eq!(output, run(&input, entries[index].clone()).expect("a JPEG"), "{}", entries[index]);
        assert_eq!(dropped(&output).is_some(), index == 3);
    }
}

#[test]
fn a_lossless_picture_that_is_cropped_or_turned_keeps_its_map() {
    for kind in KINDS {
        let input = hdr_photo(kind, SIZE, 1);
        let light = rendered(kind, &input);
        let edits: [Edit; 4] = [
            (json!({ "rotate": 90 }), Light::turned_right),
            (json!({ "flip": "horizontal" }), Light::mirrored),
            (json!({ "crop": { "x": 32, "y": 16, "width": 101, "height": 99 } }), |light| {
                light.part([32, 16, 101, 99])
            }),
            // Blocks at the right edge would move, so that EXIF has the turn, and both pictures stay as they are.
            (
                json!({ "crop": { "x": 32, "y": 16, "width": 101, "height": 99 }, "flip": "horizontal" }),
                |light| light.part([32, 16, 101, 99]),
            ),
        ];
        for (edit, expected) in edits {
            let mut options = edit.clone();
            options["lossless"] = json!(true);
            let output = run(&input, options.clone()).expect("a JPEG");
            assert_eq!(dropped(&output), None, "{kind:?}, {edit}");
            let difference = expected(&light).difference(&rendered(kind, bytes_of(&output, &input)));
            assert!(difference < 0.01, "{kind:?}, {edit}: {:.2} %", difference * 100.0);
            options["hdr"] = json!("drop");
            let output = run(&input, options).expect("a JPEG");
            assert!(dropped(&output).is_some() && !holds(bytes_of(&output, &input), b"MPF\0"));
        }
    }
}

#[test]
fn a_lossless_part_of_a_picture_that_exif_turns_has_the_same_part_of_its_map() {
    // The same part of the stored picture, where it is in the one that is shown.
    for (orientation, x, y, width, height) in
        [(3, 187, 125, 101, 99), (6, 125, 32, 99, 101), (8, 16, 187, 99, 101)]
    {
        for kind in KINDS {
            let input = hdr_photo(kind, SIZE, orientation);
            let crop = json!({ "x": x, "y": y, "width": width, "height": height });
            let output = run(&input, json!({ "lossless": true, "crop": crop })).expect("a JPEG");
            assert_eq!(dropped(&output), None, "{kind:?}, {orientation}");
            let expected = rendered(kind, &input).part([32, 16, 101, 99]);
            let difference = expected.difference(&rendered(kind, bytes_of(&output, &input)));
            assert!(difference < 0.01, "{kind:?}, {orientation}: {:.2} %", difference * 100.0);
        }
    }
}

#[test]
fn a_map_that_cannot_be_kept_is_dropped_with_a_reason() {
    let input = hdr_photo(Kind::Both, SIZE, 1);
    let padded = json!({ "width": 50, "height": 50, "fit": "contain" });
    for (options, reason) in [
        (json!({ "to": "webp" }), "JPEG to JPEG or AVIF"),
        (json!({ "to": "png" }), "JPEG to JPEG or AVIF"),
        (json!({ "to": "avif", "resize": padded }), "padded"),
        (json!({ "resize": padded }), "padded"),
    ] {
        let mut options = options;
        options["hdr"] = json!("keep");
        let output = run(&input, options.clone()).expect("an image");
        assert!(dropped(&output).is_some_and(|message| message.contains(reason)), "{options}");
        assert!(!holds(bytes_of(&output, &input), b"MPF\0"));
    }
    // A file without a map has nothing to drop.
    let plain = jpeg(image::DynamicImage::from(photo(64, 48)).to_rgb8());
    assert_eq!(dropped(&run(&plain, json!({ "hdr": "keep", "to": "webp" })).expect("a WebP")), None);
    kept(&plain, json!({ "quality": 50 }));
}

#[test]
fn an_original_without_its_map_can_be_asked_for() {
    let input = hdr_photo(Kind::Both, SIZE, 1);
    let small = kept(&input, json!({ "quality": 20, "metadata": "keep" }));
    let small = small.bytes.expect("a new file");
    for metadata in ["keep", "safe"] {
        let again =
            run(&small, json!({ "quality": 90, "metadata": metadata, "hdr": "drop" })).expect("a JPEG");
        assert!(again.report.kept_original && dropped(&again).is_some(), "{metadata}");
        assert!(!holds(bytes_of(&again, &small), b"MPF\0"), "{metadata}");
        let again = kept(&small, json!({ "quality": 90, "metadata": metadata }));
        assert!(again.report.kept_original, "{metadata}");
        assert_eq!(size_of(second_picture(bytes_of(&again, &small))), (80, 60), "{metadata}");
    }
}

#[test]
fn a_damaged_map_is_dropped_and_the_picture_is_made() {
    let whole = hdr_photo(Kind::Both, SIZE, 1);
    let map = whole.len() - second_picture(&whole).len();
    let mut dropped_count = 0;
    for at in (map..whole.len()).step_by(61) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        for input in [&damaged[..], &whole[..at]] {
            for is_turned in [false, true] {
                let turn = if is_turned { 90 } else { 0 };
                let options = json!({ "hdr": "keep", "quality": 50, "rotate": turn });
                let output = run(input, options).expect("the picture is intact");
                let bytes = bytes_of(&output, input);
                assert_ne!(dropped(&output).is_some(), holds(bytes, b"MPF\0"), "at {at}");
                if dropped(&output).is_some() {
                    dropped_count += 1;
                } else if is_turned {
                    // What was coded again is intact.
                    size_of(second_picture(bytes));
                }
            }
        }
    }
    assert!(dropped_count > 20, "{dropped_count}");
}

#[test]
fn a_map_over_a_limit_is_dropped_before_it_is_decoded() {
    let picture = jpeg(image::DynamicImage::from(photo(64, 48)).to_rgb8());
    let mut map = jpeg(GrayImage::from_pixel(64, 48, Luma([90])));
    let frame =
        map.windows(2).position(|pair| pair[0] == 0xFF && (0xC0..=0xC2).contains(&pair[1])).expect("a frame");
    map[frame + 5..frame + 9].copy_from_slice(&[0xFF, 0xDC, 0xFF, 0xDC]);
    let input = of_pictures(Kind::Both, 1, &picture, &map);
    let output = run(&input, json!({ "hdr": "keep", "quality": 50 })).expect("a JPEG");
    assert!(dropped(&output).is_some_and(|message| message.contains("over a limit")));
    let tight = json!({ "hdr": "keep", "quality": 50, "limits": { "maxPixels": 64 * 48 - 1 } });
    assert_eq!(
        run(&input, tight).expect_err("the picture is too large itself").code(),
        ErrorCode::TooManyPixels
    );
}
