//! `fit: "contain"`: exactly the size that is asked for, the picture at its position, and the background beside it.

use filepress::image::{Output, inspect};
use filepress_wire::MediaType;
use image::codecs::png::PngEncoder;
use image::{
    DynamicImage, GenericImageView, ImageBuffer, ImageEncoder, Luma, LumaA, Rgb, RgbImage, Rgba, RgbaImage,
};
use moxcms::ColorProfile;
use serde_json::{Value, json};

use super::animation_support::{Dice, Part, frames, gif, webp};
use super::geometry::turned_jpeg;
use super::support::{bytes_of, difference, photo, png, read, run, translucent};
use super::tiff::{document, pages};

const CLEAR: [u8; 4] = [0; 4];
const BLUE: [u8; 4] = [0x33, 0x66, 0x99, 0xFF];

fn contain(width: u32, height: u32, position: Option<&str>) -> Value {
    json!({ "width": width, "height": height, "fit": "contain", "position": position })
}

fn made(input: &[u8], options: Value) -> DynamicImage {
    let output = run(input, options).expect("a result");
    let picture = read(bytes_of(&output, input), output.report.media.as_str());
    assert_eq!(picture.dimensions(), (output.report.width, output.report.height));
    picture
}

/// A picture in the middle of a color, or elsewhere.
fn framed(inner: &DynamicImage, size: (u32, u32), at: (u32, u32), color: [u8; 4]) -> DynamicImage {
    let mut out = RgbaImage::from_pixel(size.0, size.1, Rgba(color));
    image::imageops::replace(&mut out, &inner.to_rgba8(), at.0.into(), at.1.into());
    out.into()
}

fn warns(output: &Output, code: &str) -> bool {
    output.report.warnings.iter().any(|warning| warning.code == code)
}

#[test]
fn the_picture_lies_where_the_position_names_with_the_pixels_of_inside() {
    let (wide, tall) = (png(photo(300, 201)), png(photo(90, 200)));
    for (position, wide_at, tall_at) in [
        (None, (0, 16), (27, 0)),
        (Some("center"), (0, 16), (27, 0)),
        (Some("top"), (0, 0), (27, 0)),
        (Some("bottom"), (0, 33), (27, 0)),
        (Some("left"), (0, 16), (0, 0)),
        (Some("right bottom"), (0, 33), (55, 0)),
        (Some("top left"), (0, 0), (0, 0)),
    ] {
        for (input, at) in [(&wide, wide_at), (&tall, tall_at)] {
            let inside = made(
                input,
                json!({ "to": "png", "resize": { "width": 100, "height": 100, "fit": "inside" } }),
            );
            for (background, color) in [(None, CLEAR), (Some("#369"), BLUE)] {
                let resize = contain(100, 100, position);
                let options = json!({ "to": "png", "resize": resize, "background": background });
                let expected = framed(&inside, (100, 100), at, color);
                assert!(
                    made(input, options).to_rgba8() == expected.to_rgba8(),
                    "{position:?} {background:?}"
                );
            }
        }
    }
}

#[test]
fn a_position_is_one_of_the_picture_as_it_is_shown() {
    for value in 1..=8 {
        let (input, upright) = turned_jpeg(value, (61, 37));
        for (rotate, flip) in [(0, None), (90, None), (270, Some("horizontal")), (180, Some("vertical"))] {
            let options = json!({ "to": "png", "rotate": rotate, "flip": flip, "background": "#369" });
            let shown = made(&input, options.clone());
            let (width, height) = shown.dimensions();
            let mut padded = options;
            padded["resize"] = contain(width + 9, height, Some("bottom right"));
            let expected = framed(&shown, (width + 9, height), (9, 0), BLUE);
            assert!(made(&input, padded).to_rgba8() == expected.to_rgba8(), "{value}, {rotate}°, {flip:?}");
        }
        let crop = json!({ "x": 1, "y": 2, "width": 30, "height": 30 });
        let options = json!({ "to": "png", "crop": crop, "resize": contain(30, 40, Some("top")) });
        let expected = framed(&upright.crop_imm(1, 2, 30, 30), (30, 40), (0, 0), CLEAR);
        assert!(made(&input, options).to_rgba8() == expected.to_rgba8(), "orientation {value}, a part");
    }
}

