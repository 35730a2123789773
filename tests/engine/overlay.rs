//! The option `overlay`: a picture laid over the output, at its place and upright, whatever way the picture below takes to its encoder.

use filepress::image::{Output, process, variants};
use filepress::job::{self, Job, LocalJob};
use filepress::options::Options;
use filepress::value::Value as Plain;
use filepress::{ErrorCode, Result, media};
use filepress_wire::{MediaType, SNIFF_BYTES};
use image::{DynamicImage, GenericImageView, GrayImage, Luma, Rgba, RgbaImage};
use serde_json::{Value, json};

use super::animation_support::{Part, frames, gif};
use super::geometry::turned_jpeg;
use super::support::{CORE_TYPES, bytes_of, difference, photo, png, read, translucent};

/// The options of a call with an overlay, whose image is a file.
fn options(image: &[u8], overlay: Value, others: Value) -> Result<Options> {
    let Ok(Plain::Object(mut members)) = serde_json::from_value(others) else { panic!("an object") };
    let Ok(Plain::Object(mut overlay)) = serde_json::from_value(overlay) else { panic!("an object") };
    overlay.push(("image".to_owned(), Plain::Bytes(image.to_vec())));
    members.push(("overlay".to_owned(), Plain::Object(overlay)));
    Options::parse(Plain::Object(members))
}

fn job(input: &[u8], options: &Options) -> Result<LocalJob> {
    match job::plan(media::recognize(&input[..input.len().min(SNIFF_BYTES)], None, None)?, options)? {
        Job::Local(job) => Ok(job),
        Job::Remote(_) => panic!("an image was sent to a service"),
    }
}

fn run(input: &[u8], image: &[u8], overlay: Value, others: Value) -> Result<Output> {
    process(input, &job(input, &options(image, overlay, others)?)?, &mut |_| {})
}

/// The picture of a call that writes PNG.
fn laid(input: &[u8], image: &[u8], overlay: Value, mut others: Value) -> DynamicImage {
    others["to"] = json!("png");
    let output = run(input, image, overlay, others).expect("a result");
    assert!(!output.report.kept_original);
    read(bytes_of(&output, input), "image/png")
}

fn opaque(width: u32, height: u32) -> DynamicImage {
    DynamicImage::from(photo(width, height)).to_rgb8().into()
}

/// A logo with opaque, half transparent and clear pixels.
fn logo(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        Rgba([(x * 9) as u8, 200, (y * 11) as u8, [255, 128, 0, 77][((x + y) % 4) as usize]])
    })
}

#[test]
fn an_overlay_lies_at_its_position_within_the_margin() {
    let below = opaque(120, 90);
    let above = DynamicImage::from(image::RgbImage::from_pixel(31, 20, image::Rgb([9, 250, 3])));
    for (position, margin, (left, top)) in [
        (json!(null), json!(null), (44, 35)),
        (json!("center"), json!(7), (44, 35)),
        (json!("top"), json!(null), (44, 0)),
        (json!("left"), json!(5), (5, 35)),
        (json!("right"), json!(5), (84, 35)),
        (json!("bottom"), json!("10%"), (44, 61)),
        (json!("top left"), json!("10%"), (9, 9)),
        (json!("top right"), json!(1), (88, 1)),
        (json!("bottom left"), json!(0), (0, 70)),
        (json!("right bottom"), json!(3), (86, 67)),
    ] {
        let mut expected = below.clone();
        image::imageops::overlay(&mut expected, &above, left, top);
        let overlay = json!({ "position": position, "margin": margin });
        let made = laid(&png(below.clone()), &png(above.clone()), overlay, json!({}));
        assert!(made == expected, "{position}, margin {margin}");
    }
}

