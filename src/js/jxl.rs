//! The exports of the build `jxl`. They have the names and parameters of those of an image engine, so that workers run them as they run
//! any other.

use std::alloc::System;

use cap::Cap;
use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use super::value::{error_to_js, options};
use crate::error::Result;
use crate::jxl::{to_header, to_png};
use crate::limits::Limits;

/// The memory of a call is limited where it is allocated: the size of a color profile is only known when it has been decoded.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Beside what a call may take, for messages, and until its limits have been checked.
const BESIDE: usize = 1 << 20;

/// Runs a call with the memory that its limits allow.
fn limited<T>(limits: &Limits, call: impl FnOnce() -> Result<T>) -> Result<T> {
    let most = usize::try_from(limits.max_memory_bytes).unwrap_or(usize::MAX);
    // The input is there already. The limit is above what is allocated, so setting it does not fail.
    let _ = ALLOCATOR.set_limit(most.max(ALLOCATOR.allocated()).saturating_add(BESIDE));
    let outcome = call();
    let _ = ALLOCATOR.set_limit(usize::MAX);
    outcome
}

/// Turns a JPEG XL file into a PNG. The result is `{ bytes, report }`, where the report has `opaque` and `frames`. The only option used
/// is `limits`. `on_progress(stage, ratio, next)` is called with the stage "decode"; an exception that it throws is ignored.
#[wasm_bindgen]
pub fn process(
    bytes: &[u8],
    _declared_type: Option<String>,
    options: JsValue,
    on_progress: Option<Function>,
) -> std::result::Result<JsValue, JsValue> {
    let parts = Array::new();
    let mut progress = |ratio: f64| {
        if let Some(on_progress) = &on_progress {
            let _ = on_progress.call3(&JsValue::NULL, &"decode".into(), &ratio.into(), &ratio.into());
        }
    };
    let outcome = self::options(&options)
        .and_then(|options| {
            let limits = options.limits.unwrap_or_default();
            limited(&limits, || to_png(bytes, &limits, &mut |part| collect(&parts, part), &mut progress))
        })
        .map_err(|error| error_to_js(&error))?;
    let report = Object::new();
    Reflect::set(&report, &"opaque".into(), &outcome.opaque.into())?;
    Reflect::set(&report, &"frames".into(), &outcome.frames.into())?;
    let result = Object::new();
    Reflect::set(&result, &"bytes".into(), &join(&parts))?;
    Reflect::set(&result, &"report".into(), &report)?;
    Ok(result.into())
}

/// As [`process`], without pixels. The result is the PNG.
#[wasm_bindgen]
pub fn inspect(
    bytes: &[u8],
    _declared_type: Option<String>,
    options: JsValue,
) -> std::result::Result<JsValue, JsValue> {
    let parts = Array::new();
    self::options(&options)
        .and_then(|options| {
            let limits = options.limits.unwrap_or_default();
            limited(&limits, || to_header(bytes, &limits, &mut |part| collect(&parts, part)))
        })
        .map_err(|error| error_to_js(&error))?;
    Ok(join(&parts))
}

/// Parts leave this instance at once: its memory never shrinks.
fn collect(parts: &Array, part: &[u8]) {
    parts.push(&Uint8Array::from(part));
}

fn join(parts: &Array) -> JsValue {
    let part = |part: JsValue| part.unchecked_into::<Uint8Array>();
    let length = parts.iter().map(|each| part(each).length()).sum();
    let joined = Uint8Array::new_with_length(length);
    let mut offset = 0;
    while parts.length() > 0 {
        let next = part(parts.shift());
        joined.set(&next, offset);
        offset += next.length();
    }
    joined.into()
}

/// Does nothing: the name of the export identifies the build before the module is instantiated.
#[wasm_bindgen]
pub fn is_jxl() {}
