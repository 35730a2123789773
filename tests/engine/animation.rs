//! Animations: what is shown, how long and how often, from each format to each.

use filepress::ErrorCode;
use image::{DynamicImage, Rgba, RgbaImage};
use serde_json::json;

use super::animation_support::{
    Dice, Part, Then, apng, chunk, frames, gif, plays, riff, shown, timeline, webp, webp_with, worst,
};
use super::support::{bytes_of, coded, difference, photo, png, read, run};

const SIZE: (u32, u32) = (37, 29);

/// Parts that WebP and APNG can hold, some half clear.
fn soft_parts(seed: u32, knows_restore: bool) -> Vec<Part> {
    let mut parts = Dice::seeded(seed).parts(SIZE, 10, true);
    for part in parts.iter_mut().filter(|part| !knows_restore && part.then == Then::Restore) {
        part.then = Then::Clear;
    }
    parts.iter_mut().for_each(|part| part.delay *= 10);
    parts
}

#[test]
fn gif_to_gif_is_lossless() {
    for seed in 0..40 {
        let mut parts = Dice::seeded(seed).parts(SIZE, 12, false);
        parts.iter_mut().for_each(|part| part.blends = true);
        if seed % 2 == 1 {
            // Parts that hang over the edges, or lie outside altogether.
            parts[3].at = (30, 20);
            parts[5].at = (200, 5);
            parts[7].pixels = Dice::seeded(seed).picture(90, 70, false);
        }
        // A comment that is asked for makes the original longer than what is made of it.
        let mut input = gif(SIZE, &parts, Some(0));
        input.truncate(input.len() - 1);
        input.extend([&[0x21, 0xFE][..], &[0xFF; 256].repeat(20), &[0, 0x3B]].concat());
        let output = run(&input, json!({ "metadata": "keep" })).expect("a result");
        assert!(!output.report.kept_original, "seed {seed}");
        let expected = timeline(shown(SIZE, &parts, 10));
        let result = timeline(frames(bytes_of(&output, &input)));
        assert!(result == expected, "seed {seed}: the output looks different");
        // The comment is lost.
        let codes: Vec<_> = output.report.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["metadata_dropped"], "seed {seed}");
    }
}

#[test]
fn unchanged_regions_take_few_bytes() {
    let mut background = Dice::seeded(9).picture(120, 90, false);
    background.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
    let parts: Vec<_> = (0..20)
        .map(|step| {
            let mut picture = background.clone();
            for (x, y, pixel) in picture.enumerate_pixels_mut() {
                if x.abs_diff(20 + step * 4) < 6 && y.abs_diff(40) < 6 {
                    *pixel = Rgba([250, 10, 10, 255]);
                }
            }
            let mut part = Part::new((0, 0), picture, 6);
            part.then = Then::Clear;
            part
        })
        .collect();
    let input = gif((120, 90), &parts, Some(0));
    let one = gif((120, 90), &parts[..1], None);
    let output = run(&input, json!({})).expect("a result");
    let bytes = bytes_of(&output, &input);
    assert!(timeline(frames(bytes)) == timeline(shown((120, 90), &parts, 10)), "it looks different");
    assert!(bytes.len() < one.len() + 19 * 90, "{} bytes, where one frame has {}", bytes.len(), one.len());
}