#[test]
fn what_is_outside_is_cut_off() {
    let below = opaque(60, 40);
    let above = opaque(200, 150).huerotate(90);
    for (position, margin, (left, top)) in [
        ("top left", 0, (0, 0)),
        ("bottom right", 0, (-140, -110)),
        ("center", 0, (-70, -55)),
        ("bottom", 9, (-70, -119)),
    ] {
        let mut expected = below.clone();
        image::imageops::overlay(&mut expected, &above, left, top);
        let overlay = json!({ "position": position, "margin": margin });
        assert!(laid(&png(below.clone()), &png(above.clone()), overlay, json!({})) == expected, "{position}");
    }
    // Nothing of it is within the edges.
    let beside = json!({ "position": "right", "margin": 300 });
    assert_eq!(laid(&png(below.clone()), &png(above), beside, json!({})), below);
}

#[test]
fn colors_are_mixed_by_alpha_and_opacity() {
    let above = logo(40, 30);
    for below in [DynamicImage::from(opaque(40, 30).to_rgba8()), translucent(40, 30).into()] {
        for opacity in [1.0, 0.5, 0.0] {
            let made =
                laid(&png(below.clone()), &png(above.clone()), json!({ "opacity": opacity }), json!({}));
            for (x, y, pixel) in made.pixels() {
                let (over, under) = (above.get_pixel(x, y).0, below.get_pixel(x, y).0);
                let share = f64::from(over[3]) / 255.0 * opacity;
                let rest = f64::from(under[3]) / 255.0 * (1.0 - share);
                let alpha = share + rest;
                assert!((f64::from(pixel.0[3]) - alpha * 255.0).abs() <= 1.0, "alpha at {x}, {y}");
                // The alphas are whole levels, which tells more of a color the less of it there is.
                let off = if alpha > 0.0 { 1.0 + 2.0 / alpha } else { 255.0 };
                for channel in 0..3 {
                    let expected =
                        (f64::from(over[channel]) * share + f64::from(under[channel]) * rest) / alpha;
                    let is = f64::from(pixel.0[channel]);
                    assert!(alpha == 0.0 || (is - expected).abs() <= off, "{x}, {y}: {is}, not {expected}");
                }
            }
        }
    }
}

#[test]
fn an_overlay_has_the_width_that_is_asked_for() {
    let below = png(opaque(200, 100));
    let above = png(image::RgbImage::from_pixel(80, 40, image::Rgb([255, 0, 255])));
    let drawing: &[u8] = br##"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4" fill="#f0f"/></svg>"##;
    let size = |image: &[u8], width: Value, others: Value| {
        let made = laid(&below, image, json!({ "width": width, "position": "top left" }), others).to_rgb8();
        let like = |x: u32, y: u32| made.get_pixel(x, y).0 == [255, 0, 255];
        (
            (0..made.width()).filter(|&x| like(x, 0)).count(),
            (0..made.height()).filter(|&y| like(0, y)).count(),
        )
    };
    assert_eq!(size(&above, json!(null), json!({})), (80, 40));
    assert_eq!(size(&above, json!(30), json!({})), (30, 15));
    assert_eq!(size(&above, json!("50%"), json!({})), (100, 50));
    assert_eq!(size(&above, json!("20%"), json!({ "resize": { "width": 100 } })), (20, 10));
    assert_eq!(size(drawing, json!("25%"), json!({})), (50, 25));
    assert_eq!(size(drawing, json!("0.1%"), json!({})).0, 1);
}

#[test]
fn both_pictures_are_upright() {
    for value in 1..=8 {
        let (above, upright) = turned_jpeg(value, (48, 32));
        let below = opaque(100, 80);
        let overlay = json!({ "position": "bottom right" });
        let mut expected = below.clone();
        let (left, top) = (100 - i64::from(upright.width()), 80 - i64::from(upright.height()));
        image::imageops::overlay(&mut expected, &upright, left, top);
        assert!(
            laid(&png(below), &above, overlay.clone(), json!({})) == expected,
            "an overlay of orientation {value}"
        );

        let (below, upright) = turned_jpeg(value, (90, 60));
        let above = logo(20, 10);
        let others = json!({ "crop": { "x": 3, "y": 5, "width": 50, "height": 45 }, "rotate": 90 });
        let expected = laid(
            &png(upright.crop_imm(3, 5, 50, 45).rotate90()),
            &png(above.clone()),
            overlay.clone(),
            json!({}),
        );
        assert!(laid(&below, &png(above), overlay, others) == expected, "a picture of orientation {value}");
    }
}

