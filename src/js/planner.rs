//! The exports of every build: the planner, the table of formats, and the message of the last panic.

use std::cell::Cell;

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use super::value::{error_to_js, options, to_js};
use crate::error::Result;
use crate::job::{self, Job};
use crate::media;
use crate::value::Value;

thread_local! {
    static LAST_PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Keeps the message of a panic, since the trap that follows has none.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        LAST_PANIC.set(Some(info.to_string()));
    }));
}

/// The message of the panic that trapped this instance, if there was one; returned once.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.take()
}

/// Every media type of the API, and how this package supports it.
#[wasm_bindgen]
pub fn formats() -> JsValue {
    media::formats().iter().map(|format| to_js(&Value::from(format))).collect::<Array>().into()
}

/// Plans a call from the first 64 KiB of the input and the options. `has_client` is whether the caller passed a `client`. A plan for
/// this device has `memory`, an estimate in bytes.
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
            Job::Remote(_) => Ok(to_js(&Value::from(&job))),
            Job::Local(local) => {
                let plan = to_js(&Value::from(&job));
                let memory = job::estimate_memory(head, size, local);
                let _ = Reflect::set(&plan, &"memory".into(), &memory.into());
                Ok(plan)
            }
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
