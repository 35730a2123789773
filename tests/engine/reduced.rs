//! JPEGs that are decoded at a fraction of their size: the picture is the same, at the same position, as that of a
//! full decode, for every chroma subsampling and scan order.

use filepress::ErrorCode;
use filepress_jpeg::{DecodeOptions, Scans, decode_coefficients, write_coefficients};
use image::imageops::FilterType;
use image::{DynamicImage, GenericImageView, ImageFormat, RgbImage};
use mozjpeg_rs::{Encoder, Preset, Subsampling};
use serde_json::{Value, json};
use ssimulacra2::{Xyb, compute_frame_ssimulacra2};

use super::support::{bytes_of, coded, difference, png, read, run};

const SAMPLINGS: [Subsampling; 4] =
    [Subsampling::S444, Subsampling::S422, Subsampling::S440, Subsampling::S420];

/// Edges in every direction, fine and coarse, and colors that change with them.
fn scene(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (f64::from(x), f64::from(y));
        let rings = ((x - 200.0).hypot(y - 140.0) / 9.0).sin() * 70.0;
        let bars = if ((x + 2.0 * y) as u32 / 61).is_multiple_of(2) { 40.0 } else { -40.0 };
        let level = |share: f64| (128.0 + rings * share + bars).clamp(0.0, 255.0) as u8;
        image::Rgb([level(1.0), level(-0.4), (x * 255.0 / f64::from(width)) as u8])
    })
}

fn jpeg(picture: &RgbImage, sampling: Subsampling, progressive: bool) -> Vec<u8> {
    let (width, height) = picture.dimensions();
    let encoder = Encoder::new(Preset::BaselineBalanced).progressive(progressive);
    encoder.quality(95).subsampling(sampling).encode_rgb(picture, width, height).expect("a JPEG")
}

/// Made smaller by the engine, as pixels.
fn reduced(input: &[u8], resize: Value) -> DynamicImage {
    let output = run(input, json!({ "to": "png", "effort": 0, "resize": resize })).expect("a result");
    read(bytes_of(&output, input), "image/png")
}

/// Made smaller from all pixels that a decoder finds.
fn expected(input: &[u8], width: u32, height: u32) -> DynamicImage {
    read(input, "image/jpeg").resize_exact(width, height, FilterType::Lanczos3)
}

fn score(one: &DynamicImage, other: &DynamicImage) -> f64 {
    let colors = |picture: &DynamicImage| {
        let pixels = picture.to_rgb8();
        let pixels = pixels.pixels().map(|pixel| pixel.0.map(|sample| f32::from(sample) / 255.0)).collect();
        let (width, height) = picture.dimensions();
        let (transfer, primaries) =
            (ssimulacra2::TransferCharacteristic::SRGB, ssimulacra2::ColorPrimaries::BT709);
        let rgb = ssimulacra2::Rgb::new(pixels, width as usize, height as usize, transfer, primaries);
        Xyb::try_from(rgb.expect("as many pixels")).expect("sRGB")
    };
    compute_frame_ssimulacra2(colors(one), colors(other)).expect("pictures of one size")
}

#[test]
fn every_scale_of_every_sampling_shows_the_same_picture() {
    let picture = scene(1003, 701);
    for sampling in SAMPLINGS {
        for progressive in [false, true] {
            let input = jpeg(&picture, sampling, progressive);
            // Decoded at 1, 1/2, 1/4 and 1/8.
            for width in [600, 400, 150, 61] {
                let made = reduced(&input, json!({ "width": width }));
                let expected = expected(&input, width, made.height());
                let name = format!("{sampling:?}, progressive {progressive}, {width} wide");
                let off = difference(&made, &expected);
                assert!(off < 2.0, "{name}: mean difference {off}");
                let score = score(&made, &expected);
                assert!(score > 90.0, "{name}: score {score}");
            }
        }
    }
}