#[test]
fn a_picture_that_passes_in_bands_has_the_bytes_of_one_that_does_not() {
    let (input, upright) = turned_jpeg(1, (333, 222));
    let gray = GrayImage::from_fn(60, 33, |x, y| Luma([(x * 4 + y) as u8]));
    for image in [png(logo(60, 33)), png(gray)] {
        for to in ["jpeg", "webp"] {
            let overlay = json!({ "position": "bottom", "margin": 8, "opacity": 0.7 });
            let others = json!({ "to": to, "quality": 70 });
            let banded = run(&input, &image, overlay.clone(), others.clone()).expect("a result");
            let whole = run(&png(upright.clone()), &image, overlay, others).expect("a result");
            assert!(banded.bytes.is_some() && banded.bytes == whole.bytes, "{to}");
        }
    }
}

#[test]
fn variants_have_the_bytes_of_a_call_for_each() {
    let (input, _) = turned_jpeg(6, (600, 400));
    let logo = png(logo(64, 32));
    let jobs: Vec<LocalJob> = [
        (
            json!({ "width": "20%", "position": "bottom right" }),
            json!({ "to": "webp", "resize": { "width": 100 } }),
        ),
        (
            json!({ "width": "20%", "position": "bottom right" }),
            json!({ "to": "jpeg", "resize": { "width": 200 } }),
        ),
        (json!({ "width": "20%", "position": "top" }), json!({ "to": "jpeg", "resize": { "width": 200 } })),
        (json!({ "opacity": 0.25 }), json!({ "to": "png", "resize": { "width": 200 } })),
        (json!({}), json!({ "to": "jpeg", "quality": 100 })),
        (json!({}), json!({ "to": "jpeg", "targetSize": 9_000 })),
    ]
    .into_iter()
    .map(|(overlay, others)| job(&input, &options(&logo, overlay, others).expect("valid")).expect("a plan"))
    .collect();
    let mut made = 0;
    variants(&input, &jobs, &mut |_| {}, &mut |index, output| {
        let alone = process(&input, &jobs[index], &mut |_| {}).expect("an output");
        assert!(output == alone, "output {index}");
        made += 1;
    })
    .expect("outputs");
    assert_eq!(made, jobs.len());
}

#[test]
fn gray_becomes_color_only_for_a_colored_overlay() {
    let gray: DynamicImage = GrayImage::from_fn(90, 60, |x, y| Luma([(x + 2 * y) as u8])).into();
    let white = png(RgbaImage::from_fn(20, 20, |x, _| Rgba([255, 255, 255, (x * 12) as u8])));
    for (input, depth) in [(png(gray.clone()), 1), (png(DynamicImage::from(gray.to_luma16())), 2)] {
        let kept = laid(&input, &white, json!({}), json!({})).color();
        assert_eq!((kept.has_color(), kept.bytes_per_pixel()), (false, depth));
        let colored = laid(&input, &png(logo(20, 20)), json!({}), json!({})).color();
        assert_eq!((colored.has_color(), colored.bytes_per_pixel()), (true, 3 * depth));
    }
    let jpeg = super::support::run(&png(gray), json!({ "to": "jpeg" }))
        .expect("a JPEG")
        .bytes
        .expect("another type");
    assert!(!read(&jpeg, "image/jpeg").color().has_color());
    let colored = run(&jpeg, &png(logo(20, 20)), json!({}), json!({ "quality": 90 })).expect("a JPEG");
    let picture = read(bytes_of(&colored, &jpeg), "image/jpeg");
    assert!(picture.color().has_color());
}

