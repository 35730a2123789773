//! Recognizes a file by its first bytes.
//!
//! The table says how each of our types begins; `foreign` knows others, so that they can be named. A parser looks only as
//! deep as it must to tell types apart, reads through `bytes` alone, and moves forward at every step: whatever the input, it
//! ends and cannot panic.

pub(crate) mod asf;
mod bytes;
pub(crate) mod ebml;
pub(crate) mod flash;
mod foreign;
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
mod zip;

use crate::media_type::MediaType;

/// How many bytes of a file are looked at; what lies behind them changes nothing.
pub const SNIFF_BYTES: usize = 65_536;

/// What the first bytes of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// One of our types.
    Known(MediaType),
    /// Any of these, the likeliest first: the bytes fit them all, so a declared type or a file extension decides.
    OneOf(&'static [MediaType]),
    /// A type that is recognized and not ours.
    Foreign(ForeignType),
    /// Nothing that is recognized.
    Unknown,
}

/// A type that is recognized only to be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForeignType {
    /// The name for a person, for example `HEIC` or `ZIP archive`.
    pub name: &'static str,
    /// The MIME type, for example `image/heic`.
    pub mime: &'static str,
}

impl ForeignType {
    /// What gzip made of any file. Its bytes seldom tell of which, so a caller that was told more can say more.
    pub const GZIP: Self = Self { name: "gzip archive", mime: "application/gzip" };
    /// An SVG that went through gzip, as `.svgz` files have; it has no MIME type of its own.
    pub const SVGZ: Self = Self { name: "SVGZ (SVG compressed with gzip)", mime: "application/gzip" };
}

/// How the bytes of a type are recognized.
pub(crate) enum Signature {
    /// Every file of the type begins with one of these.
    Prefix(&'static [&'static [u8]]),
    /// The head has to be read; several types may share a parser, and it may find that the file is foreign.
    Parsed(Parser),
    /// The type has no fixed bytes at all, so that it is considered when nothing else fits.
    Last(Parser),
}

/// `None` where the head is not of the parser's family.
pub(crate) type Parser = fn(&[u8]) -> Option<Sniffed>;

/// Recognizes a file by its first bytes; give [`SNIFF_BYTES`] of it, or all where it is shorter.
///
/// Never panics, allocates nothing, and takes time linear in the bytes it looks at.
pub fn sniff(head: &[u8]) -> Sniffed {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    by_prefix(head)
        .or_else(|| by_parser(head))
        .or_else(|| foreign::parse(head))
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

const fn foreign(name: &'static str, mime: &'static str) -> Sniffed {
    Sniffed::Foreign(ForeignType { name, mime })
}
