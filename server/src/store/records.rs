//! The records of the database.

use std::time::Duration;

use filepress_wire::MediaType;
use serde_json::{Map, Value};

use crate::clock::Timestamp;
pub use crate::lanes::{Class, Lane};
use crate::scopes::Scopes;

/// An owner of API keys.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// UUID.
    pub id: String,
    /// Unique.
    pub email: String,
    /// The name to display; empty if none was given.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The record of an API key; the key itself is not stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// UUID.
    pub id: String,
    /// Its owner.
    pub user: String,
    /// The first characters of the key, by which a person recognizes it.
    pub prefix: String,
    /// What it may do, and until when.
    pub rights: KeyRights,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to within [`KEY_USE_RESOLUTION`].
    pub used_at: Option<Timestamp>,
}

/// What a key may do, and until when. By default: everything, forever, without a name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeyRights {
    /// What it is for, in the words of whoever created it; empty if none were given.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// How exactly the last use of a key is known: a use within this time of the last one is not written down.
pub const KEY_USE_RESOLUTION: Duration = Duration::from_secs(600);

/// How often at most a request with a key that is revoked or has expired is written down.
pub const KEY_REFUSAL_PAUSE: Duration = Duration::from_secs(60);

/// The most bytes of a path that the log of keys has: the path is chosen by the client, and entries are kept for months.
pub const KEY_PATH_BYTES: usize = 200;

/// An entry of the log of keys.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyEvent {
    /// The id of the key.
    pub key: String,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub kind: KeyEventKind,
    /// The request, if there was one.
    pub request: Option<KeyRequest>,
}

/// What happened to or with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEventKind {
    /// It was created.
    Created,
    /// It was revoked.
    Revoked,
    /// A request that changes something had it.
    Used,
    /// A request was refused because of it.
    Refused,
}

/// A request that had a key.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyRequest {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// The path: that of the resource that was created, if one was. Its first [`KEY_PATH_BYTES`] are stored.
    pub path: String,
    /// The status of the response.
    pub status: u16,
    /// The address of the client.
    pub address: Option<String>,
    /// The id of the request, which the log of the server has too.
    pub request_id: String,
}

impl KeyEventKind {
    /// The name in the database and in lists.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Revoked => "revoked",
            Self::Used => "used",
            Self::Refused => "refused",
        }
    }
}

/// Secret settings, which are erased when their task ends.
#[derive(Clone, Default, PartialEq)]
pub struct Secrets(pub Map<String, Value>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secrets(…)")
    }
}

/// A file: its declaration, and its content once it was uploaded or converted.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// UUID.
    pub id: String,
    /// Its owner.
    pub user: String,
    /// The declared type, else the recognized one.
    pub format: Option<MediaType>,
    /// The content is a ZIP archive of files of that type.
    pub is_archive: bool,
    /// The type recognized from the first bytes; `None` before the upload, or if no type matches.
    pub sniffed: Option<MediaType>,
    /// The size in bytes, both declared and stored.
    pub size: u64,
    /// The name of its blob; `None` before the upload.
    pub blob: Option<String>,
    /// The SHA-256 of the content in hexadecimal; `None` before the upload.
    pub sha256: Option<String>,
    /// Its download URL stays the same until it expires.
    pub public: bool,
    /// When it was created; unique among the files of a user: the cursor of lists.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its upload was completed.
    pub uploaded_at: Option<Timestamp>,
    /// When it is deleted.
    pub expires_at: Timestamp,
}

/// The status of a task. It never goes backwards: a task that waits for a retry stays PROCESSING.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// In the queue.
    Pending,
    /// Claimed by a worker.
    Processing,
    /// Its output exists.
    Completed,
    /// It has an error.
    Failed,
}

impl Status {
    /// All of them, in the order in which a task has them.
    pub const ALL: [Self; 4] = [Self::Pending, Self::Processing, Self::Completed, Self::Failed];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Processing => "PROCESSING",
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
        }
    }

    /// COMPLETED or FAILED.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

/// An input of a task after the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskInput {
    /// Id of the file.
    pub file: String,
    /// Its type.
    pub format: MediaType,
}

/// How far the call of a callback is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallbackStatus {
    /// The task has not ended.
    Waiting,
    /// It is to be called, for the first time or again.
    Pending,
    /// The receiver took it.
    Delivered,
    /// It is not called any more.
    Failed,
}

impl CallbackStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Waiting, Self::Pending, Self::Delivered, Self::Failed];

    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "WAITING",
            Self::Pending => "PENDING",
            Self::Delivered => "DELIVERED",
            Self::Failed => "FAILED",
        }
    }
}

/// The URL that is called when a task ends. It may have secrets in it, so that `Debug` does not show it.
#[derive(Clone, PartialEq)]
pub struct Callback {
    /// The URL.
    pub url: String,
    /// How far the call is.
    pub status: CallbackStatus,
    /// How often it was called.
    pub attempts: u32,
    /// The code of the last failure; `None` without one, and once it was delivered.
    pub failure: Option<String>,
}

impl std::fmt::Debug for Callback {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { url: _, status, attempts, failure } = self;
        write!(formatter, "Callback({}, {attempts}, {failure:?})", status.as_str())
    }
}

/// A conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// UUID.
    pub id: String,
    /// Its owner.
    pub user: String,
    /// The download URL of its output stays the same until the file expires.
    pub public: bool,
    /// Its status.
    pub status: Status,
    /// Which workers run it.
    pub lane: Lane,
    /// Type of the first input.
    pub input_format: MediaType,
    /// Type of the output.
    pub output_format: MediaType,
    /// As given, with defaults filled in.
    pub settings: Map<String, Value>,
    /// Id of the first input file.
    pub input: String,
    /// The number of inputs; [`crate::store::Store::more_inputs`] returns those after the first.
    pub input_count: u32,
    /// Id of the output file, once there is one.
    pub output: Option<String>,
    /// The `processing_metadata` of the API.
    pub metadata: Map<String, Value>,
    /// How often it was claimed, whatever the outcome; also the fencing number.
    pub attempt: u32,
    /// What is called when it ends. Only [`crate::store::Store::task`], [`crate::store::Store::tasks`] and the results of creating and
    /// canceling a task have it.
    pub callback: Option<Callback>,
    /// Id of the request that created it, for the logs.
    pub request_id: String,
    /// When it was created; unique among the tasks of a user: the cursor of lists.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was first claimed.
    pub started_at: Option<Timestamp>,
    /// When it became COMPLETED or FAILED.
    pub processed_at: Option<Timestamp>,
}
