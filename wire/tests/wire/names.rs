//! The table against the interface, and every way from text to a type.

use std::collections::HashSet;

use filepress_wire::MediaType::*;
use filepress_wire::{MediaClass, MediaType, UnknownMediaType};

/// The allowed values of a file's format, word for word and in the order of the interface, with HEIC after its images.
const TYPES: [&str; 40] = [
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/gif",
    "image/bmp",
    "image/tiff",
    "image/x-icon",
    "image/avif",
    "image/x-portable-anymap",
    "image/x-tga",
    "image/vnd.ms-dds",
    "image/vnd.radiance",
    "image/x-exr",
    "image/x-farbfeld",
    "image/qoi",
    "image/svg+xml",
    "image/heic",
    "video/mp4",
    "video/webm",
    "video/x-msvideo",
    "video/quicktime",
    "video/x-ms-wmv",
    "video/x-flv",
    "video/x-matroska",
    "video/3gpp",
    "video/mpeg",
    "video/ogg",
    "video/mp2t",
    "video/x-m4v",
    "video/dvd",
    "video/x-f4v",
    "audio/mpeg",
    "audio/wav",
    "audio/aac",
    "audio/ogg",
    "audio/opus",
    "audio/flac",
    "audio/mp4",
    "audio/x-ms-wma",
    "application/pdf",
];

#[test]
fn the_types_are_those_of_the_interface_and_heic() {
    assert_eq!(MediaType::ALL.map(MediaType::as_str), TYPES);
    let count = |class| MediaType::ALL.iter().filter(|media_type| media_type.class() == class).count();
    assert_eq!(
        [MediaClass::Image, MediaClass::Video, MediaClass::Audio, MediaClass::Document].map(count),
        [17, 14, 8, 1]
    );
}

#[test]
fn a_type_has_the_class_that_its_mime_type_says() {
    for media_type in MediaType::ALL.into_iter().filter(|media_type| *media_type != Pdf) {
        assert!(media_type.as_str().starts_with(media_type.class().as_str()), "{media_type}");
    }
    assert_eq!(Pdf.class().as_str(), "document");
}

#[test]
fn names_are_unique() {
    assert_eq!(MediaType::ALL.map(MediaType::as_str).iter().collect::<HashSet<_>>().len(), 40);
    assert_eq!(MediaType::ALL.map(MediaType::name).iter().collect::<HashSet<_>>().len(), 40);
}

#[test]
fn mime_types_go_round() {
    for media_type in MediaType::ALL {
        assert_eq!(media_type.as_str().parse(), Ok(media_type));
        assert_eq!(media_type.to_string(), media_type.as_str());
        let json = format!("\"{media_type}\"");
        assert_eq!(serde_json::to_string(&media_type).ok(), Some(json.clone()));
        assert_eq!(serde_json::from_str(&json).ok(), Some(media_type));
    }
}

#[test]
fn other_spellings_of_a_mime_type_are_understood() {
    for (mime, expected) in [
        ("IMAGE/JPEG", Jpeg),
        (" image/svg+xml ; charset=utf-8", Svg),
        ("audio/ogg; codecs=opus", OggAudio),
        ("image/jpg", Jpeg),
        ("image/x-png", Png),
        ("image/vnd.microsoft.icon", Ico),
        ("image/x-ms-bmp", Bmp),
        ("image/x-bmp", Bmp),
        ("image/tga", Tga),
        ("image/x-targa", Tga),
        ("image/x-portable-bitmap", Pnm),
        ("image/x-portable-graymap", Pnm),
        ("image/x-portable-pixmap", Pnm),
        ("audio/x-wav", Wav),
        ("audio/wave", Wav),
        ("audio/mp3", Mp3),
        ("audio/x-m4a", M4a),
        ("application/x-pdf", Pdf),
    ] {
        assert_eq!(MediaType::from_mime(mime), Some(expected), "{mime}");
    }
}

#[test]
fn what_is_no_type_of_ours_is_an_error() {
    for mime in ["", ";", "image", "image/", "jpeg", "image/heif", "application/octet-stream", "image/jpeg2"]
    {
        assert_eq!(mime.parse::<MediaType>(), Err(UnknownMediaType), "{mime}");
    }
    // On the wire a type has one spelling.
    for json in ["\"image/heif\"", "\"image/jpg\"", "\"IMAGE/JPEG\"", "\"\"", "1", "null"] {
        assert!(serde_json::from_str::<MediaType>(json).is_err(), "{json}");
    }
}

#[test]
fn an_extension_belongs_to_one_type() {
    let mut seen = HashSet::new();
    for media_type in MediaType::ALL {
        assert!(!media_type.extensions().is_empty(), "{media_type}");
        for extension in media_type.extensions() {
            assert!(seen.insert(*extension), "{extension} stands twice");
            assert_eq!(MediaType::from_extension(extension), Some(media_type), "{extension}");
            assert!(extension.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
        }
    }
}

#[test]
fn extensions_are_read_as_people_write_them() {
    for (extension, expected) in [
        (".JPG", Some(Jpeg)),
        ("jpeg", Some(Jpeg)),
        ("tif", Some(Tiff)),
        ("ogg", Some(OggAudio)),
        ("ogv", Some(OggVideo)),
        ("mp4", Some(Mp4)),
        ("m4a", Some(M4a)),
        ("m4v", Some(M4v)),
        ("f4v", Some(F4v)),
        ("", None),
        (".", None),
        ("..png", None),
        ("heif", None),
        ("svgz", None),
    ] {
        assert_eq!(MediaType::from_extension(extension), expected, "{extension}");
    }
    let canonical = [Jpeg, Webp, QuickTime, Matroska, Mpeg, Mp3].map(|media_type| media_type.extensions()[0]);
    assert_eq!(canonical, ["jpg", "webp", "mov", "mkv", "mpg", "mp3"]);
}
