//! JPEG (ITU-T T.81) by mozjpeg-rs: progressive, with trellis quantisation and chroma chosen by quality.

use image::DynamicImage;
use mozjpeg_rs::{Encoder, Preset, Subsampling};

use super::super::pixels;
use crate::error::{Error, ErrorCode, Result};

/// From this quality on, chroma keeps its full resolution: the eye sees the loss before it sees the quantisation.
const FULL_CHROMA_QUALITY: u8 = 90;

pub(super) fn encode(image: DynamicImage, quality: u8, effort: u8) -> Result<Vec<u8>> {
    let preset = match effort {
        0 => Preset::BaselineFastest,
        1 => Preset::BaselineBalanced,
        2..=6 => Preset::ProgressiveBalanced,
        _ => Preset::ProgressiveSmallest,
    };
    let subsampling = if quality >= FULL_CHROMA_QUALITY { Subsampling::S444 } else { Subsampling::S420 };
    let encoder = Encoder::new(preset).quality(quality).subsampling(subsampling).force_baseline(true);
    let (width, height) = (image.width(), image.height());
    let encoded = match image.color().has_color() {
        true => encoder.encode_rgb(&pixels::rgb8(image), width, height),
        false => encoder.encode_gray(&pixels::grey8(image), width, height),
    };
    encoded.map_err(|cause| {
        Error::new(ErrorCode::EncodeFailed, format!("The JPEG could not be written: {cause}."))
    })
}
