//! Encodes the coefficients of a JPEG again, with fewer bytes and identical pixels.

use filepress_jpeg::{
    DecodeOptions, Scans, Segments, decode_coefficients, marker_segments, write_coefficients,
};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::Rewrite;
use crate::formats::jpeg::decode::{failed, lost};
use crate::formats::jpeg::gain_map;
use crate::formats::jpeg::metadata::write;
use crate::options::MetadataPolicy;

/// The scans with the fewest bytes, and Huffman tables for this image. Pixels and orientation tag stay identical.
pub(crate) fn rewrite(file: &Rewrite) -> Result<Option<Vec<u8>>> {
    let keep = file.policy == MetadataPolicy::Keep;
    let (coefficients, damage) = decode_coefficients(file.bytes, DecodeOptions::default()).map_err(failed)?;
    if let Some(damage) = damage.filter(|damage| damage.share > 0.0) {
        return Err(lost(damage));
    }
    let segments = marker_segments(file.bytes, if keep { Segments::All } else { Segments::Color });
    let recoded = write_coefficients(coefficients, &segments, Scans::Smallest).map_err(failed)?;
    let written = match keep {
        true if gain_map::refers_to_others(&recoded) => {
            gain_map::without_gain_map(&recoded, file.metadata.xmp.as_deref(), None)
        }
        true => Some(recoded),
        false => write(&recoded, file.metadata),
    };
    let unreadable = || Error::new(ErrorCode::EncodeFailed, "The transcoded JPEG cannot be read.");
    let written = written.ok_or_else(unreadable)?;
    Ok(Some(gain_map::carry_over(&written, file.bytes, file.metadata, keep).unwrap_or(written)))
}
