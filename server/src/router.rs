//! All paths of the API.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, head, options, post};
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;
use crate::http::{auth, cors, middleware, negotiate};
use crate::routes::{
    admin, content, files, health, openapi, resumable, tasks, tasks_cancel, tasks_create, users,
};

/// The router of the API.
pub fn router(app: &Arc<App>) -> Router {
    let api = Router::new()
        .route("/v1/files", get(files::list).post(files::create))
        .route("/v1/files/{id}", get(files::get).delete(files::delete))
        .route("/v1/tasks", get(tasks::list).post(tasks_create::create))
        .route("/v1/tasks/{id}", get(tasks::get).patch(tasks_cancel::cancel))
        .route("/v1/tasks/{id}/relationships/{name}", get(tasks::relationship))
        .route("/v1/tasks/{id}/{name}", get(tasks::related))
        .route("/v1/users/me", get(users::me))
        .route_layer(from_fn_with_state(Arc::clone(app), auth::authenticate))
        .route_layer(from_fn(negotiate::accept))
        .method_not_allowed_fallback(middleware::no_such_method);
    let create_upload = Router::new()
        .route("/v1/uploads", post(resumable::create))
        .route_layer(from_fn_with_state(Arc::clone(app), auth::authenticate))
        .route("/v1/uploads", options(resumable::options))
        .method_not_allowed_fallback(middleware::no_such_method);
    let (api, create_upload) = match cors::api(&app.config.cors_origins) {
        Some(layer) => (api.layer(layer.clone()), create_upload.layer(layer)),
        None => (api, create_upload),
    };
    let uploads = Router::new()
        .route(
            "/v1/uploads/{id}",
            head(resumable::head)
                .patch(resumable::patch)
                .delete(resumable::delete)
                .options(resumable::options),
        )
        .method_not_allowed_fallback(middleware::no_such_method)
        .layer(cors::uploads());
    let bytes = Router::new()
        .route("/v1/files/{id}/content", get(content::download).put(content::upload))
        .method_not_allowed_fallback(middleware::no_such_method)
        .layer(cors::bytes());
    let open = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/v1/openapi.json", get(openapi::get))
        .method_not_allowed_fallback(middleware::no_such_method);
    let uploads = uploads.merge(create_upload);
    let uploads = uploads.route_layer(from_fn_with_state(Arc::clone(app), resumable::announce));
    complete(app, api.merge(bytes).merge(uploads).merge(open))
}

/// The router of the operator's page. No page of another origin may call it.
pub fn admin(app: &Arc<App>) -> Router {
    let api = admin::api()
        .route_layer(from_fn_with_state(Arc::clone(app), auth::authenticate))
        .route_layer(from_fn(negotiate::accept))
        .method_not_allowed_fallback(middleware::no_such_method);
    let page = admin::page().method_not_allowed_fallback(middleware::no_such_method);
    complete(app, api.merge(page))
}

/// Adds what every path has in common.
fn complete(app: &Arc<App>, paths: Router<Arc<App>>) -> Router {
    paths
        .fallback(middleware::no_such_path)
        .layer(CatchPanicLayer::custom(middleware::panicked))
        .layer(from_fn_with_state(Arc::clone(app), middleware::respond))
        // Each handler limits its own body.
        .layer(DefaultBodyLimit::disable())
        .with_state(Arc::clone(app))
}

/// The router of the address of metrics.
pub fn operator(app: &Arc<App>) -> Router {
    Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::metrics))
        .with_state(Arc::clone(app))
}
