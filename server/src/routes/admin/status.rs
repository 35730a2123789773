//! `/v1/admin/status`: the queue and what is stored.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use crate::app::App;
use crate::http::document::{ApiResponse, single};
use crate::http::error::Result;
use crate::http::query::NoQuery;
use crate::lanes::Lane;

const PATH: &str = "/v1/admin/status";

/// `GET /v1/admin/status`
pub(super) async fn get(State(app): State<Arc<App>>, _: NoQuery) -> Result<Response> {
    let now = app.clock.now();
    let mut queue = Vec::new();
    for lane in [Lane::Image, Lane::Heavy] {
        let depth = app.store.depth(lane).await?;
        queue.push(json!({
            "lane": lane.as_str(),
            "pending": depth.pending,
            "processing": depth.processing,
            "oldest_age_seconds": depth.oldest.map(|oldest| now.since(oldest).as_secs()),
        }));
    }
    let stored = app.store.stored().await?;
    let status = json!({
        "type": "status",
        "id": "now",
        "attributes": {
            "version": env!("CARGO_PKG_VERSION"),
            "time": now.to_seconds_text(),
            "queue": queue,
            "callbacks_pending": app.store.pending_callbacks().await?,
            "users": stored.users,
            "storage": {
                "contents": if app.blobs.is_remote() { "object store" } else { "folder" },
                "files": stored.files,
                "bytes": stored.bytes,
                "awaited_files": stored.awaited,
                "free_disk_bytes": app.blobs.free_space()?,
            },
        },
    });
    Ok(ApiResponse::ok(&single(status, PATH.to_owned()))?.into_response())
}
