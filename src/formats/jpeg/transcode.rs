//! Encodes the coefficients of a JPEG again, with fewer bytes and identical pixels. By libjpeg-turbo-rs.

use libjpeg_turbo_rs::{MarkerCopyMode, TransformOptions};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::Rewrite;
use crate::formats::jpeg::gain_map;
use crate::formats::jpeg::metadata::{segments, write};
use crate::options::MetadataPolicy;

const NAME: &str = "JPEG";

/// Progressive scans, and Huffman tables for this image. Pixels and orientation tag stay identical.
pub(crate) fn rewrite(file: &Rewrite) -> Result<Option<Vec<u8>>> {
    let keep = file.policy == MetadataPolicy::Keep;
    let options = TransformOptions {
        progressive: true,
        optimize: true,
        copy_markers: if keep { MarkerCopyMode::All } else { MarkerCopyMode::None },
        ..TransformOptions::default()
    };
    let recoded = libjpeg_turbo_rs::transform_jpeg_with_options(file.bytes, &options)
        .map_err(|cause| Error::corrupt(NAME, cause))?;
    if !has_its_tables(&recoded) {
        return Err(Error::corrupt(NAME, "it lacks a quantization table"));
    }
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

/// Whether each component has its quantization table. Without one, coefficients can be encoded again but not displayed
/// (ITU-T T.81, B.2.4.1).
fn has_its_tables(jpeg: &[u8]) -> bool {
    let (mut wanted, mut defined) = (0_u32, 0_u32);
    for (marker, payload) in segments(jpeg) {
        match marker {
            0xDB => {
                let mut rest = payload;
                while let [head, values @ ..] = rest {
                    defined |= 1 << (head & 15);
                    rest = values.get(if head >> 4 == 0 { 64 } else { 128 }..).unwrap_or_default();
                }
            }
            0xC0..=0xC3 => {
                let components = payload.get(6..).unwrap_or_default().as_chunks::<3>().0;
                components.iter().for_each(|[_, _, table]| wanted |= 1 << (table & 15));
            }
            _ => {}
        }
    }
    wanted != 0 && wanted & !defined == 0
}
