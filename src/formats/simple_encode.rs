//! The types whose coding has no settings: PNM, TGA, QOI and farbfeld, each in the smallest form that holds the pixels.

use image::codecs::{farbfeld, qoi, tga};
use image::{DynamicImage, ImageError};

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;

/// Binary PGM for shades of gray, PPM for colors; 16 bit where the pixels are.
pub(crate) fn encode_pnm(image: DynamicImage) -> Vec<u8> {
    let (width, height) = (image.width(), image.height());
    let wide = image.color().bytes_per_pixel() > image.color().channel_count();
    let big_endian = |samples: Vec<u16>| samples.into_iter().flat_map(u16::to_be_bytes).collect();
    let (magic, samples): (_, Vec<u8>) = match (image.color().has_color(), wide) {
        (true, true) => ("P6", big_endian(pixels::rgb16(image).into_raw())),
        (true, false) => ("P6", pixels::rgb8(image).into_raw()),
        (false, true) => ("P5", big_endian(pixels::gray16(image).into_raw())),
        (false, false) => ("P5", pixels::gray8(image).into_raw()),
    };
    let greatest = if wide { "65535" } else { "255" };
    let mut out = format!("{magic}\n{width} {height}\n{greatest}\n").into_bytes();
    out.extend(samples);
    out
}

/// Run-length coded.
pub(crate) fn encode_tga(image: DynamicImage) -> Result<Vec<u8>> {
    let image = pixels::eight_bit(image);
    let mut out = Vec::new();
    image.write_with_encoder(tga::TgaEncoder::new(&mut out)).map_err(failed)?;
    Ok(out)
}

/// RGB where the image is opaque. QOI knows no grays.
pub(crate) fn encode_qoi(image: DynamicImage) -> Result<Vec<u8>> {
    let image = match image.color().has_alpha() {
        true => DynamicImage::ImageRgba8(pixels::rgba8(image)),
        false => DynamicImage::ImageRgb8(pixels::rgb8(image)),
    };
    let mut out = Vec::new();
    image.write_with_encoder(qoi::QoiEncoder::new(&mut out)).map_err(failed)?;
    Ok(out)
}

/// Always four channels of 16 bits: the number of bytes depends on nothing but width and height.
pub(crate) fn encode_farbfeld(image: DynamicImage) -> Result<Vec<u8>> {
    let image = DynamicImage::ImageRgba16(pixels::rgba16(image));
    // As long as it will be: while a buffer grows, it is there twice.
    let mut out = Vec::with_capacity(16 + image.as_bytes().len());
    image.write_with_encoder(farbfeld::FarbfeldEncoder::new(&mut out)).map_err(failed)?;
    Ok(out)
}

fn failed(cause: ImageError) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The image could not be written: {cause}."))
}
