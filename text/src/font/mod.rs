//! Reads a face of a TrueType or OpenType font with ttf-parser, under the names of the crate skrifa.
//!
//! Outlines, the character map and metrics are read. Variations, hinting, and glyphs that are bitmaps, color layers or SVG
//! documents are not supported: the items for them are empty types, so that usvg's code for them is never compiled in.

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
    /// Parses the face at `index` of a font file or collection.
    ///
    /// # Errors
    /// [`raw::ReadError`] for data that is not a font or lacks a required table.
    pub fn from_index(data: &'a [u8], index: u32) -> Result<Self, raw::ReadError> {
        ttf_parser::Face::parse(data, index).map(|face| Self { face }).map_err(|_| raw::ReadError)
    }

    /// The face as ttf-parser reads it.
    pub fn face(&self) -> &ttf_parser::Face<'a> {
        &self.face
    }
}

/// The metadata of a face.
pub trait MetadataProvider<'a> {
    /// Variation axes: always none.
    fn axes(&self) -> Axes;
    /// Metrics of the face, in font units.
    fn metrics<'l>(&self, size: Size, location: impl Into<LocationRef<'l>>) -> Metrics;
    /// Metrics of single glyphs: always none.
    fn glyph_metrics<'l>(&self, size: Size, location: impl Into<LocationRef<'l>>) -> GlyphMetrics;
    /// The outlines of its glyphs.
    fn outline_glyphs(&self) -> outline::OutlineGlyphs<'_, 'a>;
    /// Color glyphs (COLR): always none.
    fn color_glyphs(&self) -> color::ColorGlyphs;
    /// Color palettes (CPAL): always none.
    fn color_palettes(&self) -> color::ColorPalettes;
    /// Bitmap glyphs: always none.
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

/// Metrics of a face, in font units.
#[derive(Debug, Clone, Copy)]
pub struct Metrics {
    /// Units per em.
    pub units_per_em: u16,
    /// Ascent above the baseline.
    pub ascent: f32,
    /// Descent below the baseline, negative.
    pub descent: f32,
    /// Height of a lowercase x.
    pub x_height: Option<f32>,
    /// The underline.
    pub underline: Option<Decoration>,
    /// The strikeout line.
    pub strikeout: Option<Decoration>,
}

/// A line along a text, in font units.
#[derive(Debug, Clone, Copy)]
pub struct Decoration {
    /// Its upper edge above the baseline.
    pub offset: f32,
    /// Its thickness.
    pub thickness: f32,
}

/// Metrics of glyphs: always none.
#[derive(Debug, Clone, Copy)]
pub struct GlyphMetrics;

impl GlyphMetrics {
    /// The bounding box of a glyph: always `None`.
    pub fn bounds(&self, _: GlyphId) -> Option<BoundingBox<f32>> {
        None
    }
}

/// Variation axes: always none.
#[derive(Debug, Clone, Copy)]
pub struct Axes;

impl Axes {
    /// The location for axis settings: always the default one.
    pub fn location(&self, _: impl IntoIterator<Item = (Tag, f32)>) -> Location {
        Location
    }

    /// The axis of a tag: always `None`.
    pub fn get_by_tag(&self, _: Tag) -> Option<std::convert::Infallible> {
        None
    }
}
