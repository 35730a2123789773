//! Decodes a chunk that is a JPEG (Adobe Photoshop TIFF Technical Notes, "JPEG compression") by zune-jpeg. Samples are
//! not color-converted, because the fields of the page define their meaning.

use zune_core::bytestream::ZCursor;
use zune_jpeg::JpegDecoder;

use crate::error::Result;
use crate::formats::jpeg::decode::options;
use crate::formats::tiff::decode::corrupt;
use crate::formats::tiff::decode::layout::Layout;
use crate::formats::tiff::decode::samples::Samples;
use crate::limits::Limits;

/// Interleaved samples of at least `needed` bytes. `tables` is an abbreviated JPEG with tables only.
pub(crate) fn decode(
    tables: Option<&[u8]>,
    coded: &[u8],
    layout: &Layout,
    needed: usize,
    limits: &Limits,
) -> Result<Vec<u8>> {
    // When joined, the end of the first and the start of the second are omitted.
    let tables = tables.and_then(|tables| tables.get(..tables.len().checked_sub(2)?));
    let whole = match (tables, coded.get(2..)) {
        (Some(tables), Some(rest)) => [tables, rest].concat(),
        _ => coded.to_vec(),
    };
    // A slice, as for JPEG files: another reader type would add a second decoder to the build.
    let mut decoder =
        JpegDecoder::new_with_options(ZCursor::new(&whole[..]), options().set_strict_mode(true));
    decoder.decode_headers().map_err(corrupt)?;
    let info = decoder.info().ok_or_else(|| corrupt("a chunk has no frame header"))?;
    let stored = decoder.input_colorspace().ok_or_else(|| corrupt("a chunk has no components"))?;
    // A chunk larger than declared would exceed the checked memory.
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    let fits = width == layout.chunk_width && height <= layout.chunk_height;
    if !fits || stored.num_components() != layout.chunk_samples() {
        return Err(corrupt("a chunk is not of the size that its page says"));
    }
    if decoder.keeps_coefficients() {
        // 16 bits per sample, in addition to the samples of the chunk and of the page.
        let chunk = u64::from(width) * u64::from(height) * stored.num_components() as u64;
        limits.check_memory(Samples::size(layout).saturating_add(3 * chunk))?;
    }
    decoder.set_options(options().set_strict_mode(true).jpeg_set_out_colorspace(stored));
    let samples = decoder.decode().map_err(corrupt)?;
    match samples.len() < needed {
        true => Err(corrupt("a chunk has too few rows")),
        false => Ok(samples),
    }
}
