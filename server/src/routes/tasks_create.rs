//! `POST /v1/tasks`: reads the document, checks it against the file, plans the conversion and queues the task.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use filepress_wire::ErrorCode;
use filepress_wire::documents::{NewTask, TaskKind};
use http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::task_inputs::{self, INPUT, INPUTS};
use super::tasks;
use crate::app::App;
use crate::callbacks::{CallbackUrl, UrlError};
use crate::clock::Timestamp;
use crate::http::auth::AuthenticatedUser;
use crate::http::body::JsonBody;
use crate::http::document::ApiResponse;
use crate::http::document_reader::Member;
use crate::http::error::{ApiError, Result};
use crate::http::idempotency::IdempotentRequest;
use crate::http::query::NoQuery;
use crate::http::request_id::RequestId;
use crate::store::records::{Secrets, Task, TaskInput};
use crate::store::{self, EnqueueResult, NewCallback};

/// `POST /v1/tasks`
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    Extension(request): Extension<RequestId>,
    headers: HeaderMap,
    _: NoQuery,
    body: JsonBody,
) -> Result<Response> {
    let once = IdempotentRequest::new(&app, &caller, &headers, "/v1/tasks", &body.bytes)?;
    let new = parse(&body.json)?;
    let is_list = body.json.pointer(INPUTS).is_some();
    let (again, owner) = (Arc::clone(&app), caller.clone());
    once.run(
        move |id| queue(app, caller, request, id, new, is_list),
        async move |id| match again.store.task(&owner.0.id, &id).await? {
            Some(task) => Ok(Some(created(&again, task).await?)),
            None => Ok(None),
        },
    )
    .await
}

async fn queue(
    app: Arc<App>,
    caller: AuthenticatedUser,
    request: RequestId,
    id: Option<String>,
    new: NewTask,
    is_list: bool,
) -> Result<ApiResponse> {
    let now = app.clock.now();
    let inputs = task_inputs::find(&app, &caller.0.id, &new, is_list, now).await?;
    let formats: Vec<_> = inputs.iter().map(|(_, format)| *format).collect();
    let callback_url = new.callback_url.as_deref().map(|url| callback_url(&app, url)).transpose()?;
    let plan = app
        .tools
        .plan_several(&formats, new.output_format, &new.settings)
        .map_err(|refusal| ApiError::new(refusal.code, refusal.detail).at(refusal.pointer))?;
    app.accepts(0)?;
    check_processing_quota(&app, &caller, now).await?;
    check_storage_quota(&app, &caller, now).await?;
    let bytes = inputs.iter().map(|(file, _)| file.size).sum();
    let mut inputs = inputs.into_iter().map(|(file, format)| TaskInput { file: file.id, format });
    let first = inputs.next().ok_or_else(|| ApiError::not_found().at(INPUT))?;
    let task = store::NewTask {
        id,
        user: caller.0.id.clone(),
        public: new.public,
        lane: plan.lane(),
        class: plan.class(bytes),
        input_format: first.format,
        output_format: plan.output(),
        settings: plan.settings(),
        secrets: Secrets(plan.secrets()),
        input: first.file,
        more_inputs: inputs.collect(),
        callback: callback_url.map(|url| NewCallback {
            url: url.as_str().to_owned(),
            max_per_user: app.config.max_callbacks_per_user,
        }),
        request_id: request.as_str().to_owned(),
    };
    let (per_user, in_all) = (app.config.max_pending_per_user, app.config.max_queue);
    let task = accepted(&app, app.store.add_task(task, per_user, in_all, now).await?)?;
    app.queued.notify_waiters();
    created(&app, task).await
}

