//! Encodes pixels, without metadata.

use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{Encoding, codec_of};
use crate::warning::Warning;

/// Encodes upright pixels of a kind that the format can store. With `has_profile`, gray stays gray and color stays
/// color, because a profile for one is wrong for the other.
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
