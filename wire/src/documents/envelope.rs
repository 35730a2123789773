//! Top-level members, resource identifiers and links.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::link;
use super::{FileKind, FileResource};

/// The media type of requests and responses.
pub const MEDIA_TYPE: &str = "application/vnd.api+json";

/// The version of JSON:API.
pub const VERSION: &str = "1.1";

/// The member `jsonapi`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JsonApi {
    /// [`VERSION`].
    pub version: String,
}

impl Default for JsonApi {
    fn default() -> Self {
        Self { version: VERSION.to_owned() }
    }
}

/// A document with primary data. `D` is a resource, a list of resources, an identifier, or an option of these; `L` the links.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document<D, L = SelfLink> {
    /// The version of JSON:API.
    #[serde(default)]
    pub jsonapi: JsonApi,
    /// The primary data.
    pub data: D,
    /// [`SelfLink`] for one resource, [`PageLinks`] for a list.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub links: Option<L>,
    /// On lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<ListMeta>,
    /// The files of tasks, each once. Resources of other types are ignored when deserializing.
    #[serde(default, deserialize_with = "files", skip_serializing_if = "Option::is_none")]
    pub included: Option<Vec<FileResource>>,
}

fn none<L>() -> Option<L> {
    None
}

fn files<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<FileResource>>, D::Error> {
    let Some(resources) = Option::<Vec<Value>>::deserialize(deserializer)? else { return Ok(None) };
    let of_files = |resource: &Value| resource.get("type").and_then(Value::as_str) == Some(FileKind::NAME);
    let files = resources.into_iter().filter(of_files).map(serde_json::from_value);
    files.collect::<Result<_, _>>().map(Some).map_err(serde::de::Error::custom)
}

/// The links of a document with one resource, and of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfLink {
    /// Where the document is.
    #[serde(rename = "self", default, deserialize_with = "link::optional")]
    pub this: Option<String>,
}

/// The links of a list. Both are always written, as null if there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLinks {
    /// The page of newer items.
    #[serde(default, deserialize_with = "link::optional")]
    pub prev: Option<String>,
    /// The page of older items.
    #[serde(default, deserialize_with = "link::optional")]
    pub next: Option<String>,
}

/// `meta` of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ListMeta {
    /// More results follow this page.
    #[serde(rename = "rangeTruncated")]
    pub range_truncated: bool,
}

/// A resource identifier, the linkage of a relationship. `K` is the type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier<K> {
    /// The type.
    #[serde(rename = "type")]
    pub kind: K,
    /// Unique among those of the type.
    pub id: String,
}

/// Defines a unit type for the member `type` of a resource, deserialized from exactly that string.
macro_rules! kind {
    ($(#[doc = $doc:literal])+ $kind:ident, $name:literal) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $kind {
            /// The only one.
            #[default]
            #[serde(rename = $name)]
            Only,
        }

        impl $kind {
            /// The text.
            pub const NAME: &'static str = $name;
        }
    };
}
pub(crate) use kind;
