//! Recognizes a file: first by the types that begin with fixed bytes, then by parsers, last by those types that have no fixed bytes.

use super::{SNIFF_BYTES, Signature, Sniffed, unsupported_types};
use crate::media_type::MediaType;

/// Recognizes a file by its first [`SNIFF_BYTES`] bytes, or all of a shorter file.
///
/// Never panics, allocates nothing, and takes time linear in the bytes it looks at.
pub fn sniff(head: &[u8]) -> Sniffed {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    by_prefix(head)
        .or_else(|| by_parser(head))
        .or_else(|| unsupported_types::parse(head))
        .or_else(|| as_last(head))
        .unwrap_or(Sniffed::Unknown)
}

fn by_prefix(head: &[u8]) -> Option<Sniffed> {
    let begins = |media_type: &MediaType| match media_type.row().signature {
        Signature::Prefix(prefixes) => prefixes.iter().any(|prefix| head.starts_with(prefix)),
        Signature::Parsed(_) | Signature::Last(_) => false,
    };
    MediaType::ALL.into_iter().find(begins).map(Sniffed::Known)
}

fn by_parser(head: &[u8]) -> Option<Sniffed> {
    MediaType::ALL.into_iter().find_map(|media_type| match media_type.row().signature {
        Signature::Parsed(parse) => parse(head),
        Signature::Prefix(_) | Signature::Last(_) => None,
    })
}

fn as_last(head: &[u8]) -> Option<Sniffed> {
    MediaType::ALL.into_iter().find_map(|media_type| match media_type.row().signature {
        Signature::Last(parse) => parse(head),
        Signature::Prefix(_) | Signature::Parsed(_) => None,
    })
}
