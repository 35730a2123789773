//! JPEG (ITU-T T.81) by filepress-jpeg: progressive, with trellis quantization, and chroma subsampling by quality.

use filepress_jpeg::{self as jpeg, Color, Preparer, Sampling, Settings};
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::prepared::PreparedImage;
use crate::pixels;

/// From this quality on, chroma has full resolution: its loss would be visible before that of quantization.
const FULL_CHROMA_QUALITY: u8 = 90;

pub(crate) fn encode(image: DynamicImage, quality: u8, effort: u8) -> Result<Vec<u8>> {
    let image = narrowed(image);
    let coefficients = coefficients(&image, quality)?;
    // Choosing coefficients takes memory of its own.
    drop(image);
    coefficients.into_file(&settings(quality, effort)).map_err(failed)
}

/// The coefficients of a picture, for all qualities with the same chroma subsampling.
struct Prepared {
    coefficients: jpeg::Prepared,
    sampling: Sampling,
}

pub(crate) fn prepare(
    image: &DynamicImage,
    quality: u8,
    _effort: u8,
) -> Result<Option<Box<dyn PreparedImage>>> {
    let coefficients = match image {
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageLuma8(_) => coefficients(image, quality)?,
        other => coefficients(&narrowed(other.clone()), quality)?,
    };
    Ok(Some(Box::new(Prepared { coefficients, sampling: sampling(quality) })))
}

impl PreparedImage for Prepared {
    fn suits(&self, quality: u8) -> bool {
        self.sampling == sampling(quality)
    }

    fn encode(&self, quality: u8, effort: u8) -> Result<Vec<u8>> {
        self.coefficients.encode(&settings(quality, effort)).map_err(failed)
    }
}

/// 8 bits per sample, of color or gray.
fn narrowed(image: DynamicImage) -> DynamicImage {
    match image.color().has_color() {
        true => pixels::rgb8(image).into(),
        false => pixels::gray8(image).into(),
    }
}

/// Of a picture that is [`narrowed`].
fn coefficients(image: &DynamicImage, quality: u8) -> Result<jpeg::Prepared> {
    let (width, height) = (image.width(), image.height());
    let color = if image.color().has_color() { Color::Rgb } else { Color::Gray };
    let side = |side: u32| u16::try_from(side).map_err(|_| jpeg::Error::Argument("a side is too long"));
    let prepared = || {
        let mut preparer = Preparer::new(side(width)?, side(height)?, color, sampling(quality))?;
        preparer.push_rows(image.as_bytes())?;
        preparer.finish()
    };
    prepared().map_err(failed)
}

/// By effort: 0 rounds coefficients, 1 chooses them by their cost, 2 and more also use several scans.
fn settings(quality: u8, effort: u8) -> Settings {
    Settings { quality: quality.into(), progressive: effort > 1, trellis: effort > 0 }
}

fn sampling(quality: u8) -> Sampling {
    if quality >= FULL_CHROMA_QUALITY { Sampling::S444 } else { Sampling::S420 }
}

fn failed(cause: jpeg::Error) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The JPEG could not be written: {cause}."))
}
