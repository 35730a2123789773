//! The OpenAPI 3.1 description of the API, generated from the tables that the service uses, so that the two agree.

mod admin;
mod errors;
mod operation;
mod operations;
mod resumable;
mod schema_types;
mod schemas;
mod settings;
mod webhooks;

use http::Method;
use serde_json::{Value, json};

use crate::http::key_scope::Need;

/// Says of each operation that needs a key which scope the key needs.
fn with_scopes(mut paths: Value) -> Value {
    for (path, operations) in paths.as_object_mut().into_iter().flatten() {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            let Ok(known) = Method::from_bytes(method.to_uppercase().as_bytes()) else { continue };
            if let (Need::Scope(scope), Some(operation)) = (Need::of(&known, path), operation.as_object_mut())
            {
                operation.entry("security").or_insert_with(|| json!([{ "key": [scope.as_str()] }]));
            }
        }
    }
    paths
}

/// The complete description.
pub fn description() -> Value {
    let (mut paths, mut parameters, mut schemas) =
        (operations::paths(), operations::parameters(), schemas::schemas());
    admin::add_paths(&mut paths);
    admin::add_parameters(&mut parameters);
    admin::add_schemas(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "filepress",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Compresses and converts files: images, video, audio and PDF. Create a file, PUT its bytes to \
                `links.upload`, create a task, poll it until it is COMPLETED or FAILED, and GET the output's \
                `links.download`. JSON:API 1.1.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "security": [{ "key": [] }],
        "paths": with_scopes(paths),
        "webhooks": webhooks::webhooks(),
        "components": {
            "securitySchemes": {
                "key": { "type": "http", "scheme": "bearer", "description": "An API key: `fp_` and 43 characters. An operation names the scope that a key with limited rights needs." },
            },
            "parameters": parameters,
            "headers": operations::headers(),
            "schemas": schemas,
        },
    })
}