#[test]
fn what_is_cut_off_is_the_same() {
    let input = jpeg(&scene(1003, 701), Subsampling::S420, false);
    for (width, height) in [(300, 100), (100, 280)] {
        let made = reduced(&input, json!({ "width": width, "height": height, "fit": "cover" }));
        let picture = read(&input, "image/jpeg").resize_to_fill(width, height, FilterType::Lanczos3);
        let off = difference(&made, &picture);
        assert!(off < 3.0, "{width} × {height}: mean difference {off}");
    }
}

#[test]
fn one_side_may_need_all_of_its_pixels() {
    let input = jpeg(&scene(1003, 701), Subsampling::S420, false);
    let made = reduced(&input, json!({ "width": 60, "height": 701, "fit": "fill" }));
    let off = difference(&made, &expected(&input, 60, 701));
    assert!(off < 1.0, "as before: mean difference {off}");
}

#[test]
fn shades_of_gray_stay_gray() {
    let picture = DynamicImage::from(scene(640, 480)).to_luma8();
    let encoder = Encoder::new(Preset::BaselineBalanced).quality(95);
    let input = encoder.encode_gray(&picture, 640, 480).expect("a JPEG");
    for width in [200, 90, 33] {
        let made = reduced(&input, json!({ "width": width }));
        assert!(!made.color().has_color());
        let off = difference(&made, &expected(&input, width, made.height()));
        assert!(off < 2.0, "{width}: mean difference {off}");
    }
}

#[test]
fn pictures_of_a_few_pixels_become_smaller_still() {
    for (width, height) in [(16, 16), (17, 9), (9, 40), (40, 1), (1, 40), (8, 8)] {
        let input = jpeg(&scene(width, height), Subsampling::S420, true);
        for divisor in [3, 8, 20] {
            let (to_width, to_height) = ((width / divisor).max(1), (height / divisor).max(1));
            let made = reduced(&input, json!({ "width": to_width, "height": to_height, "fit": "fill" }));
            assert_eq!(made.dimensions(), (to_width, to_height));
        }
    }
}

/// The last column, which is alone in its block, weighs as much as any other.
#[test]
fn the_last_column_of_a_small_picture_weighs_no_more_than_the_others() {
    for width in [17, 33, 65, 129] {
        let picture =
            RgbImage::from_fn(width, 16, |x, _| image::Rgb([if x + 1 == width { 255 } else { 0 }; 3]));
        let input = jpeg(&picture, Subsampling::S444, false);
        let made = reduced(&input, json!({ "width": 1, "height": 1, "fit": "fill" }));
        let off = difference(&made, &expected(&input, 1, 1));
        assert!(off < 2.0, "{width} wide: mean difference {off}");
    }
}

#[test]
fn a_file_that_was_cut_off_is_an_error_at_every_scale() {
    for progressive in [false, true] {
        let input = jpeg(&scene(640, 480), Subsampling::S420, progressive);
        for width in [500, 250, 90, 30] {
            for to in ["png", "jpeg"] {
                let options = json!({ "to": to, "resize": { "width": width } });
                let error = run(&input[..input.len() / 2], options).expect_err("half a file");
                assert_eq!(error.code(), ErrorCode::Corrupt, "progressive {progressive}, {width} wide, {to}");
            }
        }
    }
}

