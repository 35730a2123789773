//! Conversion between [`Value`] and JavaScript values: options in, reports and errors out.

use js_sys::{Array, ArrayBuffer, Map, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{Error, ErrorCode, Result};
use crate::options::Options;
use crate::value::{MAX_DEPTH, MAX_MEMBERS, Value};

/// Reads the options of a call. `undefined` and `null` mean no options.
pub(super) fn options(value: &JsValue) -> Result<Options> {
    let value = from_js(value, 0).map_err(|cause| {
        Error::new(ErrorCode::InvalidOption, format!("The options are not plain values: {cause}."))
    })?;
    Options::parse(value)
}

/// Copies a JavaScript value and everything in it. Written by hand: serde's errors format numbers, and that code alone is a tenth of
/// the module that a page loads first.
fn from_js(value: &JsValue, depth: usize) -> Result<Value, &'static str> {
    if value.is_undefined() || value.is_null() {
        return Ok(Value::Null);
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Value::Bool(flag));
    }
    if let Some(number) = value.as_f64() {
        return Ok(Value::Number(number));
    }
    if let Some(text) = value.as_string() {
        return Ok(Value::String(text));
    }
    if let Some(bytes) = value.dyn_ref::<Uint8Array>() {
        return Ok(Value::Bytes(bytes.to_vec()));
    }
    if value.is_instance_of::<ArrayBuffer>() {
        return Ok(Value::Bytes(Uint8Array::new(value).to_vec()));
    }
    if depth == MAX_DEPTH {
        return Err("objects or arrays nested too deeply");
    }
    if Array::is_array(value) {
        let list: &Array = value.unchecked_ref();
        if list.length() as usize > MAX_MEMBERS {
            return Err("array too long");
        }
        return list.iter().map(|item| from_js(&item, depth + 1)).collect::<Result<_, _>>().map(Value::Array);
    }
    // The entries of a Map are no properties: it would read as an empty object.
    let is_plain = !value.is_function() && !value.is_instance_of::<Map>();
    let Some(object) = value.dyn_ref::<Object>().filter(|_| is_plain) else {
        return Err("not a number, a string, an array or an object");
    };
    let members = Object::entries(object);
    if members.length() as usize > MAX_MEMBERS {
        return Err("too many members");
    }
    let member = |entry: JsValue| {
        let entry: Array = entry.unchecked_into();
        Ok((entry.get(0).as_string().unwrap_or_default(), from_js(&entry.get(1), depth + 1)?))
    };
    members.iter().map(member).collect::<Result<_, _>>().map(Value::Object)
}

/// Copies a value into JavaScript.
pub(super) fn to_js(value: &Value) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => (*number).into(),
        Value::String(text) => text.into(),
        Value::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
        Value::Array(items) => items.iter().map(to_js).collect::<Array>().into(),
        Value::Object(members) => {
            let object = Object::new();
            for (name, member) in members {
                let _ = Reflect::set(&object, &name.into(), &to_js(member));
            }
            object.into()
        }
    }
}

/// The object that JavaScript throws for an error.
pub(super) fn error_to_js(error: &Error) -> JsValue {
    to_js(&Value::from(error))
}
