//! Tasks: conversions, and the identifiers of their files.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::envelope::kind;
use super::{FileKind, Identifier, link};
use crate::media_type::MediaType;

kind! {
    /// The type of tasks.
    TaskKind, "tasks"
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskResource {
    /// `tasks`.
    #[serde(rename = "type")]
    pub kind: TaskKind,
    /// Unique among tasks.
    pub id: String,
    /// Its attributes.
    pub attributes: TaskAttributes,
    /// Its files.
    #[serde(default)]
    pub relationships: TaskRelationships,
    /// Its links.
    #[serde(default)]
    pub links: TaskLinks,
    /// Non-standard information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<TaskMeta>,
}

/// Attributes of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskAttributes {
    /// Whether the output's download link stays valid until the file expires.
    #[serde(default)]
    pub public: bool,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
    /// The settings as given, with defaults filled in.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// The status.
    pub status: TaskStatus,
    /// The formats of input and output.
    #[serde(default)]
    pub format: Format,
    /// RFC 3339, UTC; null before.
    #[serde(default)]
    pub started_at: Option<String>,
    /// When it became COMPLETED or FAILED: RFC 3339, UTC; null before.
    #[serde(default)]
    pub processed_at: Option<String>,
    /// Empty while PENDING; then the attempt, the progress, facts about the files, and on FAILED the error.
    #[serde(default)]
    pub processing_metadata: Map<String, Value>,
    /// The URL that the service calls when the task has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback_url: Option<String>,
}

/// Non-standard information about a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskMeta {
    /// How far the call of `callback_url` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callback: Option<CallbackMeta>,
}

/// How far the call of a task's `callback_url` is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallbackMeta {
    /// `WAITING` until the task ends, then `PENDING`, at last `DELIVERED` or `FAILED`.
    pub status: String,
    /// How often it was called.
    pub attempts: u32,
    /// The code of the last failure, such as `timed_out` or `status_503`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The status of a task. It only moves forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TaskStatus {
    /// Queued.
    Pending,
    /// In progress.
    Processing,
    /// Finished, with an output.
    Completed,
    /// Finished, with an error.
    Failed,
}

/// MIME types. Strings, since a newer service may have more types.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Format {
    /// Of the input file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Of the output file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// The files of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskRelationships {
    /// The input file; the first of several.
    pub input: Relationship,
    /// All input files, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<ManyRelationship>,
    /// The output file; `data` is null until it exists.
    pub output: Relationship,
}

/// A file of a task, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Relationship {
    /// Its identifier.
    pub data: Option<Identifier<FileKind>>,
    /// Its links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<RelationshipLinks>,
}

/// Several files of a task, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ManyRelationship {
    /// Their identifiers; absent in lists of tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Vec<Identifier<FileKind>>>,
    /// Its links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<RelationshipLinks>,
}

/// Links of a relationship.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RelationshipLinks {
    /// The identifier.
    #[serde(rename = "self", deserialize_with = "link::optional")]
    pub this: Option<String>,
    /// The file.
    #[serde(deserialize_with = "link::optional")]
    pub related: Option<String>,
}

/// Links of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskLinks {
    /// The resource.
    #[serde(rename = "self", deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub this: Option<String>,
    /// Signed URL of the output, once it is COMPLETED. The link of the output file takes precedence.
    #[serde(deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub download: Option<String>,
}

/// A task to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTask {
    /// Ids of the input files: one, or several images.
    pub inputs: Vec<String>,
    /// What the caller says every input is.
    pub input_format: Option<MediaType>,
    /// What it shall become; none: what it is, smaller.
    pub output_format: Option<MediaType>,
    /// How.
    pub settings: Map<String, Value>,
    /// See [`TaskAttributes::public`].
    pub public: bool,
    /// See [`TaskAttributes::callback_url`].
    pub callback_url: Option<String>,
}
