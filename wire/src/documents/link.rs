//! Links: text, or an object with `href` (JSON:API 1.1, "Links"), or null.

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

/// A link that may be null or absent; for absence the field wants `default` as well.
pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<AnyLink>::deserialize(deserializer)?.map(String::from))
}
