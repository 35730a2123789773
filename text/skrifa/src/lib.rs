//! The part of `skrifa` that usvg draws text with, over ttf-parser, in a tenth of its bytes: the workspace's `Cargo.toml` puts
//! it in the place of the crate of that name, so names and types are that crate's.
//!
//! Outlines, the map of characters and metrics are read. Variations, hinting, and glyphs that are pictures or layers of
//! colors are not there: what would describe them is empty, or a type without values, so the code for them falls away.

pub mod bitmap;
pub mod charmap;
pub mod color;
pub mod instance;
pub mod outline;
pub mod prelude;
pub mod raw;

use instance::{Location, LocationRef, Size};
use raw::types::BoundingBox;
pub use raw::types::{GlyphId, Tag};

/// A face of a font file.
#[derive(Clone)]
pub struct FontRef<'a> {
    face: ttf_parser::Face<'a>,
}

impl<'a> FontRef<'a> {
    /// Reads the face of this number from a file or a collection.
    ///
    /// # Errors
    /// What is no font, or lacks a table that all fonts have.
    pub fn from_index(data: &'a [u8], index: u32) -> Result<Self, raw::ReadError> {
        ttf_parser::Face::parse(data, index).map(|face| Self { face }).map_err(|_| raw::ReadError)
    }

    /// The face as ttf-parser reads it.
    pub fn face(&self) -> &ttf_parser::Face<'a> {
        &self.face
    }
}

/// What is known of a face.
pub trait MetadataProvider<'a> {
    /// Axes of variation: none.
    fn axes(&self) -> Axes;
    /// Measures of the face in its own units.
    fn metrics<'l>(&self, size: Size, location: impl Into<LocationRef<'l>>) -> Metrics;
    /// Measures of its glyphs: none.
    fn glyph_metrics<'l>(&self, size: Size, location: impl Into<LocationRef<'l>>) -> GlyphMetrics;
    /// Outlines of its glyphs.
    fn outline_glyphs(&self) -> outline::OutlineGlyphs<'_, 'a>;
    /// Glyphs of several colors: none.
    fn color_glyphs(&self) -> color::ColorGlyphs;
    /// Palettes for them: none.
    fn color_palettes(&self) -> color::ColorPalettes;
    /// Glyphs that are pictures: none.
    fn bitmap_strikes(&self) -> bitmap::BitmapStrikes;
}

impl<'a> MetadataProvider<'a> for FontRef<'a> {
    fn axes(&self) -> Axes {
        Axes
    }

    fn metrics<'l>(&self, _: Size, _: impl Into<LocationRef<'l>>) -> Metrics {
        let face = &self.face;
        let line = |metrics: ttf_parser::LineMetrics| Decoration {
            offset: metrics.position.into(),
            thickness: metrics.thickness.into(),
        };
        Metrics {
            units_per_em: face.units_per_em(),
            ascent: face.ascender().into(),
            descent: face.descender().into(),
            x_height: face.x_height().map(f32::from),
            underline: face.underline_metrics().map(line),
            strikeout: face.strikeout_metrics().map(line),
        }
    }

    fn glyph_metrics<'l>(&self, _: Size, _: impl Into<LocationRef<'l>>) -> GlyphMetrics {
        GlyphMetrics
    }

    fn outline_glyphs(&self) -> outline::OutlineGlyphs<'_, 'a> {
        outline::OutlineGlyphs(&self.face)
    }

    fn color_glyphs(&self) -> color::ColorGlyphs {
        color::ColorGlyphs
    }

    fn color_palettes(&self) -> color::ColorPalettes {
        color::ColorPalettes
    }

    fn bitmap_strikes(&self) -> bitmap::BitmapStrikes {
        bitmap::BitmapStrikes
    }
}

/// Measures of a face, in its units.
#[derive(Debug, Clone, Copy)]
pub struct Metrics {
    /// Units of the side of a letter's square.
    pub units_per_em: u16,
    /// Of the tallest letters, above the line.
    pub ascent: f32,
    /// Of the deepest, negative.
    pub descent: f32,
    /// Of an x.
    pub x_height: Option<f32>,
    /// The line below.
    pub underline: Option<Decoration>,
    /// The line across.
    pub strikeout: Option<Decoration>,
}

/// A line along a text.
#[derive(Debug, Clone, Copy)]
pub struct Decoration {
    /// Its upper edge, above the letters' line.
    pub offset: f32,
    /// How thick it is.
    pub thickness: f32,
}

/// Measures of glyphs.
#[derive(Debug, Clone, Copy)]
pub struct GlyphMetrics;

impl GlyphMetrics {
    /// Of a glyph that is a picture.
    pub fn bounds(&self, _: GlyphId) -> Option<BoundingBox<f32>> {
        None
    }
}

/// No axes.
#[derive(Debug, Clone, Copy)]
pub struct Axes;

impl Axes {
    /// The place of settings along the axes.
    pub fn location(&self, _: impl IntoIterator<Item = (Tag, f32)>) -> Location {
        Location
    }

    /// An axis.
    pub fn get_by_tag(&self, _: Tag) -> Option<std::convert::Infallible> {
        None
    }
}
