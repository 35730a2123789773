//! `PATCH /v1/tasks/{id}`: cancels a task. This is an addition to the API: `status` can be set to `FAILED`; nothing else can be changed.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use filepress_wire::ErrorCode;
use filepress_wire::documents::TaskKind;
use serde_json::Value;

use super::tasks;
use crate::app::App;
use crate::http::auth::AuthenticatedUser;
use crate::http::body::JsonBody;
use crate::http::document_reader::Member;
use crate::http::error::{ApiError, Result};
use crate::http::path_params::PathParams;
use crate::http::query::NoQuery;
use crate::store::CancelResult;
use crate::store::records::{Status, Task};

/// `PATCH /v1/tasks/{id}`
pub async fn cancel(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    PathParams(id): PathParams<String>,
    _: NoQuery,
    body: JsonBody,
) -> Result<Response> {
    check(&body.json, &id)?;
    let canceled = app.store.cancel(&caller.0.id, &id, app.clock.now()).await?;
    let task = finish(&app, canceled)?;
    Ok(tasks::answer(&app, task).await?.into_response())
}

/// Tells the workers of a canceled task, and returns it.
pub(super) fn finish(app: &App, canceled: CancelResult) -> Result<Task> {
    match canceled {
        CancelResult::Done { task, running } => {
            app.canceled.notify_waiters();
            app.callback_due.notify_waiters();
            // A worker that was running the task counts it itself.
            if !running {
                app.metrics.canceled(task.input_format, task.output_format);
            }
            tracing::info!(id = task.id, running, "a task was canceled");
            Ok(task)
        }
        CancelResult::Already(task) => Ok(task),
        CancelResult::Ended(status) => {
            let detail = format!("The task has already ended with the status {}.", status.as_str());
            Err(ApiError::new(ErrorCode::TaskEnded, detail))
        }
        CancelResult::Unknown => Err(ApiError::not_found()),
    }
}

/// Checks that the document sets `status` to `FAILED` and nothing else.
pub(super) fn check(document: &Value, id: &str) -> Result<()> {
    let data = Member::update(document, TaskKind::NAME, id)?;
    data.only(&["type", "id", "attributes"])?;
    let attributes = data.get("attributes")?.ok_or_else(|| data.lacks("attributes"))?;
    attributes.only(&["status"])?;
    let status = attributes.get("status")?.ok_or_else(|| attributes.lacks("status"))?;
    if status.text()? != Status::Failed.as_str() {
        return Err(status.wrong("can only be set to \"FAILED\", which cancels the task"));
    }
    Ok(())
}