#[test]
fn every_animated_format_converts_to_every_other() {
    for seed in 0..12 {
        let mut hard = Dice::seeded(seed).parts(SIZE, 10, false);
        hard.iter_mut().for_each(|part| part.blends = true);
        let mut slow = hard.clone();
        slow.iter_mut().for_each(|part| part.delay *= 10);
        let soft = [soft_parts(seed, false), soft_parts(seed, true)];
        let sources = [
            ("gif", gif(SIZE, &hard, Some(2)), shown(SIZE, &hard, 10)),
            ("webp", webp(SIZE, &soft[0], 3), shown(SIZE, &soft[0], 1)),
            ("apng", apng(&soft[1], 3, 10, None), shown(SIZE, &soft[1], 1)),
            ("hard apng", apng(&slow, 3, 10, None), shown(SIZE, &slow, 1)),
        ];
        for (name, input, expected) in sources {
            let expected = timeline(expected);
            let options = json!({ "to": "webp", "lossless": true });
            let output = run(&input, options).expect("a result");
            let bytes = bytes_of(&output, &input);
            let result = timeline(frames(bytes));
            let off = worst(&result, &expected);
            assert!(off <= 2, "{name} to WebP, seed {seed}: off by {off}");
            let delays = |frames: &[(RgbaImage, u64)]| frames.iter().map(|frame| frame.1).collect::<Vec<_>>();
            assert_eq!(delays(&result), delays(&expected), "{name} to WebP, seed {seed}");
            assert_eq!(plays(bytes), 3, "{name} to WebP");

            let output = run(&input, json!({ "to": "gif" })).expect("a result");
            let bytes = bytes_of(&output, &input);
            let hard = expected.iter().cloned().map(|(mut canvas, delay)| {
                canvas.pixels_mut().for_each(|pixel| match pixel.0[3] < 128 {
                    true => *pixel = Rgba([0; 4]),
                    false => pixel.0[3] = 255,
                });
                (canvas, delay)
            });
            let hard = timeline(hard.collect());
            let result = timeline(frames(bytes));
            // Half clear pixels over each other are rounded, and the threshold may fall between the roundings.
            let off = result
                .iter()
                .zip(&hard)
                .map(|(a, b)| difference(&DynamicImage::from(a.0.clone()), &DynamicImage::from(b.0.clone())));
            let off = off.fold(0.0, f64::max);
            assert!(off < 1.0 && result.len() == hard.len(), "{name} to GIF, seed {seed}: off by {off}");
            assert!(
                name == "apng" || name == "webp" || off == 0.0,
                "{name} to GIF, seed {seed}: off by {off}"
            );
            assert_eq!(delays(&result), delays(&hard), "{name} to GIF, seed {seed}");
            assert_eq!(plays(bytes), 3, "{name} to GIF");
        }
    }
}

#[test]
fn lossy_webp_is_close_and_follows_quality() {
    let parts: Vec<_> = (0..6)
        .map(|turn| {
            let mut picture = photo(96, 64);
            for (x, y, pixel) in picture.enumerate_pixels_mut() {
                if x.abs_diff(20 + turn * 10) < 9 && y.abs_diff(30) < 9 {
                    *pixel = Rgba([230, 40 + turn as u8, 20, 255]);
                }
            }
            Part::new((0, 0), picture, 50)
        })
        .collect();
    let input = webp((96, 64), &parts, 0);
    let mut sizes = Vec::new();
    for quality in [90, 60, 20] {
        let output = run(&input, json!({ "quality": quality })).expect("a result");
        assert_eq!(output.report.quality, Some(quality));
        let result = frames(bytes_of(&output, &input));
        assert_eq!(result.len(), 6);
        for ((canvas, delay), part) in result.iter().zip(&parts) {
            let off =
                difference(&DynamicImage::from(canvas.clone()), &DynamicImage::from(part.pixels.clone()));
            assert!(off < 9.0 && *delay == 50, "quality {quality}: off by {off}, {delay} ms");
        }
        sizes.push(bytes_of(&output, &input).len());
    }
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    let gifs = [100, 60, 20].map(|quality| {
        let output = run(&input, json!({ "to": "gif", "quality": quality })).expect("a result");
        bytes_of(&output, &input).len()
    });
    assert!(gifs.is_sorted_by(|a, b| a > b), "{gifs:?}");
}

#[test]
fn delays_are_rounded_without_drift() {
    let steps = |delays: &[u32]| -> Vec<Part> {
        let picture = |index: usize| RgbaImage::from_pixel(4, 4, Rgba([index as u8 * 9, 90, 200, 255]));
        delays.iter().enumerate().map(|(index, delay)| Part::new((0, 0), picture(index), *delay)).collect()
    };
    let delays = |input: &[u8], to: &str| -> Vec<u64> {
        let output = run(input, json!({ "to": to, "lossless": to == "webp" })).expect("a result");
        frames(bytes_of(&output, input)).into_iter().map(|frame| frame.1).collect()
    };
    let to_gif = |times: &[u32]| delays(&webp((4, 4), &steps(times), 0), "gif");
    assert_eq!(to_gif(&[33; 6]), [30, 40, 30, 30, 40, 30], "as long in all as 6 × 33 can be");
    assert_eq!(to_gif(&[0, 7, 40, 3]), [0, 10, 40, 10], "0 stays 0, and nothing else becomes 0");
    assert_eq!(to_gif(&[16; 4]), [20; 4], "browsers would show 10 as 100");
    assert_eq!(
        to_gif(&[16_000_000, 50]).iter().sum::<u64>(),
        16_000_050,
        "longer than a frame of a GIF can be"
    );
    assert_eq!(delays(&gif((4, 4), &steps(&[0, 1, 3, 65_535]), None), "webp"), [0, 10, 30, 655_350]);
    let mut thirds = apng(&steps(&[1, 1, 1, 1]), 0, 4, None);
    // A delay stands at byte 20 of fcTL; thirtieths of a second, which is 100/3 ms.
    let places: Vec<_> = (0..thirds.len() - 4).filter(|at| &thirds[*at..*at + 4] == b"fcTL").collect();
    for at in places {
        thirds[at + 26..at + 28].copy_from_slice(&30_u16.to_be_bytes());
        let checksum = crc32fast::hash(&thirds[at..at + 30]);
        thirds[at + 30..at + 34].copy_from_slice(&checksum.to_be_bytes());
    }
    assert_eq!(delays(&thirds, "webp"), [33, 34, 33, 33]);
    assert_eq!(delays(&thirds, "gif"), [30, 40, 30, 30]);
}

