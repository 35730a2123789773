//! Files: a declaration, then bytes behind signed URLs.

use serde::{Deserialize, Serialize};

use super::envelope::kind;
use super::link;
use crate::media_type::MediaType;

kind! {
    /// The type of files.
    FileKind, "files"
}

/// A file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileResource {
    /// `files`.
    #[serde(rename = "type")]
    pub kind: FileKind,
    /// Unique among files.
    pub id: String,
    /// Its facts.
    pub attributes: FileAttributes,
    /// Where it and its bytes are.
    #[serde(default)]
    pub links: FileLinks,
    /// What goes beyond the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<FileMeta>,
}

/// Facts of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileAttributes {
    /// MIME type: the declared one, else the recognized one; null where there is neither. Text, so that a type which this
    /// version does not know can be read.
    #[serde(default)]
    pub format: Option<String>,
    /// Bytes.
    pub size: u64,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
}

/// Where a file and its bytes are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLinks {
    /// The resource.
    #[serde(
        rename = "self",
        default,
        deserialize_with = "link::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub this: Option<String>,
    /// Signed: `PUT` the bytes here. On create, and while bytes are awaited.
    #[serde(default, deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub upload: Option<String>,
    /// Signed: `GET` the bytes here. On create, and once there are bytes.
    #[serde(default, deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub download: Option<String>,
}

/// What goes beyond the interface.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileMeta {
    /// When it is deleted; RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Of the bytes, in hexadecimal, once there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// The attributes of a file to be created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewFile {
    /// Bytes that will be uploaded, at least 1.
    pub size: u64,
    /// Their type; the service looks itself where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<MediaType>,
}
