//! Decodes a chunk that is a JPEG (Adobe Photoshop TIFF Technical Notes, "JPEG compression"). Samples are not
//! color-converted, because the fields of the page define their meaning.

use crate::error::Result;
use crate::formats::jpeg::decode::components;
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
    let samples = components(&whole, |decoder| {
        let header = decoder.header();
        // A chunk larger than declared would exceed the checked memory.
        let (width, height) = (u32::from(header.width), u32::from(header.height));
        let fits = width == layout.chunk_width && height <= layout.chunk_height;
        if !fits || decoder.samples_per_pixel() != layout.chunk_samples() {
            return Err(corrupt("a chunk is not of the size that its page says"));
        }
        // The samples of the page and of the chunk, and what decoding takes.
        let chunk = u64::from(width) * u64::from(height) * layout.chunk_samples() as u64;
        limits.check_memory(Samples::size(layout).saturating_add(chunk + decoder.memory()))
    })?;
    match samples.len() < needed {
        true => Err(corrupt("a chunk has too few rows")),
        false => Ok(samples),
    }
}