#[test]
fn a_damaged_file_is_an_error_or_a_picture_of_the_asked_size() {
    let (mut shown, mut refused) = (0, 0);
    for (sampling, progressive) in [(Subsampling::S420, false), (Subsampling::S422, true)] {
        let input = jpeg(&scene(330, 250), sampling, progressive);
        for at in (2..input.len()).step_by(input.len() / 150) {
            for flip in [0x01, 0x10, 0xFF] {
                let mut broken = input.clone();
                broken[at] ^= flip;
                // A damaged header may claim another size.
                let options = json!({ "to": "qoi", "resize": { "width": 60, "height": 45, "fit": "fill" } });
                match run(&broken, options) {
                    Ok(output) => {
                        assert_eq!((output.report.width, output.report.height), (60, 45));
                        shown += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(shown > 100 && refused > 20, "{shown} shown, {refused} refused");
}

#[test]
fn less_memory_is_needed_than_for_all_pixels() {
    let input = jpeg(&scene(1600, 1200), Subsampling::S420, false);
    let call = |width: u32| {
        let limits = json!({ "maxMemoryBytes": 1_500_000 + input.len() });
        run(&input, json!({ "to": "png", "resize": { "width": width }, "limits": limits }))
    };
    assert!(call(160).is_ok());
    assert_eq!(call(1000).expect_err("all pixels").code(), ErrorCode::TooMuchMemory);
}

#[test]
fn other_types_are_made_smaller_from_all_pixels() {
    let picture = scene(400, 300);
    let made = reduced(&coded(picture.clone(), ImageFormat::Png), json!({ "width": 40 }));
    let off = difference(&made, &DynamicImage::from(picture).resize_exact(40, 30, FilterType::Lanczos3));
    assert!(off < 1.0, "mean difference {off}");
}

#[test]
fn a_jpeg_in_another_size_is_what_its_pixels_would_be() {
    let picture = scene(403, 301);
    let mut vivid = jpegs(&picture);
    // Luma has fewer samples than chroma: they change places.
    let (mut swapped, _) =
        decode_coefficients(&vivid[6], DecodeOptions::default()).expect("a file that is complete");
    swapped.components.swap(0, 1);
    (swapped.components[0].id, swapped.components[1].id) = (1, 2);
    vivid.push(write_coefficients(swapped, &[], Scans::Sequential).expect("a JPEG"));
    for (resize, chroma) in [
        (json!({ "width": 101, "height": 40, "fit": "fill" }), "444"),
        (json!({ "width": 201, "height": 201, "fit": "cover", "position": "right" }), "444"),
    ] {
        is_what_its_pixels_would_be(&vivid, &resize, chroma);
    }
    // With little chroma, luma of pixels is hardly adjusted to what subsampling leaves of it.
    let pale = RgbImage::from_fn(403, 301, |x, y| {
        let image::Rgb(vivid) = *picture.get_pixel(x, y);
        let gray = 51.0 + f64::from(vivid[0]) * 0.6;
        image::Rgb(vivid.map(|sample| (gray + (f64::from(sample) - 128.0) * 0.1) as u8))
    });
    for (resize, chroma) in [
        (json!({ "width": 333 }), "auto"),
        (json!({ "width": 166 }), "420"),
        (json!({ "width": 37, "height": 20, "fit": "cover" }), "420"),
        (json!({ "width": 500 }), "420"),
    ] {
        is_what_its_pixels_would_be(&jpegs(&pale), &resize, chroma);
    }
}

/// JPEGs of a picture with every sampling, and one in gray.
fn jpegs(picture: &RgbImage) -> Vec<Vec<u8>> {
    let (width, height) = picture.dimensions();
    let mut inputs: Vec<_> = SAMPLINGS
        .iter()
        .flat_map(|sampling| [false, true].map(|progressive| jpeg(picture, *sampling, progressive)))
        .collect();
    let gray = DynamicImage::from(picture.clone()).to_luma8();
    let encoder = Encoder::new(Preset::BaselineBalanced).quality(95);
    inputs.push(encoder.encode_gray(&gray, width, height).expect("a JPEG"));
    inputs
}

fn is_what_its_pixels_would_be(inputs: &[Vec<u8>], resize: &Value, chroma: &str) {
    for (number, input) in inputs.iter().enumerate() {
        let options = json!({ "to": "jpeg", "quality": 95, "chroma": chroma });
        let by_pixels = png(reduced(input, resize.clone()));
        let by_pixels = run(&by_pixels, options.clone()).expect("a JPEG");
        let mut asked = options;
        asked["resize"] = resize.clone();
        let direct = run(input, asked).expect("a JPEG");
        let [direct, by_pixels] =
            [direct, by_pixels].map(|output| read(&output.bytes.expect("a file"), "image/jpeg"));
        let off = difference(&direct, &by_pixels);
        assert!(off < 1.5, "input {number}, {resize}, {chroma}: {off}");
    }
}
