//! Tasks: conversions that were asked for, with their files by name.

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
    /// Its facts.
    pub attributes: TaskAttributes,
    /// Its files.
    #[serde(default)]
    pub relationships: TaskRelationships,
    /// Where it is, and its output once it is COMPLETED.
    #[serde(default)]
    pub links: TaskLinks,
}

/// Facts of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskAttributes {
    /// The output's link stays the same until the file expires.
    #[serde(default)]
    pub public: bool,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
    /// As given, with what was filled in.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// Where it stands.
    pub status: TaskStatus,
    /// From what into what.
    #[serde(default)]
    pub format: Format,
    /// RFC 3339, UTC; null before.
    #[serde(default)]
    pub started_at: Option<String>,
    /// When it became COMPLETED or FAILED: RFC 3339, UTC; null before.
    #[serde(default)]
    pub processed_at: Option<String>,
    /// Empty while PENDING; then the attempt, progress, facts, and on FAILED the error.
    #[serde(default)]
    pub processing_metadata: Map<String, Value>,
}

/// Where a task stands. It never goes backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TaskStatus {
    /// In the queue.
    Pending,
    /// Being carried out.
    Processing,
    /// Its output exists.
    Completed,
    /// It has an error.
    Failed,
}

/// MIME types; text, so that a type which this version does not know can be read.
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
    /// What is converted.
    pub input: Relationship,
    /// What came of it: `data` is null until there is something.
    pub output: Relationship,
}

/// A file of a task, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Relationship {
    /// Its name.
    pub data: Option<Identifier<FileKind>>,
    /// Where the relationship and the file are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<RelationshipLinks>,
}

/// Where a relationship is.
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

/// Where a task is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskLinks {
    /// The resource.
    #[serde(rename = "self", deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub this: Option<String>,
    /// Signed: the output's bytes, once it is COMPLETED. The output file's own link goes before it.
    #[serde(deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub download: Option<String>,
}

/// A task to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTask {
    /// Id of the input file.
    pub input: String,
    /// What the caller says the input is.
    pub input_format: Option<MediaType>,
    /// What it shall become; none: what it is, smaller.
    pub output_format: Option<MediaType>,
    /// How.
    pub settings: Map<String, Value>,
    /// See [`TaskAttributes::public`].
    pub public: bool,
}