#[test]
fn only_what_has_another_shape_is_padded() {
    let input = png(photo(300, 200));
    let bytes = |resize: Value| run(&input, json!({ "to": "png", "resize": resize })).expect("a PNG").bytes;
    assert_eq!(bytes(contain(150, 100, None)), bytes(json!({ "width": 150, "height": 100 })));
    let one_side = json!({ "width": 90, "fit": "contain" });
    assert_eq!(bytes(one_side), bytes(json!({ "width": 90 })));
    // An upper bound shrinks the box, and the picture with it.
    let mut bounded = contain(200, 200, Some("top"));
    bounded["maxHeight"] = json!(100);
    assert_eq!(bytes(bounded), bytes(contain(100, 100, Some("top"))));
    let same_size = run(&input, json!({ "resize": contain(300, 201, None) })).expect("a PNG");
    assert!(!same_size.report.kept_original);
    let icon = run(&input, json!({ "to": "ico", "resize": contain(400, 400, None) })).expect("an icon");
    assert_eq!((icon.report.width, icon.report.height), (256, 256));
    assert!(warns(&icon, "resized_to_fit"));
    let narrow = made(&png(photo(2000, 1)), json!({ "to": "png", "resize": contain(10, 10, None) }));
    assert_eq!(narrow.to_rgba8().pixels().filter(|pixel| pixel.0[3] == 255).count(), 10);
}

#[test]
fn padding_is_transparent_where_the_type_can_be_and_nothing_else_is_asked() {
    let input = png(photo(60, 40));
    for (to, expected) in [
        ("png", CLEAR),
        ("webp", CLEAR),
        ("gif", CLEAR),
        ("ico", CLEAR),
        ("tga", CLEAR),
        ("qoi", CLEAR),
        ("farbfeld", CLEAR),
        ("tiff", CLEAR),
        ("jpeg", [255; 4]),
        ("ppm", [255; 4]),
        ("bmp", CLEAR),
    ] {
        for (background, expected) in [(None, expected), (Some("#369"), BLUE)] {
            let options = json!({ "to": to, "quality": 100, "resize": contain(60, 60, None), "background": background });
            let output = run(&input, options).expect("a result");
            assert!(!warns(&output, "alpha_flattened"), "{to}: nothing transparent was there");
            let bytes = bytes_of(&output, &input);
            let picture = match to {
                "ico" | "tiff" => made(bytes, json!({ "to": "png" })),
                _ => read(bytes, output.report.media.as_str()),
            };
            let picture = picture.to_rgba8();
            for (x, y) in [(0, 0), (59, 0), (31, 3), (0, 59), (59, 59)] {
                let found = picture.get_pixel(x, y).0;
                let off = found.iter().zip(expected).map(|(a, b)| a.abs_diff(b)).max();
                assert!(off <= Some(4), "{to} on {background:?}: {found:?}, not {expected:?}");
            }
            assert_eq!(picture.get_pixel(30, 30).0[3], 255, "{to}");
        }
    }
}

#[test]
fn transparent_pixels_and_the_padding_have_one_background() {
    let input = png(translucent(60, 40));
    let output = run(&input, json!({ "to": "ppm", "resize": contain(60, 60, None), "background": "#369" }));
    let output = output.expect("a PPM");
    assert!(warns(&output, "alpha_flattened"));
    let picture = read(bytes_of(&output, &input), "image/x-portable-anymap").to_rgba8();
    assert_eq!([picture.get_pixel(5, 2).0, picture.get_pixel(5, 30).0], [BLUE, BLUE]);
    let kept = made(&input, json!({ "resize": contain(60, 60, None), "background": "#369" })).to_rgba8();
    assert_eq!(
        [kept.get_pixel(5, 2).0, kept.get_pixel(5, 30).0[3..].repeat(4)[..4].try_into().expect("4")],
        [BLUE, [0; 4]]
    );
}

