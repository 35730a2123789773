//! Generated pictures, and a function that runs one call of the engine.

use std::io::Cursor;

use filepress::image::{Output, process};
use filepress::job::{self, Job};
use filepress::options::Options;
use filepress::{Result, media};
use filepress_wire::SNIFF_BYTES;
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use libjpeg_turbo_rs::PixelFormat;
use serde_json::Value;

/// The ten types of the `core` build, each with its MIME type.
pub(super) const CORE_TYPES: [&str; 10] = [
    "image/jpeg",
    "image/png",
    "image/webp",
    "image/gif",
    "image/bmp",
    "image/x-icon",
    "image/x-portable-anymap",
    "image/x-tga",
    "image/qoi",
    "image/x-farbfeld",
];

/// Reads options from JSON.
pub(super) fn options(value: Value) -> Result<Options> {
    Options::parse(serde_json::from_value(value).expect("JSON is plain"))
}

/// Runs a call, recognizing the type by the bytes, then by `declared`.
pub(super) fn run_as(bytes: &[u8], declared: Option<&str>, options: Value) -> Result<Output> {
    let options = self::options(options)?;
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    match job::plan(media::recognize(head, declared, None)?, &options)? {
        Job::Local(job) => process(bytes, &job, &mut |_| {}),
        Job::Remote(_) => panic!("an image was sent to a service"),
    }
}

/// Runs a call on bytes that tell their type.
pub(super) fn run(bytes: &[u8], options: Value) -> Result<Output> {
    run_as(bytes, None, options)
}

/// The bytes of a result, the input's own where it was kept.
pub(super) fn bytes_of<'a>(output: &'a Output, input: &'a [u8]) -> &'a [u8] {
    output.bytes.as_deref().unwrap_or(input)
}

/// A picture with smooth and busy parts; deterministic.
pub(super) fn photo(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let noise = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(97) >> 24;
        let wave = (f64::from(x) / 17.0).sin() * 60.0 + (f64::from(y) / 23.0).cos() * 60.0;
        let red = (128.0 + wave) as u32 + noise / 16;
        Rgba([red.min(255) as u8, (x * 255 / width) as u8, (y * 255 / height) as u8, 255])
    })
}

/// A picture whose left half is clear and whose right half fades in.
pub(super) fn translucent(width: u32, height: u32) -> RgbaImage {
    let mut image = photo(width, height);
    for (x, _, pixel) in image.enumerate_pixels_mut() {
        pixel.0[3] = if x < width / 2 { 0 } else { (x * 255 / width) as u8 };
    }
    image
}

/// Whether some bytes are a part of others.
pub(super) fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Codes pixels as PNG with the `image` crate.
pub(super) fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    coded(image, ImageFormat::Png)
}

/// Checks that a file becomes the same as a PNG of its pixels, whose rows are read one after another: resized, and as it is.
pub(super) fn assert_same_in_bands(file: &[u8], pixels: &DynamicImage) {
    let same = png(pixels.clone());
    let width = (pixels.width() * 3).div_ceil(5);
    for options in [
        serde_json::json!({ "to": "bmp", "resize": { "width": width } }),
        serde_json::json!({ "to": "webp", "resize": { "width": width + 1, "height": 9, "fit": "fill" } }),
        serde_json::json!({ "to": "jpeg", "resize": { "width": width } }),
        serde_json::json!({ "to": "jpeg", "quality": 90 }),
    ] {
        let [ours, other] = [file, &same].map(|input| run(input, options.clone()).expect("a result"));
        assert!(ours.bytes == other.bytes && ours.bytes.is_some(), "{options}");
    }
}

/// Codes pixels with the `image` crate.
pub(super) fn coded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    image.into().write_to(&mut out, format).expect("the reference encoder takes these pixels");
    out.into_inner()
}

/// Reads an image back with the `image` crate, whatever its type.
pub(super) fn read(bytes: &[u8], mime: &str) -> DynamicImage {
    let format = match mime {
        "image/x-tga" => ImageFormat::Tga,
        "image/x-farbfeld" => ImageFormat::Farbfeld,
        "image/qoi" => ImageFormat::Qoi,
        other => ImageFormat::from_mime_type(other).expect("a type with a reference decoder"),
    };
    if format == ImageFormat::Jpeg {
        let jpeg = libjpeg_turbo_rs::decompress(bytes).expect("a JPEG");
        let (width, height) = (jpeg.width as u32, jpeg.height as u32);
        return match jpeg.pixel_format {
            PixelFormat::Grayscale => {
                image::GrayImage::from_raw(width, height, jpeg.data).map(DynamicImage::from)
            }
            _ => image::RgbImage::from_raw(width, height, jpeg.data).map(DynamicImage::from),
        }
        .expect("as many pixels as the header says");
    }
    image::load_from_memory_with_format(bytes, format).expect("a readable image")
}

/// Mean absolute difference of two pictures of one size, in steps of 8 bit, alpha included.
pub(super) fn difference(a: &DynamicImage, b: &DynamicImage) -> f64 {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()), "sizes differ");
    let (a, b) = (a.to_rgba8(), b.to_rgba8());
    let sum: u64 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.as_raw().len() as f64
}
