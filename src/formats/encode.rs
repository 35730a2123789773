//! Pixels to bytes, without metadata.

use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{Encoding, codec_of};
use crate::warning::Warning;

/// Encodes upright pixels of a kind that the output holds. With `has_profile`, gray stays gray and color stays color: a profile for
/// the one says nothing about the other.
pub(crate) fn encode(
    image: DynamicImage,
    encoding: Encoding,
    has_profile: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    match codec_of(encoding.media()).encode {
        Some(encode) => encode(image, encoding, has_profile, warnings),
        None => {
            let message = format!("This build cannot write {}.", encoding.media().name());
            Err(Error::new(ErrorCode::NotInBuild, message))
        }
    }
}
