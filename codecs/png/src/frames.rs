//! The color type, depth and palette that all frames of an animation have together: PNG has one header for them (third edition,
//! 4.9). Frames have 8 bits.
//!
//! Where it costs no larger samples, there is a transparent color, with which a frame can leave pixels as they are.

use crate::palette::Known;
use crate::palette_order;
use crate::picture::{Color, Picture};
use crate::reduce;

/// Transparent pixels have no other color.
const CLEAR: [u8; 4] = [0; 4];
/// Gray of more shades takes a byte for each pixel, and no palette.
const PACKED_SHADES: usize = 16;
/// The first of these multiples that is no color of a picture stands for transparency: a sample of all colors.
const KEY_STEP: u32 = 4097;

/// The colors of frames that are passed one by one.
pub struct FrameColors {
    known: Known,
    exceeds_palette: bool,
    is_gray: bool,
    /// Whether some pixels are partly transparent.
    is_soft: bool,
    /// Which multiples of `KEY_STEP` are colors.
    used: Vec<bool>,
}

impl FrameColors {
    /// No colors yet. `gray`: whether color may become gray.
    pub fn new(gray: bool) -> Self {
        Self {
            known: Known::default(),
            exceeds_palette: false,
            is_gray: gray,
            is_soft: false,
            used: vec![false; 1 << 12],
        }
    }

    /// Adds the colors of a frame. Its transparent pixels are zeros.
    pub fn add(&mut self, pixels: &[[u8; 4]]) {
        for &color in pixels {
            let [red, green, blue, alpha] = color;
            self.is_gray &= red == green && green == blue;
            self.is_soft |= !matches!(alpha, 0 | u8::MAX);
            self.exceeds_palette = self.exceeds_palette || self.known.place(color).is_none();
            let number = u32::from_be_bytes([0, red, green, blue]);
            if number.is_multiple_of(KEY_STEP) && alpha > 0 {
                self.used[(number / KEY_STEP) as usize] = true;
            }
        }
    }

    /// The form that has all of them.
    pub fn form(mut self) -> FrameForm {
        let colors = &mut self.known.colors;
        if self.exceeds_palette {
            let key = self.used.iter().position(|used| !used).filter(|_| !self.is_soft);
            let key = key.map(|at| (at as u32 * KEY_STEP).to_be_bytes().map(u16::from));
            return FrameForm::plain(match key {
                _ if self.is_gray => Color::GrayAlpha,
                Some([_, key @ ..]) => Color::Rgb { key: Some(key) },
                None => Color::Rgba,
            });
        }
        if self.is_gray && !self.is_soft && colors.len() > PACKED_SHADES {
            let shade = (0..=u8::MAX).find(|shade| !colors.contains(&[*shade, *shade, *shade, u8::MAX]));
            return FrameForm::plain(Color::Gray { key: shade.map(u16::from) });
        }
        // One more color would take more bits.
        if !colors.contains(&CLEAR) && !matches!(colors.len(), 2 | 4 | 16 | 256) {
            colors.push(CLEAR);
        }
        let mut sorted = Known::default();
        for index in palette_order::by_luminance(colors, &[0; 256]) {
            sorted.place(colors[usize::from(index)]);
        }
        let palette = sorted.colors.clone();
        FrameForm { color: Color::Indexed { palette }, known: sorted }
    }
}

/// A color type with which every frame can be stored.
pub struct FrameForm {
    color: Color,
    /// The palette.
    known: Known,
}

impl FrameForm {
    fn plain(color: Color) -> Self {
        Self { color, known: Known::default() }
    }

    /// Whether there is a transparent color.
    pub fn has_clear(&self) -> bool {
        match &self.color {
            Color::Gray { key } => key.is_some(),
            Color::Indexed { palette } => palette.contains(&CLEAR),
            _ => true,
        }
    }

    /// A frame, of the colors that were added and of transparent pixels.
    pub fn picture(&mut self, width: u32, height: u32, pixels: &[[u8; 4]]) -> Picture {
        let known = &mut self.known;
        let sample = |key: u16, alpha: u8, value: u8| if alpha == 0 { key as u8 } else { value };
        let rows = match self.color {
            Color::Gray { key } => pixels
                .iter()
                .map(|[shade, .., alpha]| sample(key.unwrap_or_default(), *alpha, *shade))
                .collect(),
            Color::Rgb { key } => {
                let [red, green, blue] = key.unwrap_or_default();
                let color = |[r, g, b, a]: &[u8; 4]| {
                    [sample(red, *a, *r), sample(green, *a, *g), sample(blue, *a, *b)]
                };
                pixels.iter().flat_map(color).collect()
            }
            Color::Indexed { .. } => {
                pixels.iter().map(|color| known.place(*color).unwrap_or_default()).collect()
            }
            Color::GrayAlpha => pixels.iter().flat_map(|[shade, .., alpha]| [*shade, *alpha]).collect(),
            Color::Rgba => pixels.as_flattened().to_vec(),
        };
        reduce::with_packed_indices(Picture { width, height, color: self.color.clone(), depth: 8, rows })
    }
}
