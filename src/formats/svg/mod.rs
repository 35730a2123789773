//! SVG: rasterized as an input, minified as an output.

#[cfg(feature = "full")]
pub(crate) mod decode;
#[cfg(feature = "full")]
pub(crate) mod encode;
#[cfg(feature = "full")]
pub(crate) mod xml;

use filepress_wire::MediaType;

#[cfg(feature = "full")]
use crate::formats::Codec;
use crate::formats::{Build, Format, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format =
    Format::lossless(MediaType::Svg, Build::Full, Traits::ALPHA.and(Traits::VECTOR));

/// What this build can do with the format.
#[cfg(feature = "full")]
pub(crate) const CODEC: Codec = Codec {
    header: Some(decode::header),
    draw: Some(decode::draw),
    rewrite: Some(encode::rewrite),
    ..Codec::NONE
};
