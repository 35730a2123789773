//! WebP (RFC 9649): lossy (VP8) by filepress-webp, lossless (VP8L) by rusty_webp.

use filepress_webp::{Layout, Picture, Settings};
use image::DynamicImage;
#[cfg(feature = "core")]
use rusty_webp::{ColorType, WebPEncoder};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::Encoding;
use crate::formats::prepared::PreparedImage;
use crate::pixels;

/// Lossy with a quality, otherwise lossless.
pub(crate) fn encode(image: DynamicImage, encoding: Encoding) -> Result<Vec<u8>> {
    match encoding.quality() {
        #[cfg(feature = "core")]
        None => encode_lossless(image),
        _ => encode_lossy(image, settings(encoding)),
    }
}

fn settings(encoding: Encoding) -> Settings {
    Settings { quality: encoding.quality().unwrap_or(100), effort: encoding.effort() }
}

fn encode_lossy(image: DynamicImage, settings: Settings) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    let (samples, layout) = samples(image);
    let picture = Picture::new(width, height, layout, &samples).map_err(failed)?;
    filepress_webp::encode(&picture, settings).map_err(failed)
}

/// The planes of a picture and their analysis, for every quality.
struct Prepared(filepress_webp::Prepared);

pub(crate) fn prepare(image: &DynamicImage, _: Encoding) -> Result<Option<Box<dyn PreparedImage>>> {
    Ok(Some(Box::new(Prepared::new(image)?)))
}

impl Prepared {
    fn new(image: &DynamicImage) -> Result<Self> {
        let (width, height) = (image.width(), image.height());
        let of = |samples: &[u8], layout| {
            let picture = Picture::new(width, height, layout, samples).map_err(failed)?;
            Ok(Self(filepress_webp::Prepared::new(&picture)))
        };
        match image {
            DynamicImage::ImageRgb8(image) => of(image, Layout::Rgb),
            #[cfg(feature = "core")]
            DynamicImage::ImageRgba8(image) => of(image, Layout::Rgba),
            other => {
                let (samples, layout) = samples(other.clone());
                of(&samples, layout)
            }
        }
    }
}

impl PreparedImage for Prepared {
    fn suits(&self, _: Encoding) -> bool {
        true
    }

    fn encode(&self, encoding: Encoding) -> Result<Vec<u8>> {
        self.0.encode(settings(encoding)).map_err(failed)
    }
}

fn samples(image: DynamicImage) -> (Vec<u8>, Layout) {
    match image.color().has_alpha() {
        #[cfg(feature = "core")]
        true => (pixels::rgba8(image).into_raw(), Layout::Rgba),
        _ => (pixels::rgb8(image).into_raw(), Layout::Rgb),
    }
}

#[cfg(feature = "core")]
fn encode_lossless(image: DynamicImage) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    let (data, color) = match (image.color().has_color(), image.color().has_alpha()) {
        (true, true) => (pixels::rgba8(image).into_raw(), ColorType::Rgba8),
        (true, false) => (pixels::rgb8(image).into_raw(), ColorType::Rgb8),
        (false, true) => (pixels::gray_alpha8(image).into_raw(), ColorType::La8),
        (false, false) => (pixels::gray8(image).into_raw(), ColorType::L8),
    };
    let mut out = Vec::new();
    WebPEncoder::new(&mut out).encode(&data, width, height, color).map_err(failed)?;
    Ok(out)
}

fn failed(cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The WebP could not be written: {cause}."))
}
