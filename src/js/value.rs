//! Values that cross the border: options in, reports and errors out.

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::error::{Details, Error, ErrorCode, ErrorKind, Result};
use crate::options::Options;

/// An error as a plain object: `{ kind, code, message, details }`.
#[derive(Serialize)]
struct Thrown<'a> {
    kind: ErrorKind,
    code: ErrorCode,
    message: &'a str,
    details: &'a Details,
}

/// Reads the options of a call. `undefined` and `null` are as no options.
pub(super) fn options(value: JsValue) -> Result<Options> {
    if value.is_undefined() || value.is_null() {
        return Ok(Options::default());
    }
    let tree = serde_wasm_bindgen::from_value(value).map_err(|cause| {
        Error::new(ErrorCode::InvalidOption, format!("The options are not plain values: {cause}."))
    })?;
    Options::parse(tree)
}

/// A serialisable value as plain objects, arrays, strings and numbers.
pub(super) fn plain(value: &impl Serialize) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or(JsValue::UNDEFINED)
}

/// An error as what JavaScript catches.
pub(super) fn thrown(error: &Error) -> JsValue {
    plain(&Thrown {
        kind: error.kind(),
        code: error.code(),
        message: error.message(),
        details: error.details(),
    })
}
