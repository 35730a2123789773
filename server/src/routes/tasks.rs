//! `/v1/tasks`: lists and shows tasks with their files. [`super::tasks_create`] creates them.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use filepress_wire::documents::{Document, JsonApi, ListMeta, RelationshipLinks};
use http::HeaderValue;
use http::header::RETRY_AFTER;
use serde::Serialize;

use super::resources;
use crate::app::App;
use crate::clock::Timestamp;
use crate::http::auth::AuthenticatedUser;
use crate::http::document::{ApiResponse, single};
use crate::http::error::{ApiError, Result};
use crate::http::pagination::PageQuery;
use crate::http::path_params::PathParams;
use crate::http::query::NoQuery;
use crate::store::records::{File, Task, TaskInput};

/// The relationship with all inputs, an addition to the API.
const INPUTS: &str = "inputs";

/// `GET /v1/tasks`
pub async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    wanted: PageQuery,
) -> Result<Response> {
    let now = app.clock.now();
    let tasks = app.store.tasks(&caller.0.id, wanted.page()).await?;
    let files = files(&app, &caller.0.id, &tasks.items, now).await?;
    let document = Document {
        jsonapi: JsonApi::default(),
        links: Some(wanted.links(&format!("{}/v1/tasks", app.public_url), &tasks, |task| task.created_at)),
        meta: Some(ListMeta { range_truncated: tasks.has_older }),
        data: tasks.items.iter().map(|task| resource(&app, task, None, &files, now)).collect::<Vec<_>>(),
        included: Some(included(&app, &tasks.items, &files, now).await),
    };
    Ok(ApiResponse::ok(&document)?.into_response())
}

/// `GET /v1/tasks/{id}`
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    PathParams(id): PathParams<String>,
    _: NoQuery,
) -> Result<Response> {
    let task = app.store.task(&caller.0.id, &id).await?.ok_or_else(ApiError::not_found)?;
    let is_terminal = task.status.is_terminal();
    let mut response = answer(&app, task).await?.into_response();
    if !is_terminal {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    Ok(response)
}

/// `GET /v1/tasks/{id}/relationships/{input,inputs,output}`
pub async fn relationship(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    PathParams((id, name)): PathParams<(String, String)>,
    _: NoQuery,
) -> Result<Response> {
    let task = app.store.task(&caller.0.id, &id).await?.ok_or_else(ApiError::not_found)?;
    let links = resources::relationship_links(&app.task_url(&task.id), &name);
    if name == INPUTS {
        let inputs = resources::input_identifiers(&task, &app.store.more_inputs(&task).await?);
        return linked(inputs, links);
    }
    linked(resources::relationship(&app.task_url(&task.id), &name, file_id(&task, &name)?).data, links)
}

/// `GET /v1/tasks/{id}/{input,inputs,output}`
pub async fn related(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    PathParams((id, name)): PathParams<(String, String)>,
    _: NoQuery,
) -> Result<Response> {
    let now = app.clock.now();
    let task = app.store.task(&caller.0.id, &id).await?.ok_or_else(ApiError::not_found)?;
    let url = format!("{}/{name}", app.task_url(&task.id));
    if name == INPUTS {
        let ids = resources::input_identifiers(&task, &app.store.more_inputs(&task).await?);
        let ids: Vec<&str> = ids.iter().map(|identifier| identifier.id.as_str()).collect();
        let files = app.store.files_of(&caller.0.id, &ids, now).await?;
        let files: HashMap<_, _> = files.iter().map(|file| (file.id.as_str(), file)).collect();
        let files: Vec<&File> = ids.iter().filter_map(|id| files.get(id).copied()).collect();
        let files = resources::files(&app, &files, now).await;
        return Ok(ApiResponse::ok(&single(files, url))?.into_response());
    }
    let file = match file_id(&task, &name)? {
        Some(file) => Some(app.store.file(&caller.0.id, file, now).await?.ok_or_else(ApiError::not_found)?),
        None => None,
    };
    let data = match &file {
        Some(file) => Some(resources::file(&app, file, false, now).await),
        None => None,
    };
    Ok(ApiResponse::ok(&single(data, url))?.into_response())
}

/// The document of a relationship.
fn linked<D: Serialize>(data: D, links: RelationshipLinks) -> Result<Response> {
    let document =
        Document { jsonapi: JsonApi::default(), data, links: Some(links), meta: None, included: None };
    Ok(ApiResponse::ok(&document)?.into_response())
}

/// The document of one task with its files, for its owner.
///
/// # Errors
/// If the database fails.
pub async fn answer(app: &App, task: Task) -> Result<ApiResponse> {
    let now = app.clock.now();
    let tasks = [task];
    let files = files(app, &tasks[0].user, &tasks, now).await?;
    let [task] = &tasks;
    let more_inputs = app.store.more_inputs(task).await?;
    let resource = resource(app, task, Some(&more_inputs), &files, now);
    let mut document = single(resource, app.task_url(&task.id));
    document.included = Some(included(app, &tasks, &files, now).await);
    ApiResponse::ok(&document)
}

async fn files(app: &App, user: &str, tasks: &[Task], now: Timestamp) -> Result<HashMap<String, File>> {
    let ids: Vec<&str> = tasks.iter().flat_map(ids).collect();
    let files = app.store.files_of(user, &ids, now).await?;
    Ok(files.into_iter().map(|file| (file.id.clone(), file)).collect())
}

fn ids(task: &Task) -> impl Iterator<Item = &str> {
    std::iter::once(task.input.as_str()).chain(task.output.as_deref())
}

fn resource(
    app: &App,
    task: &Task,
    more_inputs: Option<&[TaskInput]>,
    files: &HashMap<String, File>,
    now: Timestamp,
) -> filepress_wire::documents::TaskResource {
    resources::task(app, task, more_inputs, task.output.as_ref().and_then(|id| files.get(id)), now)
}

/// The files of these tasks, in order and without duplicates.
async fn included(
    app: &App,
    tasks: &[Task],
    files: &HashMap<String, File>,
    now: Timestamp,
) -> Vec<filepress_wire::documents::FileResource> {
    let mut left: HashMap<&str, &File> = files.iter().map(|(id, file)| (id.as_str(), file)).collect();
    let found: Vec<&File> = tasks.iter().flat_map(ids).filter_map(|id| left.remove(id)).collect();
    resources::files(app, &found, now).await
}

fn file_id<'a>(task: &'a Task, name: &str) -> Result<Option<&'a str>> {
    match name {
        "input" => Ok(Some(&task.input)),
        "output" => Ok(task.output.as_deref()),
        _ => Err(ApiError::not_found()),
    }
}
