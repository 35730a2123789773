//! Reads a call of JavaScript: the options and the type of the input become a job.

use wasm_bindgen::JsValue;

use super::value::options;
use crate::error::Result;
use crate::job::{self, Job};
use crate::media;

/// Plans a call from the first bytes of the input, its `size` in bytes, and what the caller knows of its type.
pub(super) fn plan_job(
    head: &[u8],
    size: u64,
    declared: Option<&str>,
    name: Option<&str>,
    value: &JsValue,
) -> Result<Job> {
    let options = options(value)?;
    let media = media::recognize(head, declared, name)?;
    let job = job::plan(media, &options)?;
    let mut limits = options.limits.unwrap_or_default();
    if matches!(job, Job::Remote(_)) {
        limits.max_input_bytes = options.max_input_bytes.unwrap_or(u64::MAX);
    }
    limits.check_input(size)?;
    Ok(job)
}
