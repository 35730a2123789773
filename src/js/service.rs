//! The calls of a client, begun by name; `calls` carries them on.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::calls;
use super::clock::HostClock;
use super::fetch::{Answer, Fetch, Host};
use super::json::JsJson;
use super::value::error_to_js;
use crate::error::ErrorCode;
use crate::remote::{
    Address, Client, Conversion, Error, FileRef, Json, NewTask, PageRequest, RetryPolicy, Settings, Step,
    Upload,
};

/// Begins a call and returns its id. `options` are plain and checked; beside those of the call they have the settings of the
/// client (`baseUrl`, `timeout`, `attempts`, `minDelay`, `maxDelay`, `deadline`). `parcel` is what is uploaded, see
/// `pkg-template/lib/client/host.js`; `notify` hears of steps, with the id or the ratio of each.
#[wasm_bindgen]
pub fn begin(
    host: Host,
    call: String,
    options: JsValue,
    parcel: JsValue,
    notify: Option<Function>,
) -> Result<u32, JsValue> {
    let options = JsJson(options);
    let base = address(&text(&options, "baseUrl").unwrap_or_default())?;
    let retry = RetryPolicy {
        attempts: number(&options, "attempts") as u32,
        min_delay: number(&options, "minDelay"),
        max_delay: number(&options, "maxDelay"),
        deadline: number(&options, "deadline"),
    };
    let client = Client::new(
        Fetch(host.clone()),
        HostClock(host),
        base,
        Settings { timeout: number(&options, "timeout"), retry },
    );
    Ok(calls::begin(async move {
        match run(&client, &call, &options, parcel, notify).await {
            Ok(value) => Ok(value),
            Err(error) => Err(error_of(error)),
        }
    }))
}

fn address(text: &str) -> Result<Address, JsValue> {
    // Looked at before, where there are words for what is wrong with it.
    Address::parse(text).map_err(|_| {
        let error = crate::Error::new(ErrorCode::InvalidOption, "baseUrl is no safe web address.");
        error_to_js(&error.with_detail("option", "baseUrl"))
    })
}

async fn run(
    client: &Client<Fetch, HostClock>,
    call: &str,
    options: &JsJson,
    parcel: JsValue,
    notify: Option<Function>,
) -> Result<JsValue, Error<JsJson>> {
    // Each reads what it needs where it needs it: what lives across all of them would be dropped by each.
    let call = match call {
        "files.create" => {
            let format = text(options, "format");
            client.create_file(number(options, "size"), format.as_deref(), &named(options, "key"))
        }
        "files.get" => client.file(&named(options, "id")),
        "files.list" => client.files(&page(options)),
        "files.delete" => client.delete_file(&named(options, "id")),
        "files.upload" => {
            let upload = Upload { file: file(options), bytes: parcel, size: number(options, "size") };
            return client.upload(&upload).await.map(|()| JsValue::UNDEFINED);
        }
        "files.download" => {
            let (file, offset) = (file(options), number(options, "offset"));
            return client.download(&file, offset, text(options, "etag")).await.map(Answer::into_response);
        }
        "tasks.create" => client.create_task(&task(options), &named(options, "key")),
        "tasks.get" => client.task(&named(options, "id")),
        "tasks.list" => client.tasks(&page(options)),
        "tasks.cancel" => client.cancel_task(&named(options, "id")),
        "tasks.wait" => {
            let limit = options.get("limit").and_then(|limit| limit.as_number());
            let notify = |ratio| tell(notify.as_ref(), Step::Process(ratio));
            return client.wait(&named(options, "id"), limit, &notify).await.map(|document| document.0);
        }
        "users.me" => client.me(),
        _ => {
            let notify = |step: Step<'_>| tell(notify.as_ref(), step);
            return client.convert(conversion(options, parcel), &notify).await.map(|document| document.0);
        }
    };
    call.await.map(|document| document.0)
}

fn file(options: &JsJson) -> FileRef {
    FileRef { id: named(options, "id"), link: text(options, "link") }
}

fn task(options: &JsJson) -> NewTask<JsJson> {
    NewTask {
        input: named(options, "id"),
        input_format: text(options, "input"),
        output_format: text(options, "output"),
        settings: options.get("settings"),
        public: options.get("public"),
    }
}

fn conversion(options: &JsJson, bytes: JsValue) -> Conversion<JsJson, JsValue> {
    Conversion {
        bytes,
        size: number(options, "size"),
        input: named(options, "input"),
        output: text(options, "output"),
        settings: options.get("settings"),
        key: named(options, "key"),
    }
}

/// What it throws is ignored.
fn tell(notify: Option<&Function>, step: Step<'_>) {
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

/// An error as what JavaScript catches.
fn error_of(error: Error<JsJson>) -> JsValue {
    let text = |text: Option<String>| text.map(|text| JsJson::text(&text));
    let source = error.source;
    let is_placed = source.pointer.is_some() || source.parameter.is_some() || source.header.is_some();
    let source = is_placed.then(|| {
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

/// The text of a member that is there.
fn named(options: &JsJson, name: &str) -> String {
    text(options, name).unwrap_or_default()
}

fn number(options: &JsJson, name: &str) -> f64 {
    options.get(name).and_then(|value| value.as_number()).unwrap_or_default()
}
