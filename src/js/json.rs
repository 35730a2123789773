//! JSON values of JavaScript, and the messages of thrown values.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::remote::Json;

/// A result of `JSON.parse`, or the options of a call.
#[derive(Clone)]
pub(super) struct JsJson(pub(super) JsValue);

impl Json for JsJson {
    fn text(text: &str) -> Self {
        Self(text.into())
    }

    fn number(number: f64) -> Self {
        Self(number.into())
    }

    fn object(members: &[(&str, Option<Self>)]) -> Self {
        let object = Object::new();
        for (name, value) in members {
            if let Some(Self(value)) = value {
                let _ = Reflect::set(&object, &(*name).into(), value);
            }
        }
        Self(object.into())
    }

    fn get(&self, name: &str) -> Option<Self> {
        let value = Reflect::get(&self.0, &name.into()).ok()?;
        (!value.is_undefined() && !value.is_null()).then_some(Self(value))
    }

    fn as_text(&self) -> Option<String> {
        self.0.as_string()
    }

    fn as_number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    fn is_list(&self) -> bool {
        Array::is_array(&self.0)
    }

    fn items(&self) -> Vec<Self> {
        let list = self.0.dyn_ref::<Array>();
        list.map(|list| list.iter().map(Self).collect()).unwrap_or_default()
    }
}

/// The message of a thrown value, which may be anything. Node's `fetch` has the reason of a failure in `cause` only.
pub(super) fn error_message(thrown: &JsValue) -> String {
    let text = |value: &JsValue, name: &str| Reflect::get(value, &name.into()).ok()?.as_string();
    let message = text(thrown, "message").or_else(|| thrown.as_string()).unwrap_or_default();
    let cause = Reflect::get(thrown, &"cause".into()).ok().and_then(|cause| text(&cause, "message"));
    match cause {
        Some(cause) => [message.as_str(), ": ", &cause].concat(),
        None => message,
    }
}
