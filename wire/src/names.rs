//! Media types from MIME types, aliases and file extensions; serde.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::media_type::MediaType;

impl MediaType {
    /// Parses a MIME type or a common alias, such as `image/jpg`, `image/vnd.microsoft.icon` or `audio/x-wav`. Case, parameters after
    /// `;` and surrounding spaces are ignored.
    pub fn from_mime(mime: &str) -> Option<Self> {
        let essence = mime.split(';').next().unwrap_or_default().trim();
        Self::ALL.into_iter().find(|media_type| {
            let row = media_type.row();
            let mut names = std::iter::once(&row.mime).chain(row.aliases);
            names.any(|name| name.eq_ignore_ascii_case(essence))
        })
    }

    /// The most common type of a file extension, given with or without its dot, in any case.
    ///
    /// Each extension maps to one type. If several types share an extension in practice, it is the registered one: `ogg` is audio
    /// ([`MediaType::OggAudio`]; `ogv` is video), `mp4` is video (`m4a` is audio), `asf` is video (`wma` is audio), `ts` is video.
    /// [`sniff`](crate::sniff) takes precedence over the extension.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.strip_prefix('.').unwrap_or(extension);
        let matches = |candidate: &&'static str| candidate.eq_ignore_ascii_case(extension);
        Self::ALL.into_iter().find(|media_type| media_type.extensions().iter().any(matches))
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

/// The string names none of the media types.
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