#[test]
fn every_format_is_written_with_an_overlay() {
    let input = png(opaque(64, 48));
    let red = png(image::RgbImage::from_pixel(32, 24, image::Rgb([250, 5, 5])));
    let others = ["image/avif", "image/tiff", "image/x-exr", "image/vnd.radiance", "image/vnd.ms-dds"];
    let types: Vec<&str> = CORE_TYPES.into_iter().chain(others).collect();
    for &to in &types {
        let output = run(&input, &red, json!({}), json!({ "to": to, "effort": 1 })).expect(to);
        let back =
            super::support::run_as(bytes_of(&output, &input), Some(to), json!({ "to": "png" })).expect(to);
        let picture = read(bytes_of(&back, bytes_of(&output, &input)), "image/png").to_rgb8();
        let [red, green, blue] = picture.get_pixel(32, 24).0;
        assert!(red > 225 && green < 40 && blue < 40, "{to}: {red}, {green}, {blue}");
    }
    assert_eq!(types.len(), 15);
}

#[test]
fn every_frame_and_every_page_has_the_overlay() {
    let parts: Vec<Part> = (0..3)
        .map(|step| Part::new((0, 0), RgbaImage::from_pixel(40, 30, Rgba([60 * step, 90, 200, 255])), 6))
        .collect();
    let input = gif((40, 30), &parts, Some(0));
    let red = png(image::RgbImage::from_pixel(10, 10, image::Rgb([250, 5, 5])));
    for to in ["gif", "webp"] {
        let others = json!({ "to": to, "resize": { "width": 80 } });
        let output = run(&input, &red, json!({ "position": "top left" }), others).expect(to);
        let made = frames(bytes_of(&output, &input));
        assert_eq!(made.len(), 3, "{to}");
        for (frame, _) in made {
            let ([r, g, b, _], [.., beside, _]) = (frame.get_pixel(4, 4).0, frame.get_pixel(30, 30).0);
            assert!(r > 220 && g < 40 && b < 40 && beside > 150, "{to}: {r}, {g}, {b}; {beside}");
        }
    }
    let (tiff, originals) = super::tiff::document();
    let overlay = json!({ "position": "bottom right", "width": "50%" });
    let output = run(&tiff, &red, overlay, json!({ "metadata": "strip" })).expect("a TIFF");
    let pages = super::tiff::pages(bytes_of(&output, &tiff));
    assert_eq!(pages.len(), 3);
    for (page, original) in pages.iter().zip(&originals) {
        assert_eq!(page.dimensions(), original.dimensions());
        let (width, height) = page.dimensions();
        assert_eq!(page.get_pixel(width - 1, height - 1).0, [250, 5, 5, 255]);
        assert_eq!(page.get_pixel(width / 2 - 1, 0), original.get_pixel(width / 2 - 1, 0));
    }
}

#[test]
fn the_original_never_replaces_a_picture_with_an_overlay() {
    let (input, _) = turned_jpeg(1, (64, 48));
    let clear = png(RgbaImage::new(8, 8));
    for others in [json!({}), json!({ "targetSize": 900_000 }), json!({ "quality": 100, "metadata": "keep" })]
    {
        let output = run(&input, &clear, json!({}), others).expect("a JPEG");
        assert!(!output.report.kept_original && output.bytes.is_some());
    }
    let refused = run(&input, &clear, json!({}), json!({ "lossless": true })).expect_err("a refusal");
    assert_eq!(refused.code(), ErrorCode::LosslessUnsupported);
    let drawing =
        br##"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><path d="M0 0h9"/></svg>"##;
    let ignored = run(drawing, &clear, json!({}), json!({})).expect("an SVG");
    assert!(ignored.report.warnings.iter().any(|warning| warning.code == "option_ignored"));
}

