//! Encodes a picture again in other sizes without decoding it to pixels, if its format can and no stage but resizing changes it.

use crate::error::Result;
use crate::formats::coded::{Resampling, ResizeCoded, Resized};
use crate::formats::{Encoding, codec_of};
use crate::image::source::Source;

/// The codec that does that for an output of the source.
pub(crate) fn codec_for(source: &Source<'_>, encoding: Encoding) -> Option<&'static ResizeCoded> {
    let takes_source = source.in_bands
        && source.media == encoding.media()
        && source.overlay.is_none()
        && source.geometry.resizes()
        // What is only cut out is not mixed.
        && source.row_target().interpolates();
    let codec = codec_of(source.media).resize_coded.as_ref()?;
    (takes_source && (codec.takes)(&source.header)).then_some(codec)
}

/// What that codec is told of an output.
pub(crate) fn output_of(source: &Source<'_>, encoding: Encoding) -> (Resampling, Encoding) {
    let reduction = source.geometry.reduction(&source.header);
    let size = (source.header.width.div_ceil(reduction), source.header.height.div_ceil(reduction));
    (source.row_target().resampling(size), encoding)
}

/// Reads the file of a source for outputs of its reduction; with `keeps_pixels`, also to pixels. `begin` is called before the first of their
/// samples are there.
pub(crate) fn prepare(
    (codec, source): (&ResizeCoded, &Source<'_>),
    outputs: &[(Resampling, Encoding)],
    keeps_pixels: bool,
    begin: &mut dyn FnMut(),
) -> Result<Resized> {
    (codec.resize)(source.bytes, source.geometry.reduction(&source.header), outputs, keeps_pixels, begin)
}
