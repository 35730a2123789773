//! The exports for the planner and the table of formats. The client build plans; `core` and `full` can too, for a program that gives
//! `init` one of them for everything.

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use super::call::plan_job;
use super::value::{error_to_js, to_js};
use crate::error::Result;
use crate::job::{self, Job};
use crate::media;
use crate::value::Value;

/// Every media type of the API, and how this package supports it.
#[wasm_bindgen]
pub fn formats() -> JsValue {
    media::formats().iter().map(|format| to_js(&Value::from(format))).collect::<Array>().into()
}

/// Plans a call from the first `SNIFF_BYTES` of the input and the options. `has_client` is whether the caller passed a `client`. A plan for
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