#[test]
fn identical_frames_are_merged() {
    let still = Part::new((0, 0), photo(24, 20), 5);
    let input = gif((24, 20), &[still.clone(), still.clone(), still], None);
    let output = run(&input, json!({})).expect("a result");
    let result = frames(bytes_of(&output, &input));
    assert_eq!(result.iter().map(|frame| frame.1).collect::<Vec<_>>(), [150]);
    // Browsers show each of these for a tenth of a second: one frame of both would be half as long.
    let hurried = Part::new((0, 0), photo(24, 20), 0);
    let input = gif((24, 20), &[hurried.clone(), hurried], None);
    let output = run(&input, json!({})).expect("a result");
    assert_eq!(frames(bytes_of(&output, &input)).len(), 2);
}

#[test]
fn the_loop_count_is_kept() {
    let parts = Dice::seeded(7).parts((16, 16), 3, false);
    let to = |input: &[u8], to: &str| {
        let output = run(input, json!({ "to": to, "lossless": to == "webp" })).expect("a result");
        plays(bytes_of(&output, input))
    };
    for (repeats, expected) in [(None, 1), (Some(0), 0), (Some(1), 2), (Some(65_535), 65_535)] {
        assert_eq!(to(&gif((16, 16), &parts, repeats), "webp"), expected, "GIF says {repeats:?}");
    }
    assert_eq!(to(&gif((16, 16), &parts, Some(65_535)), "gif"), 65_536);
    let parts: Vec<_> = soft_parts(7, false);
    for times in [0, 1, 2, 65_535] {
        assert_eq!(to(&webp(SIZE, &parts, times), "gif"), u32::from(times), "WebP says {times}");
        assert_eq!(
            to(&apng(&parts, u32::from(times), 10, None), "gif"),
            u32::from(times),
            "APNG says {times}"
        );
    }
    assert_eq!(to(&apng(&parts, 1_000_000, 10, None), "webp"), 65_535, "as often as WebP can say");
}

#[test]
fn more_colors_than_a_palette_holds_do_not_flicker() {
    let parts: Vec<_> = (0..5)
        .map(|turn| {
            let mut picture = photo(80, 60);
            for (x, y, pixel) in picture.enumerate_pixels_mut() {
                if y < 20 {
                    *pixel = Rgba([(x * 3) as u8, (y * 9 + turn * 11) as u8, (x + y) as u8, 255]);
                }
            }
            Part::new((0, 0), picture, 80)
        })
        .collect();
    let input = webp((80, 60), &parts, 0);
    let output = run(&input, json!({ "to": "gif" })).expect("a result");
    let warnings: Vec<_> = output.report.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(warnings, ["colors_reduced"]);
    let result = frames(bytes_of(&output, &input));
    assert_eq!(result.len(), 5);
    for ((canvas, _), part) in result.iter().zip(&parts) {
        let off = difference(&DynamicImage::from(canvas.clone()), &DynamicImage::from(part.pixels.clone()));
        assert!(off < 4.0, "off by {off}");
        for (x, y, pixel) in canvas.enumerate_pixels().filter(|(_, y, _)| *y >= 20) {
            assert_eq!(pixel, result[0].0.get_pixel(x, y), "what stands still is the same in every frame");
        }
    }
}

