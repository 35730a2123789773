//! Sets the text of drawings: [`font`] reads outlines, metrics and the character map of a TrueType or OpenType font,
//! [`shaping`] turns a run of characters into positioned glyphs.
//!
//! usvg calls both under the names `skrifa` and `harfrust`, so the public names and types here are those crates'.
//! Supported are Latin, Greek, Cyrillic, Hebrew and Arabic: ligatures (GSUB), joining forms, kerning and mark positioning
//! (GPOS, `kern`). Not supported are contextual lookups, scripts that reorder syllables (those of India and South-East
//! Asia), variable fonts, hinting, and glyphs that are bitmaps, color layers or SVG documents.
//!
//! ```
//! use filepress_text::font::FontRef;
//!
//! assert!(FontRef::from_index(b"not a font", 0).is_err());
//! ```

pub mod font;
pub mod shaping;
