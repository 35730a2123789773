//! Rewrites a file in fewer bytes without the pipeline, by the member `rewrite` of its format's `CODEC`: the coefficients
//! of a JPEG, the sizes of an icon, the markup of an SVG. Removes metadata from a file whose pixels stay encoded.

#[cfg(feature = "full")]
use filepress_wire::MediaType;
#[cfg(feature = "full")]
use image::metadata::Orientation;

use crate::error::Result;
use crate::formats::codec::{Rewrite, RewriteFile};
#[cfg(feature = "full")]
use crate::formats::metadata;
use crate::formats::{Traits, codec_of};
#[cfg(feature = "full")]
use crate::image::embedded;
#[cfg(feature = "full")]
use crate::image::geometry::Geometry;
use crate::image::search::bytes::unreachable;
use crate::image::{Encoded, Request};
use crate::job::RateControl;
#[cfg(feature = "full")]
use crate::metadata::Metadata;
#[cfg(feature = "full")]
use crate::pixels::part::View;
#[cfg(feature = "full")]
use crate::warning::Warning;

/// What rewrites the file of a request. `None` if the job needs the pipeline.
pub(crate) fn rewriter(request: &Request<'_>) -> Option<RewriteFile> {
    let (job, geometry) = (request.job, &request.source.geometry);
    let is_same = job.input == request.output()
        && !geometry.resizes()
        && !geometry.pads()
        && request.source.overlay.is_none()
        && job.encoding.quality().is_none()
        && (!geometry.edits || job.encoding.has(Traits::TRANSCODE));
    codec_of(job.input).rewrite.filter(|_| is_same)
}

/// Returns `None` if the job needs the pipeline.
///
/// # Errors
/// [`crate::ErrorCode::TargetUnreachable`] if the rewritten file is over its target and may not be scaled; the errors of
/// the format.
pub(crate) fn rewrite(request: &Request<'_>) -> Result<Option<Encoded>> {
    let job = request.job;
    let geometry = &request.source.geometry;
    let Some(rewrite) = rewriter(request) else { return Ok(None) };
    #[cfg(feature = "full")]
    let metadata = request.source.metadata.clone().retain(job.metadata);
    #[cfg(feature = "full")]
    let view = view(request);
    let file = Rewrite {
        bytes: request.source.bytes,
        encoding: job.encoding,
        limits: &job.limits,
        #[cfg(feature = "full")]
        policy: job.metadata,
        #[cfg(feature = "full")]
        keeps_gain_map: job.keeps_gain_map(),
        #[cfg(feature = "full")]
        metadata: &metadata,
        #[cfg(feature = "full")]
        view,
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
    #[cfg(feature = "full")]
    let warning = turned_by_exif(&bytes, job.input, view);
    #[cfg(feature = "full")]
    let bytes = with_edited_map(bytes, request);
    if let RateControl::Bytes { target, lossy, scales } = job.rate_control
        && bytes.len() as u64 > target
    {
        // The pipeline makes an icon of one size, and scales it down.
        return if scales { Ok(None) } else { Err(unreachable(target, bytes.len() as u64, lossy, scales)) };
    }
    let size = (geometry.width, geometry.height);
    #[cfg(feature = "full")]
    let warnings = warning.into_iter().collect();
    #[cfg(not(feature = "full"))]
    let warnings = Vec::new();
    Ok(Some(Encoded { bytes, size, encoding: job.encoding, score: None, warnings }))
}

/// A file that was cropped or turned, with the gain map in the same geometry; but for the turn that is in EXIF, which the map has too.
#[cfg(feature = "full")]
fn with_edited_map(file: Vec<u8>, request: &Request<'_>) -> Vec<u8> {
    let geometry = request.source.geometry;
    if !geometry.edits {
        return file;
    }
    let is_upright = metadata::read(&file, request.job.input).orientation() == Orientation::NoTransforms;
    let shown = if is_upright { geometry } else { geometry.unturned() };
    let shape = (shown, (shown.width, shown.height));
    request.gain_map.attach(file, (&request.source, request.job), request.job.encoding, shape)
}

/// What the output shows of the stored pixels.
#[cfg(feature = "full")]
fn view(request: &Request<'_>) -> View {
    let Geometry { part, orientation, edits, .. } = request.source.geometry;
    let upright = request.source.metadata.orientation();
    View { part, orientation, upright, edits, turns: orientation != upright }
}

/// A warning if the stored pixels could not be turned as the call asks, so that EXIF has the orientation.
#[cfg(feature = "full")]
fn turned_by_exif(file: &[u8], media: MediaType, view: View) -> Option<Warning> {
    let is_left = view.turns && metadata::read(file, media).orientation() != Orientation::NoTransforms;
    let message = "Only whole blocks of a JPEG can be turned without loss, and this one ends within some; the turn is in its EXIF orientation.";
    is_left.then(|| Warning::new("turned_by_exif", message))
}

/// The encoded pixels of a file without any metadata, comments, or bytes after its end. `None` if the container is malformed or its
/// format has no metadata.
#[cfg(feature = "full")]
pub fn without_metadata(file: &[u8], media: MediaType) -> Option<Vec<u8>> {
    metadata::write(file, media, &Metadata::default())
}