#[test]
fn a_resized_animation_has_the_resized_frames() {
    for parts in [Dice::seeded(3).parts(SIZE, 6, false), soft_parts(3, false)] {
        let mut parts = parts;
        parts
            .iter_mut()
            .for_each(|part| part.then = if part.then == Then::Restore { Then::Keep } else { part.then });
        let input = webp(SIZE, &parts, 0);
        for resize in [json!({ "width": 20 }), json!({ "width": 90, "height": 30, "fit": "cover" })] {
            let options = json!({ "resize": resize, "lossless": true });
            let output = run(&input, options.clone()).expect("a result");
            let result = timeline(frames(bytes_of(&output, &input)));
            let stills = shown(SIZE, &parts, 1).into_iter().map(|(canvas, delay)| {
                let still = png(canvas);
                let output = run(&still, json!({ "resize": resize })).expect("a result");
                (read(bytes_of(&output, &still), "image/png").to_rgba8(), delay)
            });
            let expected = timeline(stills.collect());
            let off = worst(&result, &expected);
            assert!(off <= 2, "{resize}: off by {off}");
        }
    }
    let gif = gif(SIZE, &Dice::seeded(3).parts(SIZE, 6, false), Some(0));
    let output = run(&gif, json!({ "resize": { "width": 18 } })).expect("a result");
    assert_eq!((output.report.width, output.report.height), (18, 14));
    assert_eq!(frames(bytes_of(&output, &gif))[0].0.dimensions(), (18, 14));
}

#[test]
fn exif_orientation_is_applied_to_animations() {
    let parts = soft_parts(11, true);
    let exif = b"MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let file = apng(&parts, 0, 10, None);
    let input = [&file[..33], &chunk(b"eXIf", exif), &file[33..]].concat();
    let output = run(&input, json!({ "to": "webp", "lossless": true })).expect("a result");
    assert_eq!((output.report.width, output.report.height), (29, 37));
    let expected: Vec<_> = shown(SIZE, &parts, 1)
        .into_iter()
        .map(|(canvas, delay)| (image::imageops::rotate90(&canvas), delay))
        .collect();
    let off = worst(&timeline(frames(bytes_of(&output, &input))), &timeline(expected));
    assert!(off <= 1, "off by {off}");
}

#[test]
fn a_profile_is_kept_or_applied() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().expect("a profile");
    let picture = |green: u8| RgbaImage::from_pixel(16, 16, Rgba([200, green, 40, 255]));
    let parts = [Part::new((0, 0), picture(100), 90), Part::new((0, 0), picture(120), 90)];
    let input = webp_with((16, 16), &parts, 0, 0x20, &riff(b"ICCP", &profile), &[]);
    let output = run(&input, json!({ "resize": { "width": 8 }, "lossless": true })).expect("a result");
    let bytes = bytes_of(&output, &input);
    assert!(bytes.windows(profile.len()).any(|window| window == profile), "WebP carries it");
    assert_eq!(frames(bytes)[0].0.get_pixel(4, 4).0, [200, 100, 40, 255]);

    let output = run(&input, json!({ "to": "gif" })).expect("a result");
    let warnings: Vec<_> = output.report.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(warnings, ["color_converted"]);
    let still = run(&profiled(&picture(100), &profile), json!({ "to": "bmp" })).expect("a result");
    let expected = read(&still.bytes.expect("another type"), "image/bmp").to_rgba8();
    assert_eq!(frames(bytes_of(&output, &input))[0].0.get_pixel(4, 4), expected.get_pixel(4, 4));
}

/// A PNG with a profile.
pub(super) fn profiled(picture: &RgbaImage, profile: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut out);
    image::ImageEncoder::set_icc_profile(&mut encoder, profile.to_vec()).expect("PNG carries profiles");
    DynamicImage::from(picture.clone()).write_with_encoder(encoder).expect("a PNG");
    out
}

