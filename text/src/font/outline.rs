//! Outlines of glyphs.

use crate::font::GlyphId;
use crate::font::instance::{LocationRef, Size};

/// The outlines of a face.
pub struct OutlineGlyphs<'f, 'a>(pub(crate) &'f ttf_parser::Face<'a>);

impl<'f, 'a> OutlineGlyphs<'f, 'a> {
    /// One of them.
    pub fn get(&self, glyph: GlyphId) -> Option<OutlineGlyph<'f, 'a>> {
        let number = u16::try_from(glyph.to_u32()).ok()?;
        (number < self.0.number_of_glyphs()).then_some(OutlineGlyph(self.0, ttf_parser::GlyphId(number)))
    }
}

/// The outline of a glyph.
pub struct OutlineGlyph<'f, 'a>(&'f ttf_parser::Face<'a>, ttf_parser::GlyphId);

impl OutlineGlyph<'_, '_> {
    /// Draws it; nothing where it is damaged or has none.
    ///
    /// # Errors
    /// None.
    pub fn draw(&self, _: DrawSettings, pen: &mut impl OutlinePen) -> Result<(), std::convert::Infallible> {
        self.0.outline_glyph(self.1, &mut Pen(pen));
        Ok(())
    }
}

/// How it is drawn: as it stands in the file.
#[derive(Debug, Clone, Copy)]
pub struct DrawSettings;

impl DrawSettings {
    /// Without hints.
    pub fn unhinted<'l>(_: Size, _: impl Into<LocationRef<'l>>) -> Self {
        Self
    }
}

/// What an outline is drawn with. Ends of segments come last, after the points that pull at them.
#[expect(missing_docs, reason = "as in a path of SVG")]
pub trait OutlinePen {
    fn move_to(&mut self, x: f32, y: f32);
    fn line_to(&mut self, x: f32, y: f32);
    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32);
    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32);
    fn close(&mut self);
}

struct Pen<'p>(&'p mut dyn OutlinePen);

impl ttf_parser::OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.curve_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
