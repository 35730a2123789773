//! The OpenAPI 3.1 description of the API, generated from the tables that the service uses, so that the two agree.

mod errors;
mod operation;
mod operations;
mod resumable;
mod schema_types;
mod schemas;
mod settings;
mod webhooks;

use serde_json::{Value, json};

/// The complete description.
pub fn description() -> Value {
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
        "paths": operations::paths(),
        "webhooks": webhooks::webhooks(),
        "components": {
            "securitySchemes": {
                "key": { "type": "http", "scheme": "bearer", "description": "An API key: `fp_` and 43 characters." },
            },
            "parameters": operations::parameters(),
            "headers": operations::headers(),
            "schemas": schemas::schemas(),
        },
    })
}