#[test]
fn still_outputs_warn_of_the_dropped_animation() {
    let mut parts = Dice::seeded(21).parts(SIZE, 4, false);
    parts.iter_mut().for_each(|part| part.blends = true);
    let moving = gif(SIZE, &parts, Some(0));
    let codes = |output: &filepress::image::Output| -> Vec<&str> {
        output.report.warnings.iter().map(|warning| warning.code).collect()
    };
    let first = |bytes: &[u8], mime: &str| read(bytes, mime).to_rgba8();

    let still = run(&moving, json!({ "to": "png" })).expect("a result");
    assert_eq!(codes(&still), ["animation_dropped"]);
    assert_eq!(timeline(vec![(first(bytes_of(&still, &moving), "image/png"), 0)])[0].0, parts[0].pixels);
    let silenced = run(&moving, json!({ "to": "png", "animation": "first" })).expect("a result");
    assert!(codes(&silenced).is_empty());

    let cut = run(&moving, json!({ "animation": "first" })).expect("a result");
    assert!(codes(&cut).is_empty() && !cut.report.kept_original);
    assert_eq!(frames(bytes_of(&cut, &moving)).len(), 1);

    let input = apng(&soft_parts(21, true), 0, 10, None);
    let small = run(&input, json!({ "resize": { "width": 20 } })).expect("a result");
    assert_eq!(codes(&small), ["animation_dropped"]);
    assert_eq!(bytes_of(&small, &input).windows(4).filter(|kind| kind == b"acTL").count(), 0);
}

#[test]
fn a_default_image_that_is_no_frame_is_not_shown() {
    let parts = soft_parts(31, true);
    let hidden = RgbaImage::from_pixel(SIZE.0, SIZE.1, Rgba([1, 2, 3, 255]));
    let input = apng(&parts, 0, 10, Some(&hidden));
    let output = run(&input, json!({ "to": "webp", "lossless": true })).expect("a result");
    let result = timeline(frames(bytes_of(&output, &input)));
    let off = worst(&result, &timeline(shown(SIZE, &parts, 1)));
    assert!(off <= 1, "the frames are those behind it: off by {off}");
    // Of one frame, the animation is a picture that moves no more than a still output.
    let alone = apng(&parts[..1], 0, 1, Some(&hidden));
    for (input, options) in [
        (&input, json!({ "to": "bmp" })),
        (&input, json!({ "to": "png", "animation": "first" })),
        (&alone, json!({ "to": "bmp" })),
        (&alone, json!({ "to": "png" })),
    ] {
        let still = run(input, options.clone()).expect("a result");
        let bytes = bytes_of(&still, input);
        let mime = if bytes.starts_with(b"BM") { "image/bmp" } else { "image/png" };
        let found = vec![(read(bytes, mime).to_rgba8(), 0)];
        let first = vec![(parts[0].pixels.clone(), 0)];
        assert!(worst(&timeline(found), &timeline(first)) == 0, "{options}");
        assert!(!bytes.windows(4).any(|kind| kind == b"fdAT"), "{options}");
    }
}

#[test]
fn a_wrong_frame_count_is_tolerated() {
    let parts = soft_parts(5, true);
    let expected = timeline(shown(SIZE, &parts, 1));
    for (claimed, shows) in [(7, 7), (10, 10), (11, 10), (u32::MAX, 10)] {
        let input = apng(&parts, 0, claimed, None);
        let output = run(&input, json!({ "to": "webp", "lossless": true })).expect("a result");
        let result = timeline(frames(bytes_of(&output, &input)));
        assert!(worst(&result, &expected[..shows]) <= 1, "acTL says {claimed}");
    }
    for claimed in [0, 1, 7, u32::MAX] {
        let input = apng(&parts[..1], 0, claimed, None);
        for to in ["png", "gif", "webp"] {
            let output = run(&input, json!({ "to": to })).expect("a result");
            assert!(output.report.warnings.iter().all(|warning| warning.code != "animation_dropped"));
        }
    }
}

#[test]
fn deep_and_gray_frames_are_decoded() {
    let gray = |seed: u32| {
        image::ImageBuffer::<image::Luma<u16>, _>::from_fn(20, 12, |x, y| {
            image::Luma([(x * 3000 + y * 900 + seed) as u16])
        })
    };
    let files = [0, 4000].map(|seed| png(DynamicImage::ImageLuma16(gray(seed))));
    let pixels = files.each_ref().map(|file| {
        super::animation_support::chunks(file)
            .into_iter()
            .find(|(kind, _)| kind == b"IDAT")
            .expect("pixels")
            .1
    });
    let control = |sequence: u8| {
        [&[0, 0, 0, sequence, 0, 0, 0, 20, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 100, 0, 0][..]]
            .concat()
    };
    let input = [
        files[0][..33].to_vec(),
        chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]),
        chunk(b"fcTL", &control(0)),
        chunk(b"IDAT", &pixels[0]),
        chunk(b"fcTL", &control(1)),
        chunk(b"fdAT", &[&[0, 0, 0, 2], pixels[1].as_slice()].concat()),
        chunk(b"IEND", &[]),
    ]
    .concat();
    let output = run(&input, json!({ "to": "webp", "lossless": true })).expect("a result");
    let result = frames(bytes_of(&output, &input));
    for ((canvas, delay), seed) in result.iter().zip([0, 4000]) {
        let off = difference(&DynamicImage::from(canvas.clone()), &DynamicImage::ImageLuma16(gray(seed)));
        assert!(off < 0.01 && *delay == 50, "off by {off}");
    }
    assert_eq!(result.len(), 2);
}

