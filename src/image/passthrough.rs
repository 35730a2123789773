//! Same pictures, fewer bytes: what is not one picture going through the pipeline. A JPEG's coefficients coded again, every
//! size of an ICO, the drawing of an SVG.

use filepress_wire::MediaType;

use crate::error::Result;
#[cfg(feature = "full")]
use crate::error::{Error, ErrorCode};
use crate::formats::ico;
#[cfg(feature = "full")]
use crate::formats::jpeg::transcode;
#[cfg(feature = "full")]
use crate::formats::svg;
use crate::image::{Encoded, Request};
use crate::job::Encoding;
#[cfg(feature = "full")]
use crate::job::RateControl;

/// `None` where the job is one for the pipeline.
pub(crate) fn repack(request: &Request<'_>) -> Result<Option<Encoded>> {
    let bytes = match (request.job.input, request.job.encoding) {
        #[cfg(feature = "full")]
        (_, Encoding::JpegRecoded) => transcode::jpeg(request)?,
        #[cfg(feature = "full")]
        (_, Encoding::Svg) => minify(request)?,
        (MediaType::Ico, Encoding::Ico { effort }) if !request.geometry.resizes() => {
            recode_ico(request, effort)?
        }
        _ => return Ok(None),
    };
    let size = (request.geometry.width, request.geometry.height);
    Ok(Some(Encoded { bytes, size, encoding: request.job.encoding, score: None, warnings: Vec::new() }))
}

/// The drawing in fewer words. There is nothing to choose from where these are too many for `targetSize`.
#[cfg(feature = "full")]
fn minify(request: &Request<'_>) -> Result<Vec<u8>> {
    let bytes = svg::encode::minify(request.bytes, request.job.metadata, &request.job.limits)?;
    let smallest = bytes.len() as u64;
    match request.job.rate_control {
        RateControl::Bytes { target, .. } if smallest > target => {
            let message = format!(
                "The fewest bytes of this drawing are {smallest}, not {target}: write it as PNG or WebP."
            );
            let error = Error::limit(ErrorCode::TargetUnreachable, message, smallest, target);
            Err(error.with_detail("smallest", smallest))
        }
        _ => Ok(bytes),
    }
}

/// Every size of the icon, each as the smallest PNG; the icon as it is where it has too many of them.
fn recode_ico(request: &Request<'_>, effort: u8) -> Result<Vec<u8>> {
    match ico::decode::pictures(request.bytes, &request.job.limits)? {
        Some(pictures) => ico::encode::encode(&pictures, effort),
        None => Ok(request.original().unwrap_or_else(|| request.bytes.to_vec())),
    }
}
