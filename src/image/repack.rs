//! Same pictures, fewer bytes: what is not one picture going through the pipeline. A JPEG's coefficients coded again, every
//! size of an ICO, the drawing of an SVG.

use filepress_wire::MediaType;

#[cfg(feature = "full")]
use super::recode;
use super::{Call, Made, decode, encode};
use crate::error::Result;
#[cfg(feature = "full")]
use crate::error::{Error, ErrorCode};
#[cfg(feature = "full")]
use crate::job::Aim;
use crate::job::Encoding;

/// `None` where the job is one for the pipeline.
pub(super) fn repack(call: &Call<'_>) -> Result<Option<Made>> {
    let bytes = match (call.job.input, call.job.encoding) {
        #[cfg(feature = "full")]
        (_, Encoding::JpegRecoded) => recode::jpeg(call)?,
        #[cfg(feature = "full")]
        (_, Encoding::Svg) => minify(call)?,
        (MediaType::Ico, Encoding::Ico { effort }) if !call.geometry.resizes() => recode_ico(call, effort)?,
        _ => return Ok(None),
    };
    let size = (call.geometry.width, call.geometry.height);
    Ok(Some(Made { bytes, size, encoding: call.job.encoding, score: None, warnings: Vec::new() }))
}

/// The drawing in fewer words. There is nothing to choose from where these are too many for `targetSize`.
#[cfg(feature = "full")]
fn minify(call: &Call<'_>) -> Result<Vec<u8>> {
    let bytes = encode::minify_svg(call.bytes, call.job.metadata, &call.job.limits)?;
    let smallest = bytes.len() as u64;
    match call.job.aim {
        Aim::Bytes { target, .. } if smallest > target => {
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
fn recode_ico(call: &Call<'_>, effort: u8) -> Result<Vec<u8>> {
    match decode::ico::pictures(call.bytes, &call.job.limits)? {
        Some(pictures) => encode::encode_ico(&pictures, effort),
        None => Ok(call.original().unwrap_or_else(|| call.bytes.to_vec())),
    }
}
