//! Recognizes a file by its first bytes.
//!
//! The table says how each of our types begins; `unsupported` knows others, so that they can be named. A parser looks only as
//! deep as it must to tell types apart, reads through `bytes` alone, and moves forward at every step: whatever the input, it
//! ends and cannot panic.

pub(crate) mod asf;
mod bytes;
pub(crate) mod ebml;
pub(crate) mod flash;
pub(crate) mod isobmff;
pub(crate) mod mpeg;
pub(crate) mod mpeg_audio;
pub(crate) mod ogg;
pub(crate) mod pdf;
pub(crate) mod raster;
pub(crate) mod riff;
pub(crate) mod svg;
mod text;
pub(crate) mod tga;
pub(crate) mod tiff;
mod unsupported;
mod zip;

use crate::media_type::MediaType;

/// How many bytes of a file are looked at; what lies behind them changes nothing.
pub const SNIFF_BYTES: usize = 65_536;

/// The type of a file by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// A supported type.
    Known(MediaType),
    /// Several types match, the likeliest first; a declared type or the file extension decides.
    OneOf(&'static [MediaType]),
    /// A recognized type that is not supported.
    Unsupported(UnsupportedType),
    /// No type is recognized.
    Unknown,
}

/// A type that is recognized, so that an error can name it, but not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnsupportedType {
    /// The display name, for example `HEIC` or `ZIP archive`.
    pub name: &'static str,
    /// The MIME type, for example `image/heic`.
    pub mime: &'static str,
}

impl UnsupportedType {
    /// Any gzip file. What it contains is rarely known from its first bytes.
    pub const GZIP: Self = Self { name: "gzip archive", mime: "application/gzip" };
    /// A gzip-compressed SVG (`.svgz`); it has no MIME type of its own.
    pub const SVGZ: Self = Self { name: "SVGZ (SVG compressed with gzip)", mime: "application/gzip" };
}

/// How a type is recognized.
pub(crate) enum Signature {
    /// By fixed first bytes.
    Prefix(&'static [&'static [u8]]),
    /// By a parser, which several types may share and which may find an unsupported type.
    Parsed(Parser),
    /// By a parser that is tried last, since the type has no fixed bytes.
    Last(Parser),
}

/// Returns `None` if no type of the parser matches.
pub(crate) type Parser = fn(&[u8]) -> Option<Sniffed>;

/// Recognizes a file by its first [`SNIFF_BYTES`] bytes, or all of a shorter file.
///
/// Never panics, allocates nothing, and takes time linear in the bytes it looks at.
pub fn sniff(head: &[u8]) -> Sniffed {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    by_prefix(head)
        .or_else(|| by_parser(head))
        .or_else(|| unsupported::parse(head))
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

const fn unsupported(name: &'static str, mime: &'static str) -> Sniffed {
    Sniffed::Unsupported(UnsupportedType { name, mime })
}
