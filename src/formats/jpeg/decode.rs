//! JPEG (ITU-T T.81) by zune-jpeg.
//!
//! Headers are read leniently, because cameras deviate from the standard; the entropy-coded data strictly, so that a
//! truncated file is an error instead of a half-gray picture.

use std::borrow::Cow;

use image::{DynamicImage, GrayImage, RgbImage};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use crate::error::{Error, Result};
use crate::formats::decode::{ColorModel, Header};
use crate::formats::jpeg::metadata;
use crate::metadata::Metadata;
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;

type Decoder<'a> = JpegDecoder<ZCursor<&'a [u8]>>;

/// The maximum number of scans of a progressive file. Each needs a pass over the whole image.
const MAX_SCANS: usize = 100;
const NAME: &str = "JPEG";

pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let bytes = &readable(bytes);
    let decoder = open(bytes)?;
    let info = decoder.info().ok_or_else(|| Error::corrupt(NAME, "it has no frame header"))?;
    let model = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => ColorModel::Gray,
        Some(ColorSpace::CMYK | ColorSpace::YCCK) => ColorModel::Cmyk,
        Some(ColorSpace::RGB) => ColorModel::Rgb,
        _ => ColorModel::Ycbcr,
    };
    if info.width == 0 || info.height == 0 {
        return Err(Error::corrupt(NAME, "it has no pixels"));
    }
    let (bytes_per_pixel, inks) = match model {
        ColorModel::Gray => (1, 0),
        ColorModel::Cmyk => (3, 4),
        _ => (3, 0),
    };
    Ok(Header {
        width: u32::from(info.width),
        height: u32::from(info.height),
        frames: 1,
        scalable: false,
        reducible: [2, 4, 8].into_iter().all(|reduction| decoder.can_scale(reduction)),
        has_alpha: false,
        color_model: model,
        bit_depth: 8,
        bytes_per_pixel,
        // Progressive: 16-bit coefficients in memory until the last scan. Baseline: a few rows.
        decoder_bytes_per_pixel: inks
            + if decoder.keeps_coefficients() { 2 * bytes_per_pixel.max(inks) } else { 0 },
    })
}

/// The picture at 1/`reduction` of its size, each side rounded up. 2, 4 or 8 if the header is reducible, otherwise 1.
pub(crate) fn pixels(bytes: &[u8], reduction: u32) -> Result<DynamicImage> {
    let bytes = &readable(bytes);
    let mut decoder = open(bytes)?;
    if reduction > 1 {
        decoder.set_scale(reduction as usize).map_err(|cause| corrupt(&cause))?;
    }
    let gray = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let out = if gray { ColorSpace::Luma } else { ColorSpace::RGB };
    let (width, height, samples) = decode(&mut decoder, out)?;
    match gray {
        true => GrayImage::from_raw(width, height, samples).map(DynamicImage::ImageLuma8),
        false => RgbImage::from_raw(width, height, samples).map(DynamicImage::ImageRgb8),
    }
    .ok_or_else(|| Error::corrupt(NAME, "its size is not what its header says"))
}

/// The CMYK samples of a picture whose model is [`ColorModel::Cmyk`].
///
/// They are stored inverted, as Adobe does, with or without an Adobe marker: writers that set no marker follow Adobe
/// too, and browsers assume it.
#[cfg(feature = "full")]
pub(crate) fn cmyk(bytes: &[u8]) -> Result<Cmyk> {
    let bytes = &readable(bytes);
    let mut decoder = open(bytes)?;
    let stored = decoder.input_colorspace().unwrap_or(ColorSpace::CMYK);
    let (width, height, mut samples) = decode(&mut decoder, stored)?;
    for pixel in samples.as_chunks_mut::<4>().0 {
        if stored == ColorSpace::YCCK {
            *pixel = ycck_to_cmyk(*pixel);
        }
        *pixel = pixel.map(|rest| !rest);
    }
    Ok(Cmyk { width, height, samples })
}

/// Luma and chroma are those of inverted CMY (Adobe Technical Note 5116, section 18), by the equations of JFIF in
/// integers.
#[cfg(feature = "full")]
fn ycck_to_cmyk([luma, blue, red, black]: [u8; 4]) -> [u8; 4] {
    let (luma, blue, red) = (i32::from(luma), i32::from(blue) - 128, i32::from(red) - 128);
    let channel = |chroma: i32| (luma + ((chroma + (1 << 15)) >> 16)).clamp(0, 255) as u8;
    let [r, g, b] = [91_881 * red, -22_554 * blue - 46_802 * red, 116_130 * blue].map(channel);
    [!r, !g, !b, black]
}

/// Width, height and samples of the whole picture.
fn decode(decoder: &mut Decoder, out: ColorSpace) -> Result<(u32, u32, Vec<u8>)> {
    let (width, height) = decoder.scaled_size();
    decoder.set_options(options().jpeg_set_out_colorspace(out).set_strict_mode(true));
    let size = decoder.output_buffer_size().ok_or_else(|| Error::corrupt(NAME, "its size is unknown"))?;
    let mut samples = vec![0; size];
    decoder.decode_into(&mut samples).map_err(|cause| corrupt(&cause))?;
    Ok((width as u32, height as u32, samples))
}

/// The file, or if the decoder fails on its metadata, the file without metadata.
fn readable(bytes: &[u8]) -> Cow<'_, [u8]> {
    let stripped = match open(bytes) {
        Ok(_) => None,
        Err(_) => metadata::write(bytes, &Metadata::default()),
    };
    stripped.map_or(Cow::Borrowed(bytes), Cow::Owned)
}

fn open(bytes: &[u8]) -> Result<Decoder<'_>> {
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options());
    decoder.decode_headers().map_err(|cause| corrupt(&cause))?;
    Ok(decoder)
}

fn corrupt(cause: &DecodeErrors) -> Error {
    match cause {
        DecodeErrors::IoErrors(_) | DecodeErrors::ExhaustedData => Error::corrupt(NAME, "it ends too soon"),
        other => Error::corrupt(NAME, other),
    }
}

pub(crate) fn options() -> DecoderOptions {
    // Without intrinsics, which round differently from the portable code that WebAssembly uses.
    DecoderOptions::new_safe()
        .set_strict_mode(false)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_max_scans(MAX_SCANS)
}
