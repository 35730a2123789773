//! From text to media type: MIME types in other spellings, file extensions, serde.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::media_type::MediaType;

impl MediaType {
    /// The type that `mime` names.
    ///
    /// Case, parameters after `;` and surrounding spaces do not matter, and common other names of a type are understood:
    /// `image/jpg`, `image/vnd.microsoft.icon`, `audio/x-wav` and the like.
    pub fn from_mime(mime: &str) -> Option<Self> {
        let essence = mime.split(';').next().unwrap_or_default().trim();
        Self::ALL.into_iter().find(|media_type| {
            let row = media_type.row();
            let mut names = std::iter::once(&row.mime).chain(row.aliases);
            names.any(|name| name.eq_ignore_ascii_case(essence))
        })
    }

    /// The type that files with this extension most often are; `extension` with or without its dot, in any case.
    ///
    /// An extension belongs to one type. Where several types share one in practice, it is the one that registries and
    /// systems give: `ogg` is sound ([`MediaType::OggAudio`]; `ogv` is video), `mp4` is video (`m4a` is sound), `asf` is
    /// video (`wma` is sound), `ts` is video. What the bytes say goes before what the name says.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.strip_prefix('.').unwrap_or(extension);
        let is_it = |candidate: &&'static str| candidate.eq_ignore_ascii_case(extension);
        Self::ALL.into_iter().find(|media_type| media_type.extensions().iter().any(is_it))
    }
}

impl FromStr for MediaType {
    type Err = UnknownMediaType;

    /// As [`MediaType::from_mime`].
    fn from_str(mime: &str) -> Result<Self, UnknownMediaType> {
        Self::from_mime(mime).ok_or(UnknownMediaType)
    }
}

impl fmt::Display for MediaType {
    /// The MIME type.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The text names none of the 39 media types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownMediaType;

impl fmt::Display for UnknownMediaType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not a known media type")
    }
}

impl std::error::Error for UnknownMediaType {}

impl Serialize for MediaType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for MediaType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MimeVisitor;

        impl Visitor<'_> for MimeVisitor {
            type Value = MediaType;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a media type of the interface, such as \"image/jpeg\"")
            }

            fn visit_str<E: de::Error>(self, mime: &str) -> Result<MediaType, E> {
                let named = MediaType::ALL.into_iter().find(|media_type| media_type.as_str() == mime);
                named.ok_or_else(|| E::invalid_value(de::Unexpected::Str(mime), &self))
            }
        }

        deserializer.deserialize_str(MimeVisitor)
    }
}
