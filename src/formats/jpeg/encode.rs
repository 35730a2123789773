//! JPEG (ITU-T T.81) by filepress-jpeg: progressive, with trellis quantization, and chroma subsampled below a quality or as the caller says.

use filepress_jpeg::{self as jpeg, Color, Encoder, Preparer, Sampling, Settings};
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::Encoding;
use crate::formats::prepared::PreparedImage;
use crate::formats::rows::RowWriter;
use crate::pixels;

pub(crate) fn encode(image: DynamicImage, encoding: Encoding) -> Result<Vec<u8>> {
    let image = narrowed(image);
    let mut encoder = encoder((image.width(), image.height()), image.color().has_color(), encoding)?;
    encoder.push_rows(image.as_bytes()).map_err(failed)?;
    // Choosing coefficients takes memory of its own.
    drop(image);
    encoder.finish().map_err(failed)
}

/// The coefficients of a picture, for all qualities with the same chroma subsampling.
pub(super) struct Prepared {
    coefficients: jpeg::Prepared,
    sampling: Sampling,
    estimator: Option<jpeg::Estimator>,
}

impl Prepared {
    pub(super) fn new(coefficients: jpeg::Prepared, sampling: Sampling) -> Self {
        Self { coefficients, sampling, estimator: None }
    }
}

pub(crate) fn prepare(image: &DynamicImage, encoding: Encoding) -> Result<Option<Box<dyn PreparedImage>>> {
    let sampling = sampling(encoding);
    let coefficients = match image {
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageLuma8(_) => coefficients(image, sampling)?,
        other => coefficients(&narrowed(other.clone()), sampling)?,
    };
    Ok(Some(Box::new(Prepared::new(coefficients, sampling))))
}

impl PreparedImage for Prepared {
    fn suits(&self, encoding: Encoding) -> bool {
        self.sampling == sampling(encoding)
    }

    fn encode(&self, encoding: Encoding) -> Result<Vec<u8>> {
        self.coefficients.encode(&settings(encoding)).map_err(failed)
    }

    fn estimate(&mut self, encoding: Encoding) -> Result<Option<u64>> {
        let estimator = match self.estimator.take() {
            Some(estimator) => estimator,
            None => self.coefficients.estimator().map_err(failed)?,
        };
        // As if the resolution of chroma were the same for all qualities.
        Ok(Some(self.estimator.insert(estimator).bytes(settings(encoding).quality)))
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
fn coefficients(image: &DynamicImage, sampling: Sampling) -> Result<jpeg::Prepared> {
    let ((width, height), color) = shape((image.width(), image.height()), image.color().has_color());
    let mut preparer = Preparer::new(width, height, color, sampling).map_err(failed)?;
    preparer.push_rows(image.as_bytes()).and_then(|()| preparer.finish()).map_err(failed)
}

fn encoder(size: (u32, u32), is_color: bool, encoding: Encoding) -> Result<Encoder> {
    let ((width, height), color) = shape(size, is_color);
    Encoder::new(width, height, color, sampling(encoding), &settings(encoding)).map_err(failed)
}

/// A side in pixels. One that is too long is refused as one of zero is.
pub(super) fn side(pixels: u32) -> u16 {
    u16::try_from(pixels).unwrap_or(0)
}

/// Width and height, and what pixels consist of.
fn shape((width, height): (u32, u32), is_color: bool) -> ((u16, u16), Color) {
    ((side(width), side(height)), if is_color { Color::Rgb } else { Color::Gray })
}

/// Takes a picture in rows.
pub(crate) fn rows(size: (u32, u32), is_color: bool, encoding: Encoding) -> Result<Box<dyn RowWriter>> {
    Ok(Box::new(Rows(encoder(size, is_color, encoding)?)))
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
pub(super) fn settings(encoding: Encoding) -> Settings {
    let effort = encoding.effort();
    Settings {
        quality: encoding.quality().unwrap_or(100).into(),
        progressive: effort > 1,
        trellis: effort > 0,
    }
}

pub(super) fn sampling(encoding: Encoding) -> Sampling {
    if encoding.has_full_chroma() { Sampling::S444 } else { Sampling::S420 }
}

#[cold]
#[inline(never)]
pub(super) fn failed(cause: jpeg::Error) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The JPEG could not be written: {cause}."))
}
