//! Building blocks of JSON Schema.

use serde_json::{Value, json};

const TIME: &str = "date-time";

pub(super) fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

pub(super) fn nullable(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

pub(super) fn string() -> Value {
    json!({ "type": "string" })
}

pub(super) fn uri() -> Value {
    json!({ "type": "string", "format": "uri" })
}

pub(super) fn time() -> Value {
    json!({ "type": "string", "format": TIME })
}
