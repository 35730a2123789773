//! What every build exports: the planner, the table of types, and the words of the last panic.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use super::value::{options, plain, thrown};
use crate::error::{Error, ErrorCode, Result};
use crate::job::{self, Job};
use crate::media;

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Remembers the words of a panic, since the trap that follows carries none.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        LAST_PANIC.with(|last| *last.borrow_mut() = Some(info.to_string()));
    }));
}

/// The words of the panic that made this instance unusable, if there was one.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.with(|last| last.borrow().clone())
}

/// Which build this is: "client", "core" or "full".
#[wasm_bindgen]
pub fn build() -> String {
    match (cfg!(feature = "full"), cfg!(feature = "core")) {
        (true, _) => "full",
        (_, true) => "core",
        _ => "client",
    }
    .to_owned()
}

/// Every type of the interface, and what this package does with it.
#[wasm_bindgen]
pub fn formats() -> JsValue {
    plain(&media::formats())
}

/// Decides what a call means, from the first 64 KiB of the input and the options.
#[wasm_bindgen]
pub fn plan(
    head: &[u8],
    size: f64,
    declared_type: Option<String>,
    name: Option<String>,
    options: JsValue,
) -> Result<JsValue, JsValue> {
    plan_job(head, size as u64, declared_type.as_deref(), name.as_deref(), options)
        .map(|job| plain(&job.summary()))
        .map_err(|error| thrown(&error))
}

pub(super) fn plan_job(
    head: &[u8],
    size: u64,
    declared: Option<&str>,
    name: Option<&str>,
    value: JsValue,
) -> Result<Job> {
    let options = options(value)?;
    options.limits.unwrap_or_default().check_input(size)?;
    let media = media::recognise(head, declared, name)?;
    match job::plan(media, &options)? {
        Job::Remote { input, output } => Err(Error::new(
            ErrorCode::NeedsService,
            format!(
                "{} to {} needs the service, which this version has no client for.",
                input.name(),
                output.name()
            ),
        )
        .with_detail("type", input.as_str())),
        local => Ok(local),
    }
}
