//! A whole conversion in one call: create the file, PUT its content, create the task, poll.

use super::json::{at, link, text_at};
use super::{Client, Clock, Error, FileRef, Json, NewTask, Result, Transport, Upload};

/// A conversion to be carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion<J, B> {
    /// Content of the input file.
    pub bytes: B,
    /// Its size in bytes.
    pub size: f64,
    /// Media type of the input.
    pub input: String,
    /// Media type of the output; `None` compresses the input in its own format.
    pub output: Option<String>,
    /// Settings of the task, an object; see `server/README.md`.
    pub settings: Option<J>,
    /// A unique idempotency key: retries create the file and the task only once.
    pub key: String,
}

/// The progress of a conversion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step<'a> {
    /// The file with this id exists; its upload begins.
    Upload(&'a str),
    /// The task with this id exists.
    Task(&'a str),
    /// The task is pending or processing; the progress is 0 to 1.
    Process(f64),
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Carries out a conversion and returns the document of the completed task; [`super::output`] finds its output file. `notify` is
    /// called as the conversion progresses.
    ///
    /// # Errors
    /// Those of [`Self::create_file`], [`Self::upload`], [`Self::create_task`] and [`Self::wait`].
    pub async fn convert(
        &self,
        conversion: Conversion<T::Json, T::Bytes>,
        notify: &dyn Fn(Step<'_>),
    ) -> Result<T::Json, Error<T::Json>> {
        let Conversion { bytes, size, input, output, settings, key } = conversion;
        let created = self.create_file(size, Some(&input), &(key.clone() + "-file")).await?;
        let id = text_at(&created, &["data", "id"]).unwrap_or_default();
        notify(Step::Upload(&id));
        let link = at(&created, &["data"]).and_then(|file| link(&file, "upload"));
        self.upload(&Upload { file: FileRef { id: id.clone(), link }, bytes, size }).await?;
        let task = NewTask {
            input: id,
            inputs: None,
            format: output.map(|output| {
                let text = |text: &str| Some(T::Json::text(text));
                T::Json::object(&[("input", text(&input)), ("output", text(&output))])
            }),
            settings,
            public: None,
            callback_url: None,
        };
        let created = self.create_task(&task, &(key + "-task")).await?;
        let id = text_at(&created, &["data", "id"]).unwrap_or_default();
        notify(Step::Task(&id));
        notify(Step::Process(0.0));
        self.wait(&id, None, &|ratio| notify(Step::Process(ratio))).await
    }
}
