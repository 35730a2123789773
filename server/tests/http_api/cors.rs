//! CORS: what pages of other origins may do.

use reqwest::Method;
use reqwest::header::{ACCESS_CONTROL_REQUEST_METHOD, ORIGIN};

use crate::service::{PNG, Service, header, link};

#[tokio::test]
async fn only_listed_origins_may_call_the_api() {
    let service = Service::start().await;
    let response = service.get("/v1/files").header(ORIGIN, "https://a.example").send().await.unwrap();
    assert!(!response.headers().contains_key("access-control-allow-origin"));
    let preflight = service.client.request(Method::OPTIONS, format!("{}/v1/files", service.running.url));
    let preflight =
        preflight.header(ORIGIN, "https://a.example").header(ACCESS_CONTROL_REQUEST_METHOD, "POST");
    let response = preflight.send().await.unwrap();
    assert_eq!(response.status(), 405);
    assert!(!response.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn a_listed_origin_may_call_the_api_without_cookies() {
    let service = Service::with(|config| config.cors_origins = vec!["https://a.example".to_owned()]).await;
    for (origin, allowed) in [("https://a.example", "https://a.example"), ("https://b.example", "")] {
        for (path, status) in [("/v1/files", 200), ("/v1/files/1", 404), ("/v1/files?a=1", 400)] {
            let response = service.get(path).header(ORIGIN, origin).send().await.unwrap();
            assert_eq!(response.status(), status);
            assert_eq!(header(response.headers(), "access-control-allow-origin"), allowed);
            assert!(!response.headers().contains_key("access-control-allow-credentials"));
        }
        let preflight = service.client.request(Method::OPTIONS, format!("{}/v1/files", service.running.url));
        let preflight = preflight.header(ORIGIN, origin).header(ACCESS_CONTROL_REQUEST_METHOD, "POST");
        let response = preflight.send().await.unwrap();
        assert_eq!(header(response.headers(), "access-control-allow-origin"), allowed);
        assert!(header(response.headers(), "access-control-allow-headers").contains("authorization"));
        let methods = header(response.headers(), "access-control-allow-methods");
        assert!(
            ["GET", "POST", "PATCH", "DELETE"].iter().all(|method| methods.contains(method)),
            "{methods}"
        );
    }
}

#[tokio::test]
async fn all_origins_may_use_signed_urls() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let url = link(&file, "download");
    let response = service.client.get(url).header(ORIGIN, "https://a.example").send().await.unwrap();
    assert_eq!(header(response.headers(), "access-control-allow-origin"), "*");
    assert!(header(response.headers(), "access-control-expose-headers").contains("content-disposition"));
    let preflight = service.client.request(Method::OPTIONS, url).header(ORIGIN, "https://a.example");
    let response = preflight.header(ACCESS_CONTROL_REQUEST_METHOD, "PUT").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(header(response.headers(), "access-control-allow-methods").contains("PUT"));
    assert!(!response.headers().contains_key("access-control-allow-credentials"));
}
