//! The operator's endpoints: health, readiness and metrics, on their own address.

use std::net::SocketAddr;

use crate::service::{PNG, Service, refused};

async fn with_operator() -> (Service, String) {
    let service =
        Service::with(|config| config.metrics_listen = Some(SocketAddr::from(([127, 0, 0, 1], 0)))).await;
    let base = format!("http://{}", service.running.metrics_address.unwrap());
    (service, base)
}

async fn text(service: &Service, url: String) -> (u16, String) {
    let response = service.client.get(url).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test]
async fn health_checks_need_no_key() {
    let (service, base) = with_operator().await;
    for base in [&base, &service.running.url] {
        assert_eq!(text(&service, format!("{base}/healthz")).await, (200, "ok\n".to_owned()));
        assert_eq!(text(&service, format!("{base}/readyz")).await, (200, "ready\n".to_owned()));
    }
    let full = Service::with(|config| config.min_free_disk = u64::MAX).await;
    let url = format!("{}/readyz", full.running.url);
    assert_eq!(text(&full, url).await, (503, "disk_full\n".to_owned()));
}

#[tokio::test]
async fn metrics_are_served_only_on_the_operator_address() {
    let (service, base) = with_operator().await;
    let file = service.file(PNG).await;
    service.task(&file).await;
    refused(service.get("/v1/nothing").send().await.unwrap(), 404, "not_found").await;
    let (status, metrics) = text(&service, format!("{base}/metrics")).await;
    assert_eq!(status, 200);
    for line in [
        r#"filepress_requests_total{method="POST",route="/v1/tasks",status="201"} 1"#,
        r#"filepress_requests_total{method="GET",route="none",status="404"} 1"#,
        r#"filepress_rejections_total{code="not_found"} 1"#,
        r#"filepress_queue_tasks{lane="image",status="PENDING"} 1"#,
        r#"filepress_queue_tasks{lane="heavy",status="PROCESSING"} 0"#,
        r#"filepress_queue_oldest_age_seconds{lane="image"} 0"#,
        &format!(r#"filepress_transferred_bytes_total{{direction="in"}} {}"#, PNG.len()),
        "# EOF",
    ] {
        assert!(metrics.lines().any(|candidate| candidate == line), "{line}\n{metrics}");
    }
    assert!(!metrics.contains(&service.user), "nobody is counted by name");
    refused(service.get("/metrics").send().await.unwrap(), 404, "not_found").await;
    assert_eq!(text(&service, format!("{base}/v1/files")).await.0, 404);
}
