//! ZIP (APPNOTE 6.3.10 §4.3.7) and gzip (RFC 1952): what is inside, where the head shows it.

use super::bytes::{find, has, le16};
use super::{Sniffed, UnsupportedType, unsupported};

const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
const LOCAL_HEADER_LENGTH: usize = 30;

pub(super) fn zip(head: &[u8]) -> Option<Sniffed> {
    if !head.starts_with(LOCAL_HEADER) {
        // Empty, and the first of several volumes.
        let other = head.starts_with(b"PK\x05\x06") || head.starts_with(b"PK\x07\x08");
        return other.then_some(ARCHIVE);
    }
    if let Some(sniffed) = by_mimetype(head) {
        return Some(sniffed);
    }
    // The lengths of entries are not always written before them, so the next header is searched for.
    let mut rest = head;
    while let Some(position) = find(rest, LOCAL_HEADER) {
        let entry = &rest[position..];
        if let Some(sniffed) = by_entry(entry) {
            return Some(sniffed);
        }
        rest = &entry[LOCAL_HEADER.len()..];
    }
    Some(ARCHIVE)
}

const ARCHIVE: Sniffed = unsupported("ZIP archive", "application/zip");

/// EPUB (OCF §4.3) and OpenDocument (part 2, §3.3) begin with an entry that is their MIME type.
fn by_mimetype(head: &[u8]) -> Option<Sniffed> {
    const OPEN_DOCUMENT: &[u8] = b"application/vnd.oasis.opendocument.";
    if !has(head, LOCAL_HEADER_LENGTH, b"mimetype") {
        return None;
    }
    let extra = usize::from(le16(head, 28)?);
    let content = head.get(LOCAL_HEADER_LENGTH + b"mimetype".len() + extra..)?;
    if content.starts_with(b"application/epub+zip") {
        return Some(unsupported("EPUB", "application/epub+zip"));
    }
    if content.starts_with(b"image/openraster") {
        return Some(unsupported("OpenRaster image", "image/openraster"));
    }
    Some(match content.strip_prefix(OPEN_DOCUMENT)? {
        [b't', b'e', b'x', b't', ..] => {
            unsupported("OpenDocument text", "application/vnd.oasis.opendocument.text")
        }
        [b's', b'p', ..] => {
            unsupported("OpenDocument spreadsheet", "application/vnd.oasis.opendocument.spreadsheet")
        }
        [b'p', b'r', ..] => {
            unsupported("OpenDocument presentation", "application/vnd.oasis.opendocument.presentation")
        }
        _ => unsupported("OpenDocument file", "application/vnd.oasis.opendocument"),
    })
}

/// Office Open XML (ECMA-376 part 2), JAR and Android packages have entries that nothing else has.
fn by_entry(entry: &[u8]) -> Option<Sniffed> {
    let name = entry.get(LOCAL_HEADER_LENGTH..)?;
    let known: [(&[u8], Sniffed); 5] = [
        (
            b"word/",
            unsupported(
                "Word document (DOCX)",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            ),
        ),
        (
            b"xl/",
            unsupported(
                "Excel workbook (XLSX)",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            ),
        ),
        (
            b"ppt/",
            unsupported(
                "PowerPoint file (PPTX)",
                "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            ),
        ),
        (b"AndroidManifest.xml", unsupported("Android package", "application/vnd.android.package-archive")),
        (b"META-INF/MANIFEST.MF", unsupported("Java archive", "application/java-archive")),
    ];
    known.into_iter().find(|(begin, _)| name.starts_with(begin)).map(|(_, sniffed)| sniffed)
}

/// The name that the original file had, where it is stored, says what a gzip file holds.
pub(super) fn gzip(head: &[u8]) -> Option<Sniffed> {
    const HEADER_LENGTH: usize = 10;
    const HAS_EXTRA: u8 = 4;
    const HAS_NAME: u8 = 8;
    let [0x1f, 0x8b, 8, flags, ..] = head else {
        return None;
    };
    let extra =
        if flags & HAS_EXTRA == 0 { 0 } else { 2 + usize::from(le16(head, HEADER_LENGTH).unwrap_or(0)) };
    let name = match head.get(HEADER_LENGTH + extra..) {
        Some(name) if flags & HAS_NAME != 0 => name.split(|&byte| byte == 0).next().unwrap_or_default(),
        _ => &[],
    };
    Some(Sniffed::Unsupported(if name.ends_with(b".svg") {
        UnsupportedType::SVGZ
    } else {
        UnsupportedType::GZIP
    }))
}
