//! Glyphs of several colors, of which there are none.

use crate::font::GlyphId;
use crate::font::instance::LocationRef;
use crate::font::raw::ReadError;
use crate::font::raw::types::{BoundingBox, Point};

/// No glyphs.
#[derive(Debug, Clone, Copy)]
pub struct ColorGlyphs;

impl ColorGlyphs {
    /// The layers of a glyph.
    pub fn get(&self, _: GlyphId) -> Option<ColorGlyph> {
        None
    }
}

/// A glyph of layers, of which there is none.
#[derive(Debug)]
pub enum ColorGlyph {}

impl ColorGlyph {
    /// Paints the layers.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn paint<'l>(
        &self,
        _: impl Into<LocationRef<'l>>,
        _: &mut impl ColorPainter,
    ) -> Result<(), ReadError> {
        match *self {}
    }
}

/// No palettes.
#[derive(Debug, Clone, Copy)]
pub struct ColorPalettes;

impl ColorPalettes {
    /// A palette.
    pub fn get(&self, _: u16) -> Option<ColorPalette> {
        None
    }
}

/// A palette, of which there is none.
#[derive(Debug)]
pub enum ColorPalette {}

impl ColorPalette {
    /// Its colors.
    pub fn colors(&self) -> &[Color] {
        match *self {}
    }
}

/// A color of a palette.
#[derive(Debug, Clone, Copy)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity.
    pub alpha: u8,
}

/// An affine transformation: x' = `xx` x + `xy` y + `dx`, y' = `yx` x + `yy` y + `dy`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the formula above says what each is")]
pub struct Transform {
    pub xx: f32,
    pub yx: f32,
    pub xy: f32,
    pub yy: f32,
    pub dx: f32,
    pub dy: f32,
}

impl Default for Transform {
    fn default() -> Self {
        Self { xx: 1.0, yx: 0.0, xy: 0.0, yy: 1.0, dx: 0.0, dy: 0.0 }
    }
}

impl std::ops::Mul for Transform {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        Self {
            xx: self.xx * inner.xx + self.xy * inner.yx,
            yx: self.yx * inner.xx + self.yy * inner.yx,
            xy: self.xx * inner.xy + self.xy * inner.yy,
            yy: self.yx * inner.xy + self.yy * inner.yy,
            dx: self.xx * inner.dx + self.xy * inner.dy + self.dx,
            dy: self.yx * inner.dx + self.yy * inner.dy + self.dy,
        }
    }
}

/// What a layer is painted with.
#[derive(Debug)]
#[expect(missing_docs, reason = "as in SVG")]
pub enum Brush<'a> {
    Solid {
        palette_index: u16,
        alpha: f32,
    },
    LinearGradient {
        p0: Point<f32>,
        p1: Point<f32>,
        color_stops: &'a [ColorStop],
        extend: Extend,
    },
    RadialGradient {
        c0: Point<f32>,
        r0: f32,
        c1: Point<f32>,
        r1: f32,
        color_stops: &'a [ColorStop],
        extend: Extend,
    },
    SweepGradient {
        c0: Point<f32>,
        start_angle: f32,
        end_angle: f32,
        color_stops: &'a [ColorStop],
        extend: Extend,
    },
}

/// A color of a gradient.
#[derive(Debug, Clone, Copy)]
pub struct ColorStop {
    /// Where it stands.
    pub offset: f32,
    /// Which it is.
    pub palette_index: u16,
    /// Its opacity.
    pub alpha: f32,
}

/// How a gradient goes on.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "as in SVG")]
pub enum Extend {
    Pad,
    Repeat,
    Reflect,
    Unknown,
}

/// How a layer meets what is below.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "as in SVG")]
#[non_exhaustive]
pub enum CompositeMode {
    SrcOver,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
    Multiply,
    HslHue,
    HslSaturation,
    HslColor,
    HslLuminosity,
}

/// What layers are painted by.
#[expect(missing_docs, reason = "nothing calls them")]
pub trait ColorPainter {
    fn push_transform(&mut self, transform: Transform);
    fn pop_transform(&mut self);
    fn push_clip_glyph(&mut self, glyph: GlyphId);
    fn push_clip_box(&mut self, bounds: BoundingBox<f32>);
    fn pop_clip(&mut self);
    fn fill(&mut self, brush: Brush<'_>);
    fn fill_glyph(&mut self, glyph: GlyphId, transform: Option<Transform>, brush: Brush<'_>);
    fn push_layer(&mut self, mode: CompositeMode);
    fn pop_layer(&mut self);
}
