//! The rows of the database as values.

use filepress_wire::MediaType;
use serde_json::{Map, Value};

use crate::clock::Timestamp;
pub use crate::workload::{Class, Lane};

/// A person with keys.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// UUID.
    pub id: String,
    /// Unique.
    pub email: String,
    /// For people; empty where none was given.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is known of an API key; the key itself is known to its owner alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// UUID.
    pub id: String,
    /// Whose it is.
    pub user: String,
    /// The first characters of the key, by which a person recognizes it.
    pub prefix: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Settings that are not shown, and erased when their task ends.
#[derive(Clone, Default, PartialEq)]
pub struct Secrets(pub Map<String, Value>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secrets(…)")
    }
}

/// A file: a declaration, and bytes once they were uploaded or made.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// UUID.
    pub id: String,
    /// Whose it is.
    pub user: String,
    /// The declared type, else the one that the bytes were recognized as.
    pub format: Option<MediaType>,
    /// The bytes are a ZIP of files of that type.
    pub is_archive: bool,
    /// What the first bytes were recognized as; none before the upload, or where they are like nothing known.
    pub sniffed: Option<MediaType>,
    /// Declared bytes, which are also the stored ones.
    pub size: u64,
    /// The bytes' name in [`crate::blobs::Blobs`]; none before the upload and after the deletion.
    pub blob: Option<String>,
    /// SHA-256 of the bytes in hexadecimal, once there are some.
    pub sha256: Option<String>,
    /// Its download link stays the same until it expires.
    pub public: bool,
    /// When it was made; unique among the files of a user: the cursor of lists.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its bytes were complete.
    pub uploaded_at: Option<Timestamp>,
    /// When it is deleted.
    pub expires_at: Timestamp,
}

/// Where a task stands. It never goes backwards: a task that waits for another attempt stays PROCESSING.
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
    /// The word of the interface.
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

/// A conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// UUID.
    pub id: String,
    /// Whose it is.
    pub user: String,
    /// Its output's link stays the same until the file expires.
    pub public: bool,
    /// Where it stands.
    pub status: Status,
    /// Which workers it is for.
    pub lane: Lane,
    /// Type of the input.
    pub input_format: MediaType,
    /// Type of the output.
    pub output_format: MediaType,
    /// As given, with what was filled in.
    pub settings: Map<String, Value>,
    /// Id of the input file.
    pub input: String,
    /// Id of the output file, once there is one.
    pub output: Option<String>,
    /// What the interface shows as `processing_metadata`.
    pub metadata: Map<String, Value>,
    /// How often it was claimed, whatever became of it: the fencing number.
    pub attempt: u32,
    /// Id of the request that made it, for the logs.
    pub request_id: String,
    /// When it was made; unique among the tasks of a user: the cursor of lists.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was first claimed.
    pub started_at: Option<Timestamp>,
    /// When it became COMPLETED or FAILED.
    pub processed_at: Option<Timestamp>,
}
