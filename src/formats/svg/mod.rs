//! SVG: rasterized as an input, minified as an output.

pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod xml;
