//! What every build exports: the planner, the table of types, and the words of the last panic.

use std::cell::Cell;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::value::{error_to_js, options, to_js};
use crate::error::Result;
use crate::job::{self, Job};
use crate::media;
use crate::value::Value;

thread_local! {
    static LAST_PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Remembers the words of a panic, since the trap that follows carries none.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        LAST_PANIC.set(Some(info.to_string()));
    }));
}

/// The words of the panic that made this instance unusable, if there was one; told once.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.take()
}

/// Every type of the interface, and what this package does with it.
#[wasm_bindgen]
pub fn formats() -> JsValue {
    media::formats().iter().map(|format| to_js(&Value::from(format))).collect::<Array>().into()
}

/// Decides what a call means, from the first 64 KiB of the input and the options; `has_client`: a service can be reached.
#[wasm_bindgen]
pub fn plan(
    head: &[u8],
    size: f64,
    declared_type: Option<String>,
    name: Option<String>,
    options: JsValue,
    has_client: bool,
) -> Result<JsValue, JsValue> {
    plan_job(head, size as u64, declared_type.as_deref(), name.as_deref(), &options)
        .and_then(|job| match &job {
            Job::Remote(remote) if !has_client => {
                Err(job::needs_service(remote.input, remote.output, "there is no `client`"))
            }
            _ => Ok(to_js(&Value::from(&job))),
        })
        .map_err(|error| error_to_js(&error))
}

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
