//! Glyphs that are pictures, of which there are none.

use crate::font::{GlyphId, instance::Size};

/// No sizes.
#[derive(Debug, Clone, Copy)]
pub struct BitmapStrikes;

impl BitmapStrikes {
    /// The picture of a glyph.
    pub fn glyph_for_size(&self, _: Size, _: GlyphId) -> Option<BitmapGlyph<'_>> {
        None
    }

    /// How pictures are kept.
    pub fn format(&self) -> Option<BitmapFormat> {
        None
    }
}

/// A table of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitmapFormat {
    /// Apple's.
    Sbix,
}

/// A picture.
#[derive(Debug)]
pub struct BitmapGlyph<'a> {
    /// Its data.
    pub data: BitmapData<'a>,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Left of it.
    pub inner_bearing_x: f32,
    /// Above it.
    pub inner_bearing_y: f32,
    /// Pixels of the side of a letter's square.
    pub ppem_x: f32,
}

/// The data of a picture.
#[derive(Debug)]
pub enum BitmapData<'a> {
    /// Pixels.
    Bgra(&'a [u8]),
    /// A file.
    Png(&'a [u8]),
    /// Levels of alpha.
    Mask(&'a [u8]),
}
