//! Building blocks of operations.

use filepress_wire::ErrorCode;
use filepress_wire::documents::MEDIA_TYPE;
use serde_json::{Map, Value, json};

use super::errors::add_error_responses;

pub(super) fn parameter(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

pub(super) fn document(schema: &str) -> Value {
    json!({ MEDIA_TYPE: { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}

pub(super) fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

pub(super) fn operation(
    summary: &str,
    parameters: &[&str],
    success: (&str, Value),
    codes: &[&[ErrorCode]],
) -> Value {
    let mut responses = Map::from_iter([(success.0.to_owned(), success.1)]);
    add_error_responses(&mut responses, codes);
    let parameters: Vec<Value> = parameters.iter().copied().chain(["RequestId"]).map(parameter).collect();
    json!({ "summary": summary, "parameters": parameters, "responses": responses })
}