#[test]
fn deep_pixels_stay_deep_and_gray_stays_gray_if_the_color_allows() {
    let gray = ImageBuffer::from_fn(40, 20, |x, y| Luma([(x * 1_601 + y) as u16]));
    let soft = ImageBuffer::from_fn(40, 20, |x, y| LumaA([(x * 1_601 + y) as u16, (y * 3_001 + 5) as u16]));
    let color =
        ImageBuffer::from_fn(40, 20, |x, y| Rgb([(x * 1_601 + y) as u16, (y * 3_001) as u16, 0x1234]));
    let pictures =
        [DynamicImage::from(gray), soft.into(), color.into()].map(|picture| (png(picture.clone()), picture));
    for (input, picture) in pictures {
        for background in [None, Some("#777"), Some("#123456")] {
            let options =
                json!({ "to": "png", "resize": contain(40, 30, Some("bottom")), "background": background });
            let found = made(&input, options);
            let [red, green, blue] = match background {
                Some("#777") => [0x77; 3],
                Some(_) => [0x12, 0x34, 0x56],
                None => [0; 3],
            };
            let alpha = if background.is_some() { 65_535 } else { 0 };
            let [red, green, blue] = [red, green, blue].map(|level: u16| level * 257);
            assert_eq!(found.to_rgba16().get_pixel(7, 3).0, [red, green, blue, alpha]);
            let inner = found.crop_imm(0, 10, 40, 20).to_rgba16();
            assert!(inner == picture.to_rgba16(), "{:?} on {background:?}", picture.color());
            let kind = found.color();
            assert_eq!(kind.bytes_per_pixel() / kind.channel_count(), 2);
            let is_colored = picture.color().has_color() || background == Some("#123456");
            assert_eq!(kind.has_color(), is_colored, "{:?} on {background:?}", picture.color());
        }
    }
}

#[test]
fn a_profile_stays_unless_it_is_gray_and_the_padding_colored() {
    let coded = |picture: DynamicImage, profile: ColorProfile| {
        let mut out = Vec::new();
        let mut encoder = PngEncoder::new(&mut out);
        encoder.set_icc_profile(profile.encode().expect("a profile")).expect("PNG carries profiles");
        picture.write_with_encoder(encoder).expect("a PNG");
        out
    };
    let gray = coded(
        image::GrayImage::from_fn(40, 20, |x, _| Luma([(x * 6) as u8])).into(),
        ColorProfile::new_gray_with_gamma(1.8),
    );
    let wide = coded(DynamicImage::from(photo(40, 20)).to_rgb8().into(), ColorProfile::new_display_p3());
    for (input, background, color_space, keeps) in [
        (&gray, None, "gray", true),
        (&gray, Some("#777"), "gray", true),
        (&gray, Some("#369"), "rgb", false),
        (&wide, None, "rgb", true),
        (&wide, Some("#369"), "rgb", true),
    ] {
        for to in ["png", "jpeg", "tiff"] {
            let options = json!({ "to": to,  "resize": contain(40, 40, None), "background": background });
            let output = run(input, options).expect("a result");
            let media = MediaType::from_extension(to).expect("a type");
            let found = inspect(bytes_of(&output, input), media, &Default::default()).expect("readable");
            assert_eq!(found.has_icc_profile, keeps, "{color_space} as {to} on {background:?}");
            assert_eq!(warns(&output, "color_converted"), !keeps);
            if color_space == "gray" {
                assert_eq!(found.color_space, "gray", "{to} on {background:?}");
            }
        }
    }
}

