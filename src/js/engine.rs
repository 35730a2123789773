//! The exports of the builds with codecs: processing, inspection and comparison of images.

use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use super::call::plan_job;
use super::value::{error_to_js, options};
use crate::error::{Error, ErrorCode, Result};
use crate::image::{self, Inspection, Output, Progress};
use crate::job::{Job, LocalJob};
use crate::media;
use filepress_wire::SNIFF_BYTES;

/// Processes an image. The result is `{ bytes, report }`; `bytes` is undefined if the output is the unchanged input.
/// `on_progress(stage, ratio, next, attempt)` receives the fields of [`Progress`]; an exception that it throws is ignored.
#[wasm_bindgen]
pub fn process(
    bytes: &[u8],
    declared_type: Option<String>,
    options: JsValue,
    on_progress: Option<Function>,
) -> Result<JsValue, JsValue> {
    let mut notify = notifier(on_progress.as_ref());
    let output = local_job(bytes, declared_type.as_deref(), &options)
        .and_then(|job| image::process(bytes, &job, &mut notify))
        .map_err(|error| error_to_js(&error))?;
    let result = Object::new();
    Reflect::set(&result, &"bytes".into(), &bytes_to_js(output.bytes))?;
    Reflect::set(&result, &"report".into(), &report_to_js(&output.report))?;
    Ok(result.into())
}

/// Passes progress on to a function of JavaScript.
fn notifier(on_progress: Option<&Function>) -> impl FnMut(Progress) {
    move |progress: Progress| {
        if let Some(on_progress) = on_progress {
            let Progress { stage, ratio, next, attempt } = progress;
            let (stage, ratio, next, attempt) =
                (stage.name().into(), ratio.into(), next.into(), attempt.into());
            let _ = on_progress.call4(&JsValue::NULL, &stage, &ratio, &next, &attempt);
        }
    }
}

fn bytes_to_js(bytes: Option<Vec<u8>>) -> JsValue {
    bytes.map_or(JsValue::UNDEFINED, |bytes| Uint8Array::from(bytes.as_slice()).into())
}

/// The job of a call, which must be one for this device.
fn local_job(bytes: &[u8], declared: Option<&str>, options: &JsValue) -> Result<LocalJob> {
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    match plan_job(head, bytes.len() as u64, declared, None, options)? {
        Job::Local(job) => Ok(job),
        Job::Remote(_) => Err(Error::new(ErrorCode::NeedsService, "Only a service can do this.")),
    }
}

/// Makes several outputs of an image. `list` has the options of each. `on_output(index, bytes, report)` receives each output as soon as
/// it is made, as [`process`] returns it; an exception that it throws is ignored.
#[wasm_bindgen]
pub fn variants(
    bytes: &[u8],
    declared_type: Option<String>,
    list: Array,
    on_output: &Function,
    on_progress: Option<Function>,
) -> Result<(), JsValue> {
    let mut notify = notifier(on_progress.as_ref());
    let mut take = |index: usize, Output { bytes, report }: Output| {
        let _ = on_output.call3(&JsValue::NULL, &index.into(), &bytes_to_js(bytes), &report_to_js(&report));
    };
    let declared = declared_type.as_deref();
    list.iter()
        .map(|options| local_job(bytes, declared, &options))
        .collect::<Result<Vec<_>>>()
        .and_then(|jobs| image::variants(bytes, &jobs, &mut notify, &mut take))
        .map_err(|error| error_to_js(&error))
}

/// Describes what a page can show before an image is loaded. `options` resize it to at most 100 pixels a side.
#[cfg(feature = "core")]
#[wasm_bindgen]
pub fn placeholder(
    bytes: &[u8],
    declared_type: Option<String>,
    options: JsValue,
) -> Result<JsValue, JsValue> {
    local_job(bytes, declared_type.as_deref(), &options)
        .and_then(|job| image::placeholder(bytes, &job))
        .map(|placeholder| report_to_js(&placeholder))
        .map_err(|error| error_to_js(&error))
}

/// Reads the properties of an image from its header. The only option used is `limits.maxInputBytes`.
#[wasm_bindgen]
pub fn inspect(bytes: &[u8], declared_type: Option<String>, options: JsValue) -> Result<JsValue, JsValue> {
    inspect_bytes(bytes, declared_type.as_deref(), options)
        .map(|inspection| report_to_js(&inspection))
        .map_err(|error| error_to_js(&error))
}

fn inspect_bytes(bytes: &[u8], declared: Option<&str>, value: JsValue) -> Result<Inspection> {
    let limits = options(&value)?.limits.unwrap_or_default();
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    image::inspect(bytes, media::recognize(head, declared, None)?, &limits)
}

/// The SSIMULACRA2 score of `other` against `original`. The options used are `background` and `limits`.
#[cfg(feature = "full")]
#[wasm_bindgen]
pub fn score(
    original: &[u8],
    original_type: Option<String>,
    other: &[u8],
    other_type: Option<String>,
    options: JsValue,
) -> Result<JsValue, JsValue> {
    let sides = || Ok((side(original, original_type, "original")?, side(other, other_type, "other")?));
    sides()
        .and_then(|(original, other)| {
            let options = self::options(&options)?;
            let limits = options.limits.unwrap_or_default();
            image::compare(original, other, options.background.unwrap_or_default(), &limits)
        })
        .map(|comparison| report_to_js(&comparison))
        .map_err(|error| error_to_js(&error))
}

#[cfg(feature = "full")]
fn side<'a>(bytes: &'a [u8], declared: Option<String>, name: &'static str) -> Result<image::Side<'a>> {
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let media =
        media::recognize(head, declared.as_deref(), None).map_err(|error| error.with_detail("file", name))?;
    Ok(image::Side { bytes, media })
}

/// A report as a JavaScript object.
fn report_to_js(value: &impl Serialize) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or(JsValue::UNDEFINED)
}

/// Does nothing: the name of the export identifies the build before the module is instantiated.
#[cfg_attr(feature = "full", wasm_bindgen(js_name = "is_full"))]
#[cfg_attr(all(feature = "core", not(feature = "full")), wasm_bindgen(js_name = "is_core"))]
#[cfg_attr(all(feature = "avif", not(feature = "full")), wasm_bindgen(js_name = "is_avif"))]
#[cfg_attr(all(feature = "photo_avif", not(feature = "avif")), wasm_bindgen(js_name = "is_photo_avif"))]
#[cfg_attr(all(feature = "photo", not(feature = "core")), wasm_bindgen(js_name = "is_photo"))]
pub fn build() {}
