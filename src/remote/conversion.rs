//! From bytes to a task that is done, in one call: create-file, PUT, create-task, poll.

use super::json::{at, link, text_at};
use super::{Client, Clock, Error, FileRef, NewTask, Result, Transport, Upload};

/// A conversion to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion<J, B> {
    /// The input.
    pub bytes: B,
    /// How many bytes it has.
    pub size: f64,
    /// Media type of the input.
    pub input: String,
    /// Media type that it shall become; none: what it is, smaller.
    pub output: Option<String>,
    /// How; see the service's documentation. An object.
    pub settings: Option<J>,
    /// A fresh name for this conversion, so that nothing of it is made twice.
    pub key: String,
}

/// How far a conversion has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step<'a> {
    /// The file of this id is declared; its bytes are about to be sent.
    Upload(&'a str),
    /// The task of this id is created.
    Task(&'a str),
    /// The task is in the queue or under way; so much of it is done, from 0 to 1.
    Process(f64),
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Carries out a conversion up to the document of the completed task; `notify` hears how it proceeds. [`super::output`] tells
    /// where the bytes are.
    ///
    /// # Errors
    /// Those of the calls that it is made of.
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
            input_format: output.as_ref().map(|_| input),
            output_format: output,
            settings,
            public: None,
        };
        let created = self.create_task(&task, &(key + "-task")).await?;
        let id = text_at(&created, &["data", "id"]).unwrap_or_default();
        notify(Step::Task(&id));
        notify(Step::Process(0.0));
        self.wait(&id, None, &|ratio| notify(Step::Process(ratio))).await
    }
}
