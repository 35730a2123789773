//! Files, whose content is uploaded to and downloaded from signed URLs.

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
    /// Its attributes.
    pub attributes: FileAttributes,
    /// Its links.
    #[serde(default)]
    pub links: FileLinks,
    /// Non-standard information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<FileMeta>,
}

/// Attributes of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileAttributes {
    /// MIME type: the declared one, else the recognized one, else null. A string, since a newer service may have more types.
    #[serde(default)]
    pub format: Option<String>,
    /// Bytes.
    pub size: u64,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
}

/// Links of a file.
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
    /// Signed URL to `PUT` the content to. Present until the upload is complete.
    #[serde(default, deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub upload: Option<String>,
    /// Signed URL of a resumable upload by tus 1.0. Present until the upload is complete, if the service has them.
    #[serde(default, deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub resumable: Option<String>,
    /// Signed URL to `GET` the content from. Present on create, and once the file is uploaded.
    #[serde(default, deserialize_with = "link::optional", skip_serializing_if = "Option::is_none")]
    pub download: Option<String>,
}

/// Non-standard information about a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileMeta {
    /// When the file is deleted; RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// SHA-256 of the content in hexadecimal, once it is uploaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// The attributes of a file to be created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewFile {
    /// Size of the upload in bytes, at least 1.
    pub size: u64,
    /// Media type of the content; the service recognizes it if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<MediaType>,
}
