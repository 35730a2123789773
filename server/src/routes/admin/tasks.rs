//! `/v1/admin/tasks`: the tasks of all users, without their settings and URLs.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use super::list::ListQuery;
use crate::app::App;
use crate::clock::Timestamp;
use crate::http::body::JsonBody;
use crate::http::document::{ApiResponse, single};
use crate::http::error::{ApiError, Result};
use crate::http::path_params::PathParams;
use crate::http::query::NoQuery;
use crate::routes::tasks_cancel;
use crate::store::ListCursor;
use crate::store::records::Task;

const PATH: &str = "/v1/admin/tasks";

/// `GET /v1/admin/tasks`
pub(super) async fn list(State(app): State<Arc<App>>, query: ListQuery) -> Result<Response> {
    let tasks = app.store.all_tasks(query.status, query.after.clone(), query.limit()).await?;
    let items = tasks.iter().map(|(task, email)| {
        (resource(task, email), ListCursor { created_at: task.created_at, id: task.id.clone() })
    });
    query.answer(PATH, items.collect())
}

/// `PATCH /v1/admin/tasks/{id}`: cancels a task, as its owner may by `PATCH /v1/tasks/{id}`.
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    _: NoQuery,
    body: JsonBody,
) -> Result<Response> {
    tasks_cancel::check(&body.json, &id)?;
    let task = tasks_cancel::finish(&app, app.store.cancel_any(&id, app.clock.now()).await?)?;
    let owner = app.store.user(&task.user).await?.ok_or_else(ApiError::not_found)?;
    let document = single(resource(&task, &owner.email), format!("{PATH}/{id}"));
    Ok(ApiResponse::ok(&document)?.into_response())
}

fn resource(task: &Task, email: &str) -> Value {
    json!({
        "type": "tasks",
        "id": task.id,
        "attributes": {
            "email": email,
            "status": task.status.as_str(),
            "lane": task.lane.as_str(),
            "format": { "input": task.input_format.as_str(), "output": task.output_format.as_str() },
            "inputs": task.input_count,
            "attempt": task.attempt,
            "progress": task.metadata.get("progress"),
            "error": task.metadata.get("error"),
            "created_at": task.created_at.to_micros_text(),
            "started_at": task.started_at.map(Timestamp::to_micros_text),
            "processed_at": task.processed_at.map(Timestamp::to_micros_text),
        },
    })
}
