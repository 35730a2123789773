//! The operator's page and what it calls: `/v1/admin/…`, on an address of its own (`admin-listen`), with a key that has the scope `admin`.
//!
//! Nothing here shows a key that exists, a content or a signed URL.

mod keys;
mod list;
mod page;
mod status;
mod tasks;

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, patch};

use crate::app::App;

/// What needs a key.
pub fn api() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/admin/status", get(status::get))
        .route("/v1/admin/tasks", get(tasks::list))
        .route("/v1/admin/tasks/{id}", patch(tasks::cancel))
        .route("/v1/admin/keys", get(keys::list).post(keys::create))
        .route("/v1/admin/keys/{id}", delete(keys::revoke))
}

/// The page, which is the same for everyone: what it shows comes from the paths above.
pub fn page() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(page::document))
        .route("/page.css", get(page::style))
        .route("/page.js", get(page::script))
        .route("/icon.svg", get(page::icon))
}
