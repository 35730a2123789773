//! Animated PNGs that stay PNGs: the frames are written again in fewer bytes, and nothing that is shown changes.

use image::{DynamicImage, Rgba, RgbaImage};
use serde_json::json;

use super::animation::profiled;
use super::animation_support::{Dice, Part, Shown, Then, apng, chunk, chunks, shown, timeline, worst};
use super::support::{bytes_of, holds, png, read, run};

const SIZE: (u32, u32) = (61, 47);

/// Parts of every disposal, blended and not.
fn parts(seed: u32, soft: bool) -> Vec<Part> {
    Dice::seeded(seed).parts(SIZE, 9, soft)
}

/// The data of the chunks of one kind.
fn all(file: &[u8], kind: &[u8; 4]) -> Vec<Vec<u8>> {
    chunks(file).into_iter().filter(|(found, _)| found == kind).map(|(_, data)| data).collect()
}

/// What a viewer shows. The decoder of `image` restores what was cleared if a frame that is cleared comes before one that is restored.
fn viewed(file: &[u8]) -> Vec<Shown> {
    let colors: Vec<_> =
        chunks(file).into_iter().filter(|(kind, _)| matches!(kind, b"PLTE" | b"tRNS")).collect();
    let mut parts = Vec::new();
    let mut control = Vec::new();
    for (kind, data) in chunks(file) {
        let pixels = match &kind {
            b"fcTL" => {
                control = data;
                continue;
            }
            b"IDAT" => &data[..],
            b"fdAT" => &data[4..],
            _ => continue,
        };
        let mut still = file[..33].to_vec();
        still[16..24].copy_from_slice(&control[4..12]);
        let checksum = crc32fast::hash(&still[12..29]);
        still[29..].copy_from_slice(&checksum.to_be_bytes());
        for (kind, data) in &colors {
            still.extend(chunk(kind, data));
        }
        still.extend(chunk(b"IDAT", pixels));
        still.extend(chunk(b"IEND", &[]));
        let long = |at: usize| u32::from_be_bytes(control[at..at + 4].try_into().expect("four bytes"));
        parts.push(Part {
            at: (long(12), long(16)),
            pixels: read(&still, "image/png").to_rgba8(),
            blends: control[25] == 1,
            then: [Then::Keep, Then::Clear, Then::Restore][usize::from(control[24])],
            delay: long(20) >> 16,
        });
    }
    timeline(shown(SIZE, &parts, 1))
}

/// The output for an animation that can be made smaller.
fn smaller(input: &[u8]) -> Vec<u8> {
    let output = run(input, json!({})).expect("a result");
    assert!(!output.report.kept_original && output.report.warnings.is_empty(), "{:?}", output.report);
    let bytes = bytes_of(&output, input).to_vec();
    assert!(bytes.len() < input.len(), "{} of {} bytes", bytes.len(), input.len());
    bytes
}

/// Frames of whole canvases, shown for 50 ms each.
fn animation(count: u32, picture: impl Fn(u32, u32, u32) -> [u8; 4]) -> Vec<u8> {
    let parts: Vec<_> = (0..count)
        .map(|frame| {
            let canvas = RgbaImage::from_fn(SIZE.0, SIZE.1, |x, y| Rgba(picture(frame, x, y)));
            Part { blends: false, ..Part::new((0, 0), canvas, 50) }
        })
        .collect();
    apng(&parts, 0, count, None)
}

#[test]
fn every_frame_is_shown_as_before_and_as_long() {
    for seed in 0..40 {
        let soft = seed % 2 == 1;
        let parts = parts(seed, soft);
        let input = apng(&parts, 3, 9, None);
        for effort in [0, 4, 9] {
            let output = run(&input, json!({ "effort": effort })).expect("a result");
            let bytes = bytes_of(&output, &input);
            let off = worst(&viewed(bytes), &timeline(shown(SIZE, &parts, 1)));
            assert!(off <= if soft { 2 } else { 0 }, "seed {seed}, effort {effort}: off by {off}");
            assert_eq!(all(bytes, b"acTL"), [[0, 0, 0, 9, 0, 0, 0, 3]], "frames and plays");
            // The delay is a fraction in the last bytes but two.
            let delays =
                |file| all(file, b"fcTL").iter().map(|data| data[20..24].to_vec()).collect::<Vec<_>>();
            assert_eq!(delays(bytes), delays(&input), "seed {seed}");
        }
    }
}

