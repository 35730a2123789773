//! Decodes pictures inside an SVG through the same stages as any other picture, to what the renderer takes.

use filepress_wire::MediaType;
use image::RgbaImage;

use crate::error::Result;
use crate::formats::decode::Header;
use crate::formats::{Traits, decode, metadata};
use crate::image::color_profile::{self, Additions, ProfileAction};
use crate::image::pipeline::{Decoded, Stages};
use crate::limits::Limits;
use crate::pixels;

/// The pixels of a picture whose header has passed the limits, upright and in sRGB. `output` is what the renderer can
/// store.
pub(crate) fn decode(
    data: &[u8],
    media: MediaType,
    header: &Header,
    output: Traits,
    limits: &Limits,
) -> Result<RgbaImage> {
    let metadata = metadata::read(data, media);
    let action = color_profile::profile_action(&metadata, header, output, Additions::NONE);
    if let ProfileAction::ToLight(_) = action {
        limits.check_memory(header.as_light().decoding_bytes())?;
    }
    let stages = Stages {
        profile: (action, metadata.icc.as_deref()),
        orientation: metadata.orientation(),
        output: Some((output, None)),
        ..Stages::KEPT
    };
    let decoded = Decoded::Pixels(decode::pixels(data, media, limits)?);
    Ok(pixels::rgba8(stages.run(decoded, None, &mut Vec::new())?))
}
