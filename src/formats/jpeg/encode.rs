//! JPEG (ITU-T T.81) by mozjpeg-rs: progressive, with trellis quantization, and chroma subsampling by quality.

use std::borrow::Cow;

use image::{DynamicImage, RgbImage};
use mozjpeg_rs::{Encoder, Preset, Subsampling};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::prepared::PreparedImage;
use crate::pixels;

/// From this quality on, chroma has full resolution: its loss would be visible before that of quantization.
const FULL_CHROMA_QUALITY: u8 = 90;

pub(crate) fn encode(image: DynamicImage, quality: u8, effort: u8) -> Result<Vec<u8>> {
    let encoder = encoder(quality, effort);
    let (width, height) = (image.width(), image.height());
    let encoded = match image.color().has_color() {
        true => encoder.encode_rgb(&pixels::rgb8(image), width, height),
        false => encoder.encode_gray(&pixels::gray8(image), width, height),
    };
    encoded.map_err(failed)
}

/// The coefficients of a picture, for all qualities with the same chroma subsampling.
struct Prepared {
    coefficients: mozjpeg_rs::Prepared,
    subsampling: Subsampling,
}

/// `None` for gray, whose coefficients are quickly computed, and at the lowest efforts, which write coefficients
/// immediately.
pub(crate) fn prepare(
    image: &DynamicImage,
    quality: u8,
    effort: u8,
) -> Result<Option<Box<dyn PreparedImage>>> {
    if !image.color().has_color() || effort == 0 {
        return Ok(None);
    }
    Ok(Some(Box::new(Prepared::new(image, quality, effort)?)))
}

impl Prepared {
    fn new(image: &DynamicImage, quality: u8, effort: u8) -> Result<Self> {
        let samples: Cow<RgbImage> = match image {
            DynamicImage::ImageRgb8(image) => Cow::Borrowed(image),
            other => Cow::Owned(pixels::rgb8(other.clone())),
        };
        let encoder = encoder(quality, effort);
        let coefficients = encoder.prepare_rgb(&samples, image.width(), image.height()).map_err(failed)?;
        Ok(Self { coefficients, subsampling: subsampling(quality) })
    }
}

impl PreparedImage for Prepared {
    fn suits(&self, quality: u8) -> bool {
        self.subsampling == subsampling(quality)
    }

    fn encode(&self, quality: u8, effort: u8) -> Result<Vec<u8>> {
        encoder(quality, effort).encode_prepared(&self.coefficients).map_err(failed)
    }
}

#[inline(never)]
fn encoder(quality: u8, effort: u8) -> Encoder {
    let preset = match effort {
        0 => Preset::BaselineFastest,
        1 => Preset::BaselineBalanced,
        2..=6 => Preset::ProgressiveBalanced,
        _ => Preset::ProgressiveSmallest,
    };
    Encoder::new(preset).quality(quality).subsampling(subsampling(quality)).force_baseline(true)
}

fn subsampling(quality: u8) -> Subsampling {
    if quality >= FULL_CHROMA_QUALITY { Subsampling::S444 } else { Subsampling::S420 }
}

fn failed(cause: mozjpeg_rs::Error) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The JPEG could not be written: {cause}."))
}
