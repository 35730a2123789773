//! Same pictures, fewer bytes: what is not one picture going through the pipeline. A JPEG's coefficients coded again, and
//! every size of an ICO.

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
        (MediaType::Ico, Encoding::Ico { effort }) if !call.geometry.resizes() => recode_ico(call, effort)?,
        _ => return Ok(None),
    };
    Ok(Some(Made { bytes, warnings: Vec::new() }))
}

/// Every size of the icon, each as the smallest PNG.
fn recode_ico(call: &Call<'_>, effort: u8) -> Result<Vec<u8>> {
    let frames = decode::ico::pictures(call.bytes, &call.job.limits)?;
    encode::encode_ico(&frames, effort)
}
