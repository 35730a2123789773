//! Starts calls of the REST client by name; `executor` runs them.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::clock::HostClock;
use super::executor;
use super::fetch::{FetchResponse, FetchTransport, Host};
use super::json::JsJson;
use super::value::error_to_js;
use crate::error::ErrorCode;
use crate::remote::{
    Client, Conversion, Error, FileRef, Json, NewTask, PageRequest, RetryPolicy, Settings, Step, Upload, Url,
};

/// Starts a call and returns its id. `options` are validated already: those of the call, and the settings of the client (`baseUrl`,
/// `timeout`, `attempts`, `minDelay`, `maxDelay`, `deadline`). `upload` is described in `pkg-template/lib/client/host.js`. `notify` is
/// called for each step with its id or ratio.
#[wasm_bindgen]
pub fn begin(
    host: Host,
    call: String,
    options: JsValue,
    upload: JsValue,
    notify: Option<Function>,
) -> Result<u32, JsValue> {
    let options = JsJson(options);
    let base = base_url(&text(&options, "baseUrl").unwrap_or_default())?;
    let retry = RetryPolicy {
        attempts: number(&options, "attempts") as u32,
        min_delay: number(&options, "minDelay"),
        max_delay: number(&options, "maxDelay"),
        deadline: number(&options, "deadline"),
    };
    let client = Client::new(
        FetchTransport(host.clone()),
        HostClock(host),
        base,
        Settings { timeout: number(&options, "timeout"), retry },
    );
    Ok(executor::spawn(async move {
        match run(&client, &call, &options, upload, notify).await {
            Ok(value) => Ok(value),
            Err(error) => Err(remote_error_to_js(error)),
        }
    }))
}

fn base_url(text: &str) -> Result<Url, JsValue> {
    // JavaScript has validated it already, with a message for each mistake.
    Url::parse(text).map_err(|_| {
        let error = crate::Error::new(ErrorCode::InvalidOption, "baseUrl is not a safe URL.");
        error_to_js(&error.with_detail("option", "baseUrl"))
    })
}

async fn run(
    client: &Client<FetchTransport, HostClock>,
    call: &str,
    options: &JsJson,
    upload: JsValue,
    notify: Option<Function>,
) -> Result<JsValue, Error<JsJson>> {
    // Each branch reads its own options: a value shared by all would add drop code to each.
    let call = match call {
        "files.create" => {
            let format = text(options, "format");
            client.create_file(number(options, "size"), format.as_deref(), &required_text(options, "key"))
        }
        "files.get" => client.file(&required_text(options, "id")),
        "files.list" => client.files(&page(options)),
        "files.delete" => client.delete_file(&required_text(options, "id")),
        "files.upload" => {
            let upload = Upload { file: file(options), bytes: upload, size: number(options, "size") };
            return client.upload(&upload).await.map(|()| JsValue::UNDEFINED);
        }
        "files.download" => {
            let (file, offset) = (file(options), number(options, "offset"));
            return client
                .download(&file, offset, text(options, "etag"))
                .await
                .map(FetchResponse::into_response);
        }
        "tasks.create" => client.create_task(&task(options), &required_text(options, "key")),
        "tasks.get" => client.task(&required_text(options, "id")),
        "tasks.list" => client.tasks(&page(options)),
        "tasks.cancel" => client.cancel_task(&required_text(options, "id")),
        "tasks.wait" => {
            let limit = options.get("limit").and_then(|limit| limit.as_number());
            let notify = |ratio| notify_step(notify.as_ref(), Step::Process(ratio));
            return client
                .wait(&required_text(options, "id"), limit, &notify)
                .await
                .map(|document| document.0);
        }
        "users.me" => client.me(),
        _ => {
            let notify = |step: Step<'_>| notify_step(notify.as_ref(), step);
            return client.convert(conversion(options, upload), &notify).await.map(|document| document.0);
        }
    };
    call.await.map(|document| document.0)
}

fn file(options: &JsJson) -> FileRef {
    FileRef { id: required_text(options, "id"), link: text(options, "link") }
}

fn task(options: &JsJson) -> NewTask<JsJson> {
    NewTask {
        input: required_text(options, "id"),
        inputs: options.get("inputs"),
        format: options.get("format"),
        settings: options.get("settings"),
        public: options.get("public"),
        callback_url: options.get("callback_url"),
    }
}

fn conversion(options: &JsJson, bytes: JsValue) -> Conversion<JsJson, JsValue> {
    Conversion {
        bytes,
        size: number(options, "size"),
        input: required_text(options, "input"),
        output: text(options, "output"),
        settings: options.get("settings"),
        key: required_text(options, "key"),
    }
}

/// Calls `notify`; an exception that it throws is ignored.
fn notify_step(notify: Option<&Function>, step: Step<'_>) {
    let (name, value) = match step {
        Step::Upload(id) => ("upload", id.into()),
        Step::Task(id) => ("task", id.into()),
        Step::Process(ratio) => ("process", ratio.into()),
    };
    if let Some(notify) = notify {
        let _ = notify.call2(&JsValue::NULL, &name.into(), &value);
    }
}

fn page(options: &JsJson) -> PageRequest {
    PageRequest {
        link: text(options, "link"),
        size: options.get("pageSize").and_then(|size| size.as_number()).map(|size| size as u64),
        after: text(options, "after"),
        before: text(options, "before"),
    }
}

/// The object that JavaScript throws for an error.
fn remote_error_to_js(error: Error<JsJson>) -> JsValue {
    let text = |text: Option<String>| text.map(|text| JsJson::text(&text));
    let source = error.source;
    let has_source = source.pointer.is_some() || source.parameter.is_some() || source.header.is_some();
    let source = has_source.then(|| {
        JsJson::object(&[
            ("pointer", text(source.pointer)),
            ("parameter", text(source.parameter)),
            ("header", text(source.header)),
        ])
    });
    let plain = JsJson::object(&[
        ("kind", Some(JsJson::text("remote"))),
        ("code", Some(JsJson::text(&error.code))),
        ("message", Some(JsJson::text(&error.message))),
        ("status", error.status.map(|status| JsJson::number(status.into()))),
        ("requestId", text(error.request_id)),
        ("source", source),
        ("retryable", Some(JsJson(error.retryable.into()))),
        ("details", Some(JsJson::object(&[("reason", text(error.reason))]))),
        ("task", error.task),
    ]);
    plain.0
}

fn text(options: &JsJson, name: &str) -> Option<String> {
    options.get(name)?.as_text()
}

/// The string of a required member.
fn required_text(options: &JsJson, name: &str) -> String {
    text(options, name).unwrap_or_default()
}

fn number(options: &JsJson, name: &str) -> f64 {
    options.get(name).and_then(|value| value.as_number()).unwrap_or_default()
}
