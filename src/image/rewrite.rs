//! Rewrites a file in fewer bytes without the pipeline, by the member `rewrite` of its format's `CODEC`: the coefficients
//! of a JPEG, the sizes of an icon, the markup of an SVG. Removes metadata from a file whose pixels stay encoded.

#[cfg(feature = "full")]
use filepress_wire::MediaType;
#[cfg(feature = "full")]
use image::metadata::Orientation;

use crate::error::Result;
use crate::formats::codec::Rewrite;
use crate::formats::codec_of;
#[cfg(feature = "full")]
use crate::formats::metadata;
#[cfg(feature = "full")]
use crate::image::embedded;
use crate::image::search::bytes::unreachable;
use crate::image::{Encoded, Request};
use crate::job::RateControl;
#[cfg(feature = "full")]
use crate::metadata::Metadata;

/// Returns `None` if the job needs the pipeline.
///
/// # Errors
/// [`crate::ErrorCode::TargetUnreachable`] if the rewritten file is over its target and may not be scaled; the errors of
/// the format.
pub(crate) fn rewrite(request: &Request<'_>) -> Result<Option<Encoded>> {
    let job = request.job;
    let is_same = job.input == request.output()
        && !request.source.geometry.resizes()
        && job.encoding.quality().is_none();
    let Some(rewrite) = codec_of(job.input).rewrite.filter(|_| is_same) else { return Ok(None) };
    #[cfg(feature = "full")]
    let metadata = kept(request);
    let file = Rewrite {
        bytes: request.source.bytes,
        encoding: job.encoding,
        limits: &job.limits,
        #[cfg(feature = "full")]
        policy: job.metadata,
        #[cfg(feature = "full")]
        metadata: &metadata,
        #[cfg(feature = "full")]
        target: match job.rate_control {
            RateControl::Bytes { target, .. } => Some(target),
            _ => None,
        },
        #[cfg(feature = "full")]
        embedded: embedded::decode,
    };
    let bytes = match rewrite(&file)? {
        Some(bytes) => bytes,
        None => request.original().unwrap_or_else(|| request.source.bytes.to_vec()),
    };
    if let RateControl::Bytes { target, lossy, scales } = job.rate_control
        && bytes.len() as u64 > target
    {
        // The pipeline makes an icon of one size, and scales it down.
        return if scales { Ok(None) } else { Err(unreachable(target, bytes.len() as u64, lossy, scales)) };
    }
    let size = (request.source.geometry.width, request.source.geometry.height);
    Ok(Some(Encoded { bytes, size, encoding: job.encoding, score: None, warnings: Vec::new() }))
}

/// The metadata for pixels that are not turned upright.
#[cfg(feature = "full")]
fn kept(request: &Request<'_>) -> Metadata {
    let kept = request.source.metadata.clone().retain(request.job.metadata);
    match request.source.geometry.orientation {
        Orientation::NoTransforms => kept,
        orientation => kept.turned(orientation),
    }
}

/// The encoded pixels of a file without any metadata, comments, or bytes after its end. `None` if the container is malformed or its
/// format has no metadata.
#[cfg(feature = "full")]
pub fn without_metadata(file: &[u8], media: MediaType) -> Option<Vec<u8>> {
    metadata::write(file, media, &Metadata::default())
}
