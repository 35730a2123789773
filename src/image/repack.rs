//! Same pictures, fewer bytes: what is not one picture going through the pipeline. A JPEG's coefficients coded again, every
//! size of an ICO, the drawing of an SVG.

use filepress_wire::MediaType;

#[cfg(feature = "full")]
use super::recode;
use super::{Call, Made, decode, encode};
use crate::error::Result;
use crate::job::Encoding;

/// `None` where the job is one for the pipeline.
pub(super) fn repack(call: &Call<'_>) -> Result<Option<Made>> {
    let bytes = match (call.job.input, call.job.encoding) {
        #[cfg(feature = "full")]
        (_, Encoding::JpegRecoded) => recode::jpeg(call)?,
        #[cfg(feature = "full")]
        (_, Encoding::Svg) => encode::minify_svg(call.bytes, call.job.metadata, &call.job.limits)?,
        (MediaType::Ico, Encoding::Ico { effort }) if !call.geometry.resizes() => recode_ico(call, effort)?,
        _ => return Ok(None),
    };
    let size = (call.geometry.width, call.geometry.height);
    Ok(Some(Made { bytes, size, encoding: call.job.encoding, score: None, warnings: Vec::new() }))
}

/// Every size of the icon, each as the smallest PNG; the icon as it is where it has too many of them.
fn recode_ico(call: &Call<'_>, effort: u8) -> Result<Vec<u8>> {
    match decode::ico::pictures(call.bytes, &call.job.limits)? {
        Some(pictures) => encode::encode_ico(&pictures, effort),
        None => Ok(call.original().unwrap_or_else(|| call.bytes.to_vec())),
    }
}