#[test]
fn the_frames_share_the_smallest_color_type() {
    let opaque = |gray: u8| [gray, gray, gray, 255];
    let noise = |seed: u32| (seed.wrapping_mul(2_654_435_761) >> 13) as u8;
    let spread = |f: u32, x: u32, y: u32, by: u32| noise(f * 9001 + x * 131 + y * 7919 + by);
    type Paint<'a> = &'a dyn Fn(u32, u32, u32) -> [u8; 4];
    let cases: [(&str, Paint<'_>, [u8; 2]); 8] = [
        ("two colors", &|f, x, y| opaque(if (x + y + f) & 8 == 0 { 0 } else { 255 }), [1, 3]),
        ("three colors", &|f, x, y| opaque(((x / 9 + y / 9 + f) % 3) as u8 * 100), [2, 3]),
        ("nine colors", &|f, x, y| [((x / 5 + f) % 3) as u8 * 90, (y / 9 % 3) as u8 * 80, 7, 255], [4, 3]),
        ("many grays", &|f, x, y| opaque(spread(f, x, y, 0)), [8, 0]),
        (
            "many colors, each frame with few",
            &|f, x, y| [(x / 8) as u8 * 20, (y / 8) as u8 * 30, f as u8 * 60, 255],
            [8, 3],
        ),
        (
            "soft grays",
            &|f, x, y| {
                [[spread(f, x, y, 0); 3].as_slice(), &[spread(f, x, y, 1)]].concat().try_into().expect("four")
            },
            [8, 4],
        ),
        ("more colors", &|f, x, y| [spread(f, x, y, 0), spread(f, x, y, 1), spread(f, x, y, 2), 255], [8, 2]),
        ("soft colors", &|f, x, y| [spread(f, x, y, 0), 9, spread(f, x, y, 2), spread(f, x, y, 3)], [8, 6]),
    ];
    for (name, paint, expected) in cases {
        let input = animation(4, paint);
        let output = run(&input, json!({})).expect("a result");
        let bytes = bytes_of(&output, &input);
        assert!(viewed(bytes) == viewed(&input), "{name}: it looks different");
        assert_eq!(bytes[24..26], expected, "{name}: depth and color type");
    }
}

#[test]
fn a_frame_takes_what_changes() {
    let noise = |x: u32, y: u32| (x * 7919 + y * 104_729 + x * y * 31) as u8;
    let bar = |frame: u32, x: u32| x / 4 == frame % 15;
    // A bar moves over many colors, on a canvas that every frame paints anew.
    let paint = |frame: u32, x: u32, y: u32| match bar(frame, x) {
        true => [255, 0, 0, 255],
        false => [noise(x, y), noise(y, x), noise(x + 7, y), 255],
    };
    let [few, many] = [1, 40].map(|more| animation(2 + more, paint));
    let [few, many] = [smaller(&few), smaller(&many)];
    assert!(viewed(&many) == viewed(&animation(42, paint)), "it looks different");
    // The bar and what it leaves are 8 of 61 columns.
    let each = (many.len() - few.len()) / 39;
    assert!(each < 4 * 47 * 3 + 100, "{each} bytes a frame");
    let widths = all(&many, b"fcTL").iter().skip(1).map(|data| data[7]).max();
    assert!(widths < Some(61), "frames cover {widths:?} columns");
}

#[test]
fn what_comes_back_after_a_frame_is_not_written_again() {
    let noise = |x: u32, y: u32| (x * 7919 + y * 104_729 + x * y * 31) as u8;
    // Every other frame is one color in the middle of a picture.
    let paint =
        |frame: u32, x: u32, y: u32| match frame % 2 == 1 && (9..50).contains(&x) && (9..40).contains(&y) {
            true => [0, 0, 200, 255],
            false => [noise(x, y), noise(y, x), noise(x + 7, y), 255],
        };
    let [two, ten] = [2, 10].map(|count| smaller(&animation(count, paint)));
    assert!(viewed(&ten) == viewed(&animation(10, paint)), "it looks different");
    assert!(ten.len() - two.len() < 8 * 200, "{} bytes for 8 frames more", ten.len() - two.len());
}

#[test]
fn a_second_call_changes_nothing() {
    for seed in 0..6 {
        let once = smaller(&apng(&parts(seed, false), 0, 9, None));
        let again = run(&once, json!({})).expect("a result");
        assert!(again.report.kept_original && again.report.warnings.is_empty(), "{:?}", again.report);
        assert_eq!(bytes_of(&again, &once), once);
    }
}

#[test]
fn color_stays_color_under_a_profile() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().expect("a profile");
    let still = profiled(&RgbaImage::new(1, 1), &profile);
    let carried = chunk(b"iCCP", &all(&still, b"iCCP")[0]);
    let gray = |f: u32, x: u32, y: u32| {
        [[(x * 4 + y * f) as u8; 3].as_slice(), &[255]].concat().try_into().expect("four")
    };
    let file = animation(4, gray);
    let input = [&file[..33], &carried, &file[33..]].concat();
    let bytes = smaller(&input);
    assert_eq!(smaller(&file)[25], 0, "gray without a profile");
    assert!(matches!(bytes[25], 2 | 3 | 6), "color type {}", bytes[25]);
    assert!(holds(&bytes, b"iCCP"));
    assert!(viewed(&bytes) == viewed(&file), "it looks different");
}