/// The queued task, or why there is none.
fn accepted(app: &App, result: EnqueueResult) -> Result<Task> {
    match result {
        EnqueueResult::Task(task) => Ok(task),
        EnqueueResult::NoInput => Err(ApiError::not_found().at(INPUT)),
        EnqueueResult::UserFull => {
            let max = app.config.max_pending_per_user;
            let detail =
                format!("You have reached the limit of {max} unfinished tasks; wait until one ends.");
            Err(ApiError::new(ErrorCode::TooManyPendingTasks, detail).retry_after(5))
        }
        EnqueueResult::CallbacksFull => {
            let max = app.config.max_callbacks_per_user;
            let detail = format!("{max} of your callbacks were not delivered yet; see to their receiver.");
            Err(ApiError::new(ErrorCode::TooManyCallbacks, detail).retry_after(60))
        }
        EnqueueResult::QueueFull => {
            Err(ApiError::new(ErrorCode::QueueFull, "The queue is full; try again later.").retry_after(10))
        }
    }
}

async fn check_processing_quota(app: &App, caller: &AuthenticatedUser, now: Timestamp) -> Result<()> {
    let Some(max) = app.config.max_cpu_per_user else { return Ok(()) };
    let (charged, tomorrow) = app.store.charged(&caller.0.id, now).await?;
    if charged < max {
        return Ok(());
    }
    let detail = format!("Your tasks have used the processor time of {} s per day (UTC).", max.as_secs());
    let error = ApiError::new(ErrorCode::ProcessingQuotaExceeded, detail);
    Err(error.retry_after(tomorrow.since(now).as_secs() + 1))
}

/// Refuses a task whose output would find no room. What an output may take at most is what is left when its task begins.
async fn check_storage_quota(app: &App, caller: &AuthenticatedUser, now: Timestamp) -> Result<()> {
    let Some(max) = app.config.max_bytes_per_user else { return Ok(()) };
    if app.store.storage_left(&caller.0.id, max, now).await? > 0 {
        return Ok(());
    }
    let detail = format!(
        "Your files have {max} bytes in total, the most they may; delete files, or wait until they expire."
    );
    let error = ApiError::new(ErrorCode::StorageQuotaExceeded, detail);
    match app.store.first_expiry(&caller.0.id, now).await? {
        Some(until) => Err(error.retry_after(until.since(now).as_secs() + 1)),
        None => Err(error),
    }
}

/// The response to a request that created a task, also when it is repeated.
async fn created(app: &App, task: Task) -> Result<ApiResponse> {
    let location = Some(app.task_url(&task.id));
    Ok(ApiResponse { status: StatusCode::CREATED, location, ..tasks::answer(app, task).await? })
}

fn parse(document: &Value) -> Result<NewTask> {
    let data = Member::data(document, TaskKind::NAME)?;
    let attributes = data.get("attributes")?;
    let attribute = |name: &str| match &attributes {
        Some(attributes) => attributes.get(name),
        None => Ok(None),
    };
    let (mut input_format, mut output_format) = (None, None);
    if let Some(format) = attribute("format")? {
        if !format.value().is_object() {
            return Err(format.wrong("must be an object with input and output"));
        }
        let media_type = |name: &str| format.get(name)?.map(|member| member.media_type()).transpose();
        (input_format, output_format) = (media_type("input")?, media_type("output")?);
    }
    let settings = match attribute("settings")? {
        Some(settings) if !settings.value().is_object() => return Err(settings.wrong("must be an object")),
        Some(settings) => settings.object()?.clone(),
        None => serde_json::Map::new(),
    };
    let public = attribute("public")?.map(|public| public.boolean()).transpose()?.unwrap_or(false);
    let callback_url = attribute("callback_url")?.map(|url| url.text().map(str::to_owned)).transpose()?;
    Ok(NewTask {
        inputs: task_inputs::ids(&data)?,
        input_format,
        output_format,
        settings,
        public,
        callback_url,
    })
}

/// The URL that is called when the task ends. Whether a name leads to an address that is allowed is found out when it is called.
fn callback_url(app: &App, text: &str) -> Result<CallbackUrl> {
    CallbackUrl::parse(text, app.config.allow_private_callbacks).map_err(|refusal| {
        let code = match refusal {
            UrlError::Malformed => ErrorCode::InvalidValue,
            UrlError::NotHttps | UrlError::Address => ErrorCode::CallbackNotAllowed,
        };
        ApiError::new(code, format!("The URL {refusal}.")).at("/data/attributes/callback_url")
    })
}
