//! Validates documents by the JSON schema of JSON:API 1.1 and by the service's own description.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

/// A schema that was read, ready to check with.
struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn new(schema: Value, pointer: &str) -> Self {
        const NAME: &str = "https://schema.example/a.json";
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        compiler.enable_format_assertions();
        compiler.add_resource(NAME, schema).unwrap();
        let index = compiler.compile(&format!("{NAME}#{pointer}"), &mut schemas).unwrap();
        Self { schemas, index }
    }

    fn json_api() -> Self {
        Self::new(serde_json::from_str(include_str!("jsonapi.schema.json")).unwrap(), "")
    }

    fn assert_valid(&self, document: &Value) {
        if let Err(error) = self.schemas.validate(document, self.index) {
            panic!("{error:#}\n{document:#}");
        }
    }
}

/// That a document is one of JSON:API.
pub(crate) fn assert_json_api(document: &Value) {
    Schema::json_api().assert_valid(document);
}

/// That a document is what the service's description calls by this name.
pub(crate) fn assert_described(document: &Value, name: &str) {
    let description = filepress_server::openapi::description();
    Schema::new(description, &format!("/components/schemas/{name}")).assert_valid(document);
}

#[test]
fn the_schema_detects_violations_of_json_api() {
    let schema = Schema::json_api();
    let jsonapi = json!({ "version": "1.1" });
    for wrong in [
        json!({}),
        json!({ "jsonapi": jsonapi }),
        json!({ "data": null }),
        json!({ "jsonapi": { "version": "1.0" }, "data": null }),
        json!({ "jsonapi": jsonapi, "data": null, "errors": [{ "code": "a" }] }),
        json!({ "jsonapi": jsonapi, "errors": [] }),
        json!({ "jsonapi": jsonapi, "errors": [{ "status": 400 }] }),
        json!({ "jsonapi": jsonapi, "errors": [{ "source": { "pointer": "data" } }] }),
        json!({ "jsonapi": jsonapi, "data": { "type": "files" } }),
        json!({ "jsonapi": jsonapi, "data": { "type": "files", "id": 1 } }),
        json!({ "jsonapi": jsonapi, "data": { "type": "files", "id": "1", "attributes": { "type": "a" } } }),
        json!({ "jsonapi": jsonapi, "data": { "type": "files", "id": "1", "size": 1 } }),
        json!({ "jsonapi": jsonapi, "data": null, "links": { "self": 1 } }),
        json!({ "jsonapi": jsonapi, "meta": {}, "included": [] }),
    ] {
        assert!(schema.schemas.validate(&wrong, schema.index).is_err(), "{wrong}");
    }
    assert_json_api(&json!({ "jsonapi": jsonapi, "data": { "type": "files", "id": "1" } }));
}
