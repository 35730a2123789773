//! From characters to glyphs.

use crate::font::{FontRef, GlyphId};

/// The map of a face.
pub struct Charmap<'f, 'a>(&'f ttf_parser::Face<'a>);

impl<'f, 'a> Charmap<'f, 'a> {
    /// Finds it.
    pub fn new(font: &'f FontRef<'a>) -> Self {
        Self(font.face())
    }

    /// The glyph of a character.
    pub fn map(&self, character: char) -> Option<GlyphId> {
        self.0.glyph_index(character).map(|glyph| GlyphId::new(glyph.0.into()))
    }
}
