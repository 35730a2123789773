//! Recognizes the type of an input, and lists the types that the package reads and writes itself.
//!
//! Content takes precedence over names: a declared type and a file name only decide between types that the content fits
//! equally well.

use filepress_wire::{MediaType, Sniffed, UnsupportedType, sniff};

use crate::error::{Error, ErrorCode, Result};
use crate::value::Value;

pub use crate::formats::{Build, Format, Traits, of as local_support};

/// Determines the type of a file from its first [`filepress_wire::SNIFF_BYTES`] bytes (all, if it is shorter).
///
/// `declared` is a media type and `name` a file name, as the caller knows them; either may be wrong or unsupported. They
/// decide where the content is ambiguous, the declared type first: for example an MPEG-4 file with a generic brand
/// named `.m4v`. TGA has no signature, so bytes of no known type that are named TGA count as TGA.
///
/// # Errors
/// [`ErrorCode::EmptyInput`]; for a type that is recognized but not supported, [`ErrorCode::NeedsDecoder`] if it is an image's
/// and [`ErrorCode::UnsupportedType`] otherwise, with the details `type` (its media type) and `name`;
/// [`ErrorCode::UnknownType`] for the rest.
pub fn recognize(head: &[u8], declared: Option<&str>, name: Option<&str>) -> Result<MediaType> {
    if head.is_empty() {
        return Err(Error::new(ErrorCode::EmptyInput, "The input has no bytes."));
    }
    let declared = declared.and_then(MediaType::from_mime);
    let extension = name.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
    let named = extension.and_then(MediaType::from_extension);
    let mut claims = [declared, named].into_iter().flatten();
    match sniff(head) {
        Sniffed::Known(media_type) => Ok(media_type),
        Sniffed::OneOf(candidates) => {
            Ok(claims.find(|claim| candidates.contains(claim)).unwrap_or(candidates[0]))
        }
        Sniffed::Unsupported(UnsupportedType::GZIP)
            if declared == Some(MediaType::Svg)
                || extension.is_some_and(|extension| extension.eq_ignore_ascii_case("svgz")) =>
        {
            Err(unsupported(UnsupportedType::SVGZ))
        }
        Sniffed::Unsupported(recognized) => Err(unsupported(recognized)),
        Sniffed::Unknown if claims.any(|claim| claim == MediaType::Tga) => Ok(MediaType::Tga),
        Sniffed::Unknown => Err(unknown(declared.or(named))),
    }
}

fn unsupported(UnsupportedType { name, mime }: UnsupportedType) -> Error {
    let (code, advice) = if mime.starts_with("image/") {
        (ErrorCode::NeedsDecoder, "init({ decoders }) can add a decoder")
    } else {
        (ErrorCode::UnsupportedType, "formats() lists the formats that can")
    };
    let message = format!("This file was recognized as {name} ({mime}), which cannot be read. {advice}.");
    Error::new(code, message).with_detail("type", mime).with_detail("name", name)
}

/// The error for a type of the API that the engine cannot read.
pub(crate) fn unreadable(media_type: MediaType) -> Error {
    unsupported(UnsupportedType { name: media_type.name(), mime: media_type.as_str() })
}

fn unknown(claim: Option<MediaType>) -> Error {
    const ADVICE: &str =
        "The file may be damaged, encrypted or cut off; formats() lists the formats that can be read.";
    let message = match claim {
        Some(claim) => format!("It is declared as {}, but has another signature. {ADVICE}", claim.name()),
        None => format!("The format was not recognized. {ADVICE}"),
    };
    Error::new(ErrorCode::UnknownType, message)
}

/// A media type and what this package does with it; an item of [`formats`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listing {
    /// The type.
    pub media_type: MediaType,
    /// What the local engine can do with it, as an input and as an output; `None` if a service is needed.
    pub local: Option<&'static Format>,
}

/// What `pkg-template/lib/formats.js` makes a row of `formats()` from: `type`, `name`, `extensions` (without their dot, the one for new
/// files first), `class` (`image`, `video`, `audio` or `document`); and `null` where a service is needed, `build` (the one to load),
/// `traits` (the bits of [`Traits`]) and `maxSide` ([`Format::max_side`]).
impl From<&Listing> for Value {
    fn from(&Listing { media_type, local }: &Listing) -> Self {
        Self::object([
            ("type", media_type.as_str().into()),
            ("name", media_type.name().into()),
            (
                "extensions",
                Self::Array(media_type.extensions().iter().map(|name| Self::from(*name)).collect()),
            ),
            ("class", media_type.class().as_str().into()),
            ("build", local.map_or(Self::Null, |format| format.build.as_str().into())),
            ("traits", local.map_or(Self::Null, |format| Self::Number(format.traits.0.into()))),
            ("maxSide", local.map_or(Self::Null, |format| Self::Number(format.max_side.into()))),
        ])
    }
}

