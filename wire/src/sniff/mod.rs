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
mod recognize;
pub(crate) mod riff;
pub(crate) mod svg;
mod text;
pub(crate) mod tga;
pub(crate) mod tiff;
mod unsupported_types;
mod zip;

use crate::media_type::MediaType;

pub use recognize::sniff;

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
    /// The display name, for example `JPEG XL` or `ZIP archive`.
    pub name: &'static str,
    /// The MIME type, for example `image/jxl`.
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

const fn unsupported(name: &'static str, mime: &'static str) -> Sniffed {
    Sniffed::Unsupported(UnsupportedType { name, mime })
}