#[test]
fn a_still_gif_is_an_animation_of_one_frame() {
    let few = Dice::seeded(1).picture(50, 40, false);
    let input = png(few.clone());
    let output = run(&input, json!({ "to": "gif" })).expect("a result");
    let result = frames(bytes_of(&output, &input));
    assert_eq!(timeline(result)[0].0, few);
    let reference = coded(few, image::ImageFormat::Gif);
    assert!(bytes_of(&output, &input).len() < reference.len());
}

#[test]
fn the_sum_of_frames_is_limited_before_decoding() {
    let one = Part::new((0, 0), RgbaImage::from_pixel(1, 1, Rgba([9, 9, 9, 255])), 1);
    let frame = gif((10_000, 10_000), std::slice::from_ref(&one), None);
    let mut bomb = frame[..13].to_vec();
    for _ in 0..65_535 {
        bomb.extend(&frame[13..frame.len() - 1]);
    }
    bomb.push(0x3B);
    let memory = json!({ "limits": { "maxMemoryBytes": 5_000_000_000_u64 } });
    let error = run(&bomb, memory).expect_err("6.5 terapixels");
    assert_eq!(error.code(), ErrorCode::TooManyPixels);
    assert!(error.message().contains("20 times"), "{error}");

    // Frames that are larger than the canvas count by their own size.
    let large = RgbaImage::from_pixel(300, 300, Rgba([9, 9, 9, 255]));
    let wide: Vec<_> = (0..30).map(|_| Part::new((0, 0), large.clone(), 5)).collect();
    let input = gif((10, 10), &wide, None);
    let options = |limit: u64| json!({ "limits": { "maxPixels": limit } });
    assert_eq!(run(&input, options(100_000)).expect_err("2.7 megapixels").code(), ErrorCode::TooManyPixels);
    assert!(run(&input, options(200_000)).is_ok());
    // So do those that are to be made larger.
    let grown = json!({ "resize": { "width": 400 }, "limits": { "maxPixels": 200_000 } });
    assert_eq!(run(&input, grown).expect_err("4.8 megapixels").code(), ErrorCode::TooManyPixels);
}

#[test]
fn what_a_gif_says_beside_its_frames_is_kept_or_missed() {
    let parts = Dice::seeded(8).parts(SIZE, 2, false);
    let plain = gif(SIZE, &parts, Some(0));
    let with = |block: &[u8]| [&plain[..13], block, &plain[13..]].concat();
    // A packet, and 258 bytes after which every reader of blocks is at their end.
    let packet = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>words</x:xmpmeta>".repeat(9);
    let trailer: Vec<u8> = std::iter::once(1).chain((0..=255).rev()).chain([0]).collect();
    let xmp = with(&[b"\x21\xFF\x0BXMP DataXMP".as_slice(), &packet, &trailer].concat());
    let comment = with(b"\x21\xFE\x05words\0");
    let missed = |input: &[u8], to: &str| {
        let options = json!({ "to": to, "metadata": "keep", "resize": { "width": 20 } });
        let output = run(input, options).expect("a result");
        let is_told = output.report.warnings.iter().any(|warning| warning.code == "metadata_dropped");
        (is_told, bytes_of(&output, input).windows(packet.len()).any(|bytes| bytes == packet))
    };
    for to in ["webp", "gif"] {
        assert_eq!(missed(&plain, to), (false, false), "{to}");
        assert_eq!(missed(&comment, to), (true, false), "{to}");
    }
    assert_eq!(missed(&xmp, "webp"), (false, true));
    assert_eq!(missed(&xmp, "gif"), (true, false));
    // Without being asked for, nothing is kept.
    let output = run(&xmp, json!({ "to": "webp" })).expect("a result");
    assert!(
        output.report.warnings.is_empty()
            && !bytes_of(&output, &xmp).windows(5).any(|bytes| bytes == b"words")
    );
}