#[test]
fn what_frames_of_8_bits_cannot_hold_stays_encoded() {
    let parts = parts(3, true);
    let codes = |input: &[u8], options| {
        let output = run(input, options).expect("a result");
        assert_eq!(bytes_of(&output, input), input);
        output.report.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>()
    };
    let hidden = RgbaImage::from_pixel(SIZE.0, SIZE.1, Rgba([1, 2, 3, 255]));
    assert_eq!(codes(&apng(&parts, 0, 9, Some(&hidden)), json!({})), ["animation_kept"]);

    let deep = image::ImageBuffer::from_fn(SIZE.0, SIZE.1, |x, y| image::Luma([(x * 900 + y * 70) as u16]));
    let deep = png(DynamicImage::ImageLuma16(deep));
    let pixels = all(&deep, b"IDAT").concat();
    let control = |number: u8| {
        let mut control = [0; 26];
        (control[3], control[7], control[11], control[21]) = (number, SIZE.0 as u8, SIZE.1 as u8, 9);
        chunk(b"fcTL", &control)
    };
    let deep = [
        &deep[..33],
        &chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]),
        &control(0),
        &chunk(b"IDAT", &pixels),
        &control(1),
        &chunk(b"fdAT", &[&[0, 0, 0, 2], pixels.as_slice()].concat()),
        &chunk(b"IEND", &[]),
    ]
    .concat();
    assert_eq!(codes(&deep, json!({})), ["animation_kept"]);

    let plain = apng(&parts, 0, 9, None);
    assert_eq!(codes(&plain, json!({ "targetSize": plain.len() })), ["animation_kept"], "it fits");
}

#[test]
fn a_quality_reduces_no_colors() {
    let input = apng(&parts(2, false), 0, 9, None);
    let output = run(&input, json!({ "quality": 50 })).expect("a result");
    assert_eq!(output.report.quality, None);
    assert_eq!(bytes_of(&output, &input), smaller(&input));
}

#[test]
fn a_cleared_canvas_stays_clear() {
    let blob = |x: u32, seed: u32| {
        let mut part = Part::new((x, 8), Dice::seeded(seed).picture(14, 20, false), 70);
        part.pixels.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
        part.then = Then::Clear;
        part
    };
    let first = Part { then: Then::Clear, ..Part::new((0, 0), RgbaImage::new(SIZE.0, SIZE.1), 70) };
    let parts: Vec<_> = std::iter::once(first).chain((0..8).map(|step| blob(4 + 5 * step, step))).collect();
    let input = apng(&parts, 0, 9, None);
    let bytes = smaller(&input);
    assert!(viewed(&bytes) == timeline(shown(SIZE, &parts, 1)), "it looks different");
}