#[test]
fn every_frame_of_an_animation_is_padded() {
    let parts: Vec<Part> =
        (0..3).map(|step| Part::new((step, 0), Dice::seeded(step).picture(20, 16, false), 6)).collect();
    for input in [gif((24, 16), &parts, Some(0)), webp((24, 16), &parts, 0)] {
        for (to, background, color) in [
            ("webp", None, CLEAR),
            ("webp", Some("#369"), BLUE),
            ("gif", None, CLEAR),
            ("gif", Some("#369"), BLUE),
        ] {
            let lossless = (to == "webp").then_some(true);
            let options = json!({ "to": to, "resize": contain(24, 24, Some("top")), "background": background, "lossless": lossless });
            let output = run(&input, options).expect("an animation");
            let made = frames(bytes_of(&output, &input));
            let before = frames(&input);
            assert_eq!(made.len(), before.len(), "{to}");
            for ((made, _), (before, _)) in made.iter().zip(&before) {
                assert_eq!(made.dimensions(), (24, 24));
                for (x, y) in [(0, 16), (23, 16), (11, 20), (23, 23)] {
                    let found = made.get_pixel(x, y).0;
                    let is_clear = found[3] == 0 && color[3] == 0;
                    assert!(is_clear || found == color, "{to} on {background:?}: {found:?}");
                }
                let inner = DynamicImage::from(made.clone()).crop_imm(0, 0, 24, 16);
                let off = difference(&inner, &before.clone().into());
                assert!(off < 12.0, "{to}: {off}");
            }
        }
    }
}

#[test]
fn every_page_of_a_document_gets_the_size() {
    let (tiff, originals) = document();
    let options = json!({ "resize": contain(64, 64, None), "background": "#369" });
    let output = run(&tiff, options).expect("a TIFF");
    let made = pages(bytes_of(&output, &tiff));
    assert_eq!(made.len(), 3);
    for (made, page) in made.iter().zip(&originals) {
        let resize = json!({ "width": 64, "height": 64, "fit": "inside" });
        let inside = self::made(&png(page.to_rgb8()), json!({ "to": "png", "resize": resize }));
        let (width, height) = inside.dimensions();
        let expected = framed(&inside, (64, 64), ((64 - width) / 2, (64 - height) / 2), BLUE);
        // A page that is turned is resized as it is stored, which rounds in another order.
        assert!(difference(made, &expected) < 0.02);
    }
}

#[test]
fn a_drawing_is_rendered_into_its_place() {
    let drawing = br##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#00f"/></svg>"##;
    let picture =
        made(drawing, json!({ "to": "png", "rotate": 90, "resize": contain(100, 100, Some("right")) }));
    let [outside, inside] = [picture.get_pixel(49, 50).0, picture.get_pixel(50, 50).0];
    assert_eq!([outside, inside], [CLEAR, [0, 0, 255, 255]]);
    let kept = run(drawing, json!({ "resize": contain(9, 9, None) })).expect("an SVG");
    assert!(warns(&kept, "option_ignored"));
}

#[test]
fn light_is_padded_with_the_light_of_the_background() {
    let input = png(RgbImage::from_pixel(20, 10, Rgb([255, 0, 0])));
    let padded = json!({ "resize": contain(20, 20, None), "background": "#808080" });
    for to in ["hdr", "exr"] {
        let mut options = padded.clone();
        options["to"] = json!(to);
        let light = run(&input, options).expect("light").bytes.expect("another type");
        let shown = made(&light, json!({ "to": "png" })).to_rgb8();
        let (gray, red) = (shown.get_pixel(3, 1).0, shown.get_pixel(3, 10).0);
        assert!(gray.iter().all(|level| level.abs_diff(128) <= 2) && red[0] > 250, "{to}: {gray:?}, {red:?}");
    }
    let exr = run(&input, json!({ "to": "exr" })).expect("light").bytes.expect("another type");
    let options = json!({ "to": "exr", "resize": contain(20, 20, None) });
    let clear = run(&exr, options).expect("light").bytes.expect("another size");
    let shown = made(&clear, json!({ "to": "png" })).to_rgba8();
    assert_eq!([shown.get_pixel(3, 1).0, shown.get_pixel(3, 10).0], [CLEAR, [255, 0, 0, 255]]);
}
