//! Documents are read as other services and newer versions write them.

use std::collections::HashSet;

use filepress_wire::ErrorCode;
use filepress_wire::documents::{
    Document, ErrorDocument, FileResource, PageLinks, TaskResource, TaskStatus, UserResource,
};
use serde_json::json;

#[test]
fn a_task_is_read_whatever_else_is_said() {
    let document: Document<TaskResource> = serde_json::from_value(json!({
        "jsonapi": { "version": "1.1", "meta": { "a": 1 } },
        "data": {
            "type": "tasks",
            "id": "1",
            "attributes": {
                "public": false,
                "created_at": "2026-01-02T03:04:05.000006Z",
                "updated_at": "2026-01-02T03:04:05Z",
                "settings": { "optimize": true, "unheard_of": [1] },
                "status": "COMPLETED",
                "format": { "input": "image/png", "output": "image/of-tomorrow" },
                "started_at": null,
                "unheard_of": {},
                "processing_metadata": { "progress": 1 },
            },
            "relationships": {
                "input": { "data": { "type": "files", "id": "7" }, "links": { "self": "a", "related": { "href": "b" } } },
                "output": { "data": null },
                "owner": { "data": { "type": "users", "id": "9" } },
            },
            "links": { "self": { "href": "https://a.example/1", "title": "t" }, "download": "https://a.example/d" },
            "meta": { "unheard_of": true },
        },
        "links": { "self": "https://a.example/1", "describedby": "https://a.example/openapi" },
        "included": [
            { "type": "users", "id": "9", "attributes": { "email": "a@example.org" } },
            { "type": "files", "id": "7", "attributes": {
                "size": 3, "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z",
            } },
        ],
        "unheard_of": null,
    }))
    .unwrap();
    let task = document.data;
    assert_eq!(task.attributes.status, TaskStatus::Completed);
    assert_eq!(task.attributes.processed_at, None);
    assert_eq!(task.attributes.format.output.as_deref(), Some("image/of-tomorrow"));
    assert_eq!(task.relationships.input.data.unwrap().id, "7");
    assert_eq!(task.relationships.input.links.unwrap().related.as_deref(), Some("b"));
    assert_eq!(task.relationships.output.data, None);
    assert_eq!(task.links.this.as_deref(), Some("https://a.example/1"));
    let included = document.included.unwrap();
    assert_eq!(included.len(), 1, "files alone");
    assert_eq!(included[0].attributes.size, 3);
}

#[test]
fn the_least_that_makes_sense_is_enough() {
    let times =
        json!({ "size": 3, "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z" });
    let file: Document<FileResource> =
        serde_json::from_value(json!({ "data": { "type": "files", "id": "1", "attributes": times } }))
            .unwrap();
    assert_eq!(file.data.links.download, None);
    let list: Document<Vec<FileResource>, PageLinks> =
        serde_json::from_value(json!({ "data": [], "links": { "next": { "href": "n" } } })).unwrap();
    assert_eq!(list.links.unwrap(), PageLinks { prev: None, next: Some("n".to_owned()) });
}

#[test]
fn a_resource_of_another_type_is_no_user() {
    let attributes = json!({ "email": "a@example.org", "created_at": "", "updated_at": "" });
    let user = |kind: &str| {
        let data = json!({ "type": kind, "id": "1", "attributes": attributes });
        serde_json::from_value::<Document<UserResource>>(json!({ "data": data }))
    };
    assert_eq!(user("users").unwrap().data.attributes.name, "");
    assert!(user("files").is_err());
}

#[test]
fn neighbors_that_do_not_exist_are_written_as_null() {
    let list = Document::<Vec<FileResource>, PageLinks> {
        jsonapi: Default::default(),
        data: Vec::new(),
        links: Some(PageLinks::default()),
        meta: Some(Default::default()),
        included: None,
    };
    let expected = json!({
        "jsonapi": { "version": "1.1" },
        "data": [],
        "links": { "prev": null, "next": null },
        "meta": { "rangeTruncated": false },
    });
    assert_eq!(serde_json::to_value(list).unwrap(), expected);
}

#[test]
fn errors_are_read_with_codes_that_are_not_ours() {
    let document: ErrorDocument = serde_json::from_value(json!({ "errors": [
        { "code": "not_found", "title": "t", "detail": "d", "links": {}, "source": { "pointer": "/data" } },
        { "code": "unheard_of", "status": "418" },
        {},
    ] }))
    .unwrap();
    assert_eq!(document.errors[0].code, ErrorCode::NotFound.as_str());
    assert_eq!(document.errors[0].source.as_ref().unwrap().pointer.as_deref(), Some("/data"));
    assert_eq!(document.errors[1].code, "unheard_of");
    assert_eq!(document.errors[2].detail, "");
}

#[test]
fn codes_are_told_apart_by_name_and_title() {
    let mut names = HashSet::new();
    let mut titles = HashSet::new();
    for code in ErrorCode::ALL.iter().copied() {
        let name = code.as_str();
        assert!(names.insert(name), "{name} twice");
        assert!(titles.insert(code.title()), "{} twice", code.title());
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        assert!((400..=503).contains(&code.status()), "{name}");
        assert_eq!(serde_json::to_value(code).unwrap(), json!(name));
    }
    assert!(names.len() > 30);
}
