//! Tasks: asked for and looked up.

use super::json::{at, link, text_at};
use super::list::encode;
use super::{Client, Clock, Error, FileRef, Json, PageRequest, Result, Transport};

/// A task to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTask<J> {
    /// Id of the input file.
    pub input: String,
    /// Media type of the input, where the caller says it.
    pub input_format: Option<String>,
    /// Media type that it shall become; none: what it is, smaller.
    pub output_format: Option<String>,
    /// How; an object.
    pub settings: Option<J>,
    /// The output's link stays the same until the file expires.
    pub public: Option<J>,
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Asks for a conversion. `key` makes it once.
    pub async fn create_task(&self, task: &NewTask<T::Json>, key: &str) -> Result<T::Json, Error<T::Json>> {
        let NewTask { input, input_format, output_format, settings, public } = task;
        let text = |text| Some(T::Json::text(text));
        let format = (input_format.is_some() || output_format.is_some()).then(|| {
            T::Json::object(&[
                ("input", input_format.as_deref().map(T::Json::text)),
                ("output", output_format.as_deref().map(T::Json::text)),
            ])
        });
        let attributes = T::Json::object(&[
            ("format", format),
            ("settings", settings.clone()),
            ("public", public.clone()),
        ]);
        let input = T::Json::object(&[("type", text("files")), ("id", text(input))]);
        let input = T::Json::object(&[("data", Some(input))]);
        let data = T::Json::object(&[
            ("type", text("tasks")),
            ("attributes", Some(attributes)),
            ("relationships", Some(T::Json::object(&[("input", Some(input))]))),
        ]);
        self.post("/v1/tasks", &T::Json::object(&[("data", Some(data))]), key, "tasks").await
    }

    /// A task by its id.
    pub async fn task(&self, id: &str) -> Result<T::Json, Error<T::Json>> {
        self.get("/v1/tasks/", &encode(id), "tasks").await
    }

    /// Part of the tasks, the newest first.
    pub async fn tasks(&self, request: &PageRequest) -> Result<T::Json, Error<T::Json>> {
        self.page("/v1/tasks", request, "tasks").await
    }
}

/// Where the output of a task is, by its document: the link of the included file goes before that of the task.
pub fn output<J: Json>(document: &J) -> FileRef {
    let data = document.get("data");
    let id = data.as_ref().and_then(|data| text_at(data, &["relationships", "output", "data", "id"]));
    let included = at(document, &["included"]).map(|files| files.items()).unwrap_or_default();
    let file = included.iter().find(|file| id.is_some() && text_at(*file, &["id"]) == id);
    let download = file.and_then(|file| link(file, "download"));
    let download = download.or_else(|| data.as_ref().and_then(|data| link(data, "download")));
    FileRef { id: id.unwrap_or_default(), link: download }
}
