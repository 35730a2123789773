//! JPEG (ITU-T T.81) by zune-jpeg.
//!
//! Headers are read leniently, since cameras take liberties there; the coded image strictly, so that a file that was cut
//! off is an error rather than a picture with a grey half.

use image::{DynamicImage, GrayImage, RgbImage};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::{ColourModel, Header};
use crate::error::{Error, Result};

type Decoder<'a> = JpegDecoder<ZCursor<&'a [u8]>>;

/// Scans of a progressive file that are decoded at most; each costs a pass over the whole image.
const MAX_SCANS: usize = 100;
const NAME: &str = "JPEG";

pub(super) fn header(bytes: &[u8]) -> Result<Header> {
    let decoder = open(bytes)?;
    let info = decoder.info().ok_or_else(|| Error::corrupt(NAME, "it has no frame header"))?;
    let model = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => ColourModel::Grey,
        Some(ColorSpace::CMYK | ColorSpace::YCCK) => ColourModel::Cmyk,
        Some(ColorSpace::RGB) => ColourModel::Rgb,
        _ => ColourModel::Ycbcr,
    };
    if info.width == 0 || info.height == 0 {
        return Err(Error::corrupt(NAME, "it has no pixels"));
    }
    let bytes_per_pixel = if model == ColourModel::Grey { 1 } else { 3 };
    Ok(Header {
        width: u32::from(info.width),
        height: u32::from(info.height),
        frames: 1,
        has_alpha: false,
        colour_model: model,
        bit_depth: 8,
        bytes_per_pixel,
        // The coefficients of a progressive image, 16 bit each, stay until its last scan.
        decoder_bytes_per_pixel: if is_progressive(bytes) { 2 * bytes_per_pixel } else { 1 },
    })
}

pub(super) fn pixels(bytes: &[u8]) -> Result<DynamicImage> {
    let mut decoder = open(bytes)?;
    let info = decoder.info().ok_or_else(|| Error::corrupt(NAME, "it has no frame header"))?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    let grey = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let out = if grey { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(options().jpeg_set_out_colorspace(out).set_strict_mode(true));

    let size = decoder.output_buffer_size().ok_or_else(|| Error::corrupt(NAME, "its size is unknown"))?;
    let mut buffer = vec![0; size];
    decoder.decode_into(&mut buffer).map_err(|cause| corrupt(&cause))?;
    match grey {
        true => GrayImage::from_raw(width, height, buffer).map(DynamicImage::ImageLuma8),
        false => RgbImage::from_raw(width, height, buffer).map(DynamicImage::ImageRgb8),
    }
    .ok_or_else(|| Error::corrupt(NAME, "its size is not what its header says"))
}

fn open(bytes: &[u8]) -> Result<Decoder<'_>> {
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options());
    decoder.decode_headers().map_err(|cause| corrupt(&cause))?;
    Ok(decoder)
}

fn corrupt(cause: &DecodeErrors) -> Error {
    match cause {
        DecodeErrors::IoErrors(_) => Error::corrupt(NAME, "it ends too soon"),
        other => Error::corrupt(NAME, other),
    }
}

fn options() -> DecoderOptions {
    DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_max_scans(MAX_SCANS)
}

/// Looks for the frame header SOF2 or SOF10 among the segments before the first scan.
fn is_progressive(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(&[0xFF, marker, high, low]) =
        bytes.get(at..at + 4).and_then(|m| <&[u8; 4]>::try_from(m).ok())
    {
        match marker {
            0xC2 | 0xCA => return true,
            0xC0 | 0xC1 | 0xC9 | 0xDA => return false,
            0xFF => at += 1,
            _ => at += 2 + usize::from(u16::from_be_bytes([high, low])),
        }
    }
    false
}