#[test]
fn an_overlay_that_cannot_be_read_is_named_in_the_error() {
    let input = png(opaque(30, 20));
    let good = png(logo(9, 9));
    let limits = json!({ "limits": { "maxPixels": 700 } });
    for (image, others, code) in [
        (Vec::new(), json!({}), ErrorCode::EmptyInput),
        (b"\x01\x02neither\xFF this \xFEnor that".to_vec(), json!({}), ErrorCode::UnknownType),
        (b"%PDF-1.7\n1 0 obj".to_vec(), json!({}), ErrorCode::UnsupportedType),
        (good[..good.len() / 2].to_vec(), json!({}), ErrorCode::Corrupt),
        (good[..20].to_vec(), json!({}), ErrorCode::Corrupt),
        (png(logo(30, 30)), limits, ErrorCode::TooManyPixels),
    ] {
        let error = run(&input, &image, json!({}), others).expect_err("a refusal");
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(error.details().get("file"), Some(&"overlay".into()), "{error}");
    }
    // The memory of both is one sum.
    let memory = json!({ "limits": { "maxMemoryBytes": 500_000 } });
    assert!(run(&input, &good, json!({}), memory.clone()).is_ok());
    let error = run(&input, &png(logo(400, 400)), json!({}), memory).expect_err("a refusal");
    assert_eq!(error.code(), ErrorCode::TooMuchMemory);
}

#[test]
fn wrong_members_are_refused_with_their_path() {
    let logo = png(logo(4, 4));
    for (overlay, option) in [
        (json!({ "position": "attention" }), "overlay.position"),
        (json!({ "opacity": 1.5 }), "overlay.opacity"),
        (json!({ "opacity": "50%" }), "overlay.opacity"),
        (json!({ "margin": -1 }), "overlay.margin"),
        (json!({ "width": 0 }), "overlay.width"),
        (json!({ "width": "110%" }), "overlay.width"),
    ] {
        let error = options(&logo, overlay, json!({})).expect_err("a refusal");
        assert_eq!(error.code(), ErrorCode::InvalidOption);
        assert_eq!(error.details().get("option"), Some(&option.into()), "{error}");
    }
    let unknown = options(&logo, json!({ "height": 9 }), json!({})).expect_err("a refusal");
    assert_eq!(unknown.code(), ErrorCode::UnknownOption);
    let none = Options::parse(serde_json::from_value(json!({ "overlay": { "opacity": 1 } })).expect("plain"));
    assert_eq!(none.expect_err("a refusal").details().get("option"), Some(&"overlay.image".into()));
}

#[test]
fn the_build_follows_from_the_overlay() {
    let build = |to: &str, image: &[u8]| {
        let options = options(image, json!({}), json!({ "to": to })).expect("valid");
        match job::plan(MediaType::Jpeg, &options).expect("a plan") {
            Job::Local(job) => job.build.as_str(),
            Job::Remote(_) => panic!("an image was sent to a service"),
        }
    };
    let logo = png(logo(4, 4));
    assert_eq!(["jpeg", "webp", "avif"].map(|to| build(to, &logo)), ["core", "core", "full"]);
    assert_eq!(build("jpeg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), "full");
    let options = options(&logo, json!({}), json!({})).expect("valid");
    let error = job::plan(MediaType::Mp4, &options).expect_err("a refusal");
    assert_eq!(
        (error.code(), error.details().get("option")),
        (ErrorCode::InvalidOption, Some(&"overlay".into()))
    );
}

#[test]
fn deep_and_linear_pixels_are_covered_too() {
    let levels = |x: u32, y: u32| image::Rgb([(x * 1601) as u16, (y * 2003) as u16, 777]);
    let deep = DynamicImage::from(image::ImageBuffer::from_fn(40, 30, levels));
    let red = png(image::RgbImage::from_pixel(10, 10, image::Rgb([250, 5, 5])));
    let made = laid(&png(deep.clone()), &red, json!({}), json!({}));
    assert_eq!(made.as_rgb16().expect("16 bits").get_pixel(20, 15).0, [250 * 257, 5 * 257, 5 * 257]);
    let exr = super::support::run(&png(deep), json!({ "to": "exr" })).expect("an EXR");
    let exr = exr.bytes.expect("another type");
    let made = laid(&exr, &red, json!({ "opacity": 0.5 }), json!({}));
    let plain =
        read(bytes_of(&super::support::run(&exr, json!({ "to": "png" })).expect("a PNG"), &exr), "image/png");
    assert!(difference(&made, &plain) > 1.0);
    let pixel = made.to_rgb8().get_pixel(20, 15).0;
    assert!(pixel[0] > 180, "half of the light is red: {pixel:?}");
}
