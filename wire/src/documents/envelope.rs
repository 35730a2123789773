//! What is around every resource: the top level, identifiers, the links of single resources and of lists.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::link;
use super::{FileKind, FileResource};

/// The media type of requests and responses.
pub const MEDIA_TYPE: &str = "application/vnd.api+json";

/// The version of JSON:API that is spoken.
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

/// A document with primary data: `D` is a resource, a list of them, an identifier, or an option of these; `L` its links.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document<D, L = SelfLink> {
    /// Which JSON:API this is.
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
    /// The files of tasks, each once. Resources of other types are passed over when read.
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

/// The links of a list; both are always written, null where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLinks {
    /// The page with what is newer.
    #[serde(default, deserialize_with = "link::optional")]
    pub prev: Option<String>,
    /// The page with what is older.
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

/// A resource by its name: the linkage of relationships. `K` is its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier<K> {
    /// The type.
    #[serde(rename = "type")]
    pub kind: K,
    /// Unique among those of the type.
    pub id: String,
}

/// Defines the member `type` of a resource as a type of its own, which is read from exactly that text.
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
