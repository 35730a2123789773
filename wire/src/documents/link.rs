//! Links: a string, an object with `href`, or null (JSON:API 1.1, "Links").

use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum AnyLink {
    Text(String),
    Object { href: String },
}

impl From<AnyLink> for String {
    fn from(link: AnyLink) -> Self {
        match link {
            AnyLink::Text(text) | AnyLink::Object { href: text } => text,
        }
    }
}

/// Deserializes a link that may be null. A field that may be absent needs `default` as well.
pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<AnyLink>::deserialize(deserializer)?.map(String::from))
}
