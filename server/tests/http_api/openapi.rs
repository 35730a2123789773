//! The OpenAPI description matches what the service does.

use std::collections::BTreeSet;

use filepress_wire::ErrorCode;
use serde_json::Value;

use crate::service::Service;

#[tokio::test]
async fn the_description_is_served_to_everyone() {
    let service = Service::start().await;
    let response =
        service.client.get(format!("{}/v1/openapi.json", service.running.url)).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    let served: Value = response.json().await.unwrap();
    assert_eq!(served, filepress_server::openapi::description());
    assert_eq!(served["openapi"], "3.1.0");
    assert_eq!(served["info"]["version"], "0.1.0");
}

#[test]
fn every_reference_resolves() {
    let description = filepress_server::openapi::description();
    let mut references = 0;
    visit(&description, &mut |value| {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            references += 1;
            let pointer = reference.strip_prefix('#').expect("a reference inside");
            assert!(description.pointer(pointer).is_some(), "{reference}");
        }
    });
    assert!(references > 100, "{references}");
}

#[test]
fn every_error_code_is_documented_for_some_path() {
    let description = filepress_server::openapi::description().to_string();
    for code in ErrorCode::ALL {
        assert!(description.contains(&format!("`{}`", code.as_str())), "{code:?}");
    }
}

#[tokio::test]
async fn the_description_matches_the_router() {
    let service = Service::with_admin().await;
    let admin = service.running.admin_url.as_ref().unwrap();
    let description = filepress_server::openapi::description();
    let brew = reqwest::Method::from_bytes(b"BREW").unwrap();
    let mut paths = 0;
    for (path, operations) in description["paths"].as_object().unwrap() {
        let base = if path.starts_with("/v1/admin/") { admin } else { &service.running.url };
        let url = format!("{base}{}", path.replace("{name}", "input"));
        let response = service.client.request(brew.clone(), url).send().await.unwrap();
        assert_eq!(response.status(), 405, "{path}");
        let allow = response.headers()["allow"].to_str().unwrap().to_lowercase();
        let allowed: BTreeSet<&str> = allow
            .split(',')
            .map(str::trim)
            .filter(|method| *method != "head" || !allow.contains("get"))
            .collect();
        let described: BTreeSet<&str> = operations
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .filter(|key| !["parameters", "description"].contains(key))
            .collect();
        assert_eq!(allowed, described, "{path}");
        paths += 1;
    }
    assert_eq!(paths, 16);
}

fn visit(value: &Value, each: &mut impl FnMut(&Value)) {
    each(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| visit(item, each)),
        Value::Object(members) => members.values().for_each(|member| visit(member, each)),
        _ => {}
    }
}
