//! Writes a still GIF89a, with at most 256 colors, one of them transparent. It is written as an animation with one
//! frame.

use image::DynamicImage;

use crate::animation::Animation;
use crate::animation::clock::Delay;
use crate::error::Result;
use crate::formats::Encoding;
use crate::formats::gif::animation_encode::encode as encode_gif;
use crate::pixels;
use crate::warning::Warning;

pub(crate) fn encode(
    image: DynamicImage,
    encoding: Encoding,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let image = pixels::rgba8(image);
    let still = Animation { size: image.dimensions(), plays: 1, max_bytes: u64::MAX, has_profile: false };
    encode_gif(still, encoding, &mut |show| show(image.clone(), Delay::NONE), warnings)
}
