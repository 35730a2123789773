//! The coefficients of a JPEG coded again: fewer bytes, identical pixels. By libjpeg-turbo-rs.

use filepress_wire::MediaType;
use libjpeg_turbo_rs::{MarkerCopyMode, TransformOptions};

use super::{Call, metadata};
use crate::error::{Error, ErrorCode, Result};
use crate::options::MetadataPolicy;

/// Progressive scans and Huffman tables made for this image; the pixels stay identical, the orientation tag as well.
pub(super) fn jpeg(call: &Call<'_>) -> Result<Vec<u8>> {
    let keep = call.job.metadata == MetadataPolicy::Keep;
    let options = TransformOptions {
        progressive: true,
        optimize: true,
        copy_markers: if keep { MarkerCopyMode::All } else { MarkerCopyMode::None },
        ..TransformOptions::default()
    };
    let recoded = libjpeg_turbo_rs::transform_jpeg_with_options(call.bytes, &options)
        .map_err(|cause| Error::corrupt(MediaType::Jpeg.name(), cause))?;
    if keep {
        return Ok(recoded);
    }
    let kept = call.metadata.clone().retain(call.job.metadata);
    metadata::rewrite(&recoded, MediaType::Jpeg, &kept, call.geometry.orientation)
        .ok_or_else(|| Error::new(ErrorCode::EncodeFailed, "The recoded JPEG could not be read again."))
}
