//! The endpoints of tasks: `POST /v1/tasks`, `GET /v1/tasks/{id}`, `PATCH /v1/tasks/{id}` to cancel one, and
//! `GET /v1/tasks` for a page of the list.

use super::json::{at, link, text_at};
use super::{Call, Client, Clock, FileRef, Json, PageRequest, Transport};

/// A task to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTask<J> {
    /// Id of the input file; not used with `inputs`.
    pub input: String,
    /// The identifiers of several input files, an array.
    pub inputs: Option<J>,
    /// Media types of `input` and `output`, an object; without an output, the input is compressed in its own format.
    pub format: Option<J>,
    /// Settings of the task, an object.
    pub settings: Option<J>,
    /// Whether the output's download link stays valid until the file expires.
    pub public: Option<J>,
    /// The URL that the server calls when the task has ended.
    pub callback_url: Option<J>,
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Creates a task. `key` is the idempotency key.
    pub fn create_task(&self, task: &NewTask<T::Json>, key: &str) -> Call<'_, T, C> {
        let NewTask { input, inputs, format, settings, public, callback_url } = task;
        let text = |text| Some(T::Json::text(text));
        let attributes = T::Json::object(&[
            ("format", format.clone()),
            ("settings", settings.clone()),
            ("public", public.clone()),
            ("callback_url", callback_url.clone()),
        ]);
        let (name, files) = match inputs {
            Some(inputs) => ("inputs", inputs.clone()),
            None => ("input", T::Json::object(&[("type", text("files")), ("id", text(input))])),
        };
        let files = T::Json::object(&[("data", Some(files))]);
        let data = T::Json::object(&[
            ("type", text("tasks")),
            ("attributes", Some(attributes)),
            ("relationships", Some(T::Json::object(&[(name, Some(files))]))),
        ]);
        self.post("/v1/tasks", T::Json::object(&[("data", Some(data))]), key, "tasks")
    }

    /// Reads a task.
    pub fn task(&self, id: &str) -> Call<'_, T, C> {
        self.get("/v1/tasks/", id, "tasks")
    }

    /// Cancels a pending or processing task: its status becomes `FAILED` with the code `canceled`. Canceling it again succeeds; a task
    /// that finished otherwise is not changed (409).
    pub fn cancel_task(&self, id: &str) -> Call<'_, T, C> {
        let text = |text| Some(T::Json::text(text));
        let attributes = T::Json::object(&[("status", text("FAILED"))]);
        let data = [("type", text("tasks")), ("id", text(id)), ("attributes", Some(attributes))];
        let document = T::Json::object(&[("data", Some(T::Json::object(&data)))]);
        self.patch("/v1/tasks/", id, document, "tasks")
    }

    /// Lists a page of tasks, newest first.
    pub fn tasks(&self, request: &PageRequest) -> Call<'_, T, C> {
        self.page("/v1/tasks", request, "tasks")
    }
}

/// The output file of a task, from the document of the task. The link of the included file takes precedence over that of the task.
pub fn output<J: Json>(document: &J) -> FileRef {
    let data = document.get("data");
    let id = data.as_ref().and_then(|data| text_at(data, &["relationships", "output", "data", "id"]));
    let included = at(document, &["included"]).map(|files| files.items()).unwrap_or_default();
    let file = included.iter().find(|file| id.is_some() && text_at(*file, &["id"]) == id);
    let download = file.and_then(|file| link(file, "download"));
    let download = download.or_else(|| data.as_ref().and_then(|data| link(data, "download")));
    FileRef { id: id.unwrap_or_default(), link: download }
}
