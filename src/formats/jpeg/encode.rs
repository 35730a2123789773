//! JPEG (ITU-T T.81) by filepress-jpeg: progressive, with trellis quantization, and chroma subsampling by quality.

use filepress_jpeg::{self as jpeg, Color, Encoder, Preparer, Sampling, Settings};
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::prepared::PreparedImage;
use crate::formats::rows::RowWriter;
use crate::pixels;

/// From this quality on, chroma has full resolution: its loss would be visible before that of quantization.
const FULL_CHROMA_QUALITY: u8 = 90;

pub(crate) fn encode(image: DynamicImage, quality: u8, effort: u8) -> Result<Vec<u8>> {
    let image = narrowed(image);
    let mut encoder = encoder((image.width(), image.height()), image.color().has_color(), quality, effort)?;
    encoder.push_rows(image.as_bytes()).map_err(failed)?;
    // Choosing coefficients takes memory of its own.
    drop(image);
    encoder.finish().map_err(failed)
}

/// The coefficients of a picture, for all qualities with the same chroma subsampling.
pub(super) struct Prepared {
    pub(super) coefficients: jpeg::Prepared,
    pub(super) sampling: Sampling,
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
    let ((width, height), color) = shape((image.width(), image.height()), image.color().has_color());
    let mut preparer = Preparer::new(width, height, color, sampling(quality)).map_err(failed)?;
    preparer.push_rows(image.as_bytes()).and_then(|()| preparer.finish()).map_err(failed)
}

fn encoder(size: (u32, u32), is_color: bool, quality: u8, effort: u8) -> Result<Encoder> {
    let ((width, height), color) = shape(size, is_color);
    Encoder::new(width, height, color, sampling(quality), &settings(quality, effort)).map_err(failed)
}

/// Width and height, and what pixels consist of. A side that is too long is refused as one of zero is.
fn shape((width, height): (u32, u32), is_color: bool) -> ((u16, u16), Color) {
    let side = |side: u32| u16::try_from(side).unwrap_or(0);
    ((side(width), side(height)), if is_color { Color::Rgb } else { Color::Gray })
}

/// Takes a picture in rows.
pub(crate) fn rows(size: (u32, u32), is_color: bool, quality: u8, effort: u8) -> Result<Box<dyn RowWriter>> {
    Ok(Box::new(Rows(encoder(size, is_color, quality, effort)?)))
}

struct Rows(Encoder);

impl RowWriter for Rows {
    fn push(&mut self, rows: &[u8]) -> Result<()> {
        self.0.push_rows(rows).map_err(failed)
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>> {
        self.0.finish().map_err(failed)
    }
}

/// By effort: 0 rounds coefficients, 1 chooses them by their cost, 2 and more also use several scans.
pub(super) fn settings(quality: u8, effort: u8) -> Settings {
    Settings { quality: quality.into(), progressive: effort > 1, trellis: effort > 0 }
}

pub(super) fn sampling(quality: u8) -> Sampling {
    if quality >= FULL_CHROMA_QUALITY { Sampling::S444 } else { Sampling::S420 }
}

fn failed(cause: jpeg::Error) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The JPEG could not be written: {cause}."))
}