/// All media types, in the order of the API.
pub fn formats() -> Vec<Listing> {
    let listing = |media_type| Listing { media_type, local: local_support(media_type) };
    MediaType::ALL.into_iter().map(listing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MP4: &[u8] = b"\0\0\0\x10ftypisom\0\0\0\0";
    const GZIP: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";

    fn refusal(head: &[u8], declared: Option<&str>, name: Option<&str>) -> (Option<ErrorCode>, String) {
        match recognize(head, declared, name) {
            Ok(_) => (None, String::new()),
            Err(error) => (Some(error.code()), error.message().to_owned()),
        }
    }

    #[test]
    fn content_goes_before_names() {
        let recognized = recognize(b"\x89PNG\r\n\x1a\n", Some("image/jpeg"), Some("photo.jpg"));
        assert_eq!(recognized, Ok(MediaType::Png));
    }

    #[test]
    fn names_decide_where_the_content_does_not() {
        for (declared, name, expected) in [
            (None, None, MediaType::Mp4),
            (Some("video/x-m4v"), Some("film.f4v"), MediaType::M4v),
            (Some("application/octet-stream"), Some("film.F4V"), MediaType::F4v),
            (Some("image/png"), Some("song.m4a"), MediaType::M4a),
            (Some(""), Some("film"), MediaType::Mp4),
        ] {
            assert_eq!(recognize(MP4, declared, name), Ok(expected), "{declared:?} {name:?}");
        }
    }

    #[test]
    fn odd_bytes_are_tga_only_where_they_are_called_so() {
        let head = [0xff; 32];
        assert_eq!(recognize(&head, Some("image/tga"), None), Ok(MediaType::Tga));
        assert_eq!(recognize(&head, None, Some("texture.TGA")), Ok(MediaType::Tga));
        assert_eq!(refusal(&head, None, None).0, Some(ErrorCode::UnknownType));
    }

    #[test]
    fn a_foreign_type_is_named() {
        let error = recognize(b"8BPS\0\x01", Some("image/png"), None).expect_err("not ours");
        assert_eq!(error.code(), ErrorCode::NeedsDecoder);
        assert_eq!(error.details().get("name"), Some(&"Photoshop document (PSD)".into()));
        assert_eq!(error.details().get("type"), Some(&"image/vnd.adobe.photoshop".into()));
    }

    #[test]
    fn gzip_is_called_svgz_by_those_who_know() {
        assert!(!refusal(GZIP, None, Some("a.gz")).1.contains("SVGZ"));
        assert!(refusal(GZIP, None, Some("a.svgz")).1.contains("SVGZ"));
        assert!(refusal(GZIP, Some("image/svg+xml"), None).1.contains("SVGZ"));
    }

    #[test]
    fn what_cannot_be_recognized_is_refused() {
        assert_eq!(refusal(b"", Some("image/png"), Some("a.png")).0, Some(ErrorCode::EmptyInput));
        let (code, message) = refusal(b"\x01\x02\x03", Some("image/png"), None);
        assert_eq!(code, Some(ErrorCode::UnknownType));
        assert!(message.contains("PNG"), "{message}");
    }

    #[test]
    fn formats_are_all_types_and_say_where_each_is_handled() {
        let formats = formats();
        assert_eq!(formats.len(), 40);
        assert_eq!(formats.iter().filter(|format| format.local.is_some()).count(), 16);
        let names = ["jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"].map(Value::from);
        let jpeg = Value::object([
            ("type", "image/jpeg".into()),
            ("name", "JPEG".into()),
            ("extensions", Value::Array(names.into())),
            ("class", "image".into()),
            ("build", "core".into()),
            ("traits", Value::Number(formats[1].local.expect("a format").traits.0.into())),
            ("maxSide", Value::Number(65_500.0)),
        ]);
        assert_eq!(Value::from(&formats[1]), jpeg);
    }
}
