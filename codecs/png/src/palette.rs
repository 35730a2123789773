//! The colors of a picture, if they are few.

use crate::picture::{Color, Picture};

/// The most colors of a palette (11.2.2).
const MOST: usize = 256;
const SLOTS: usize = 1 << 10;
/// Pixels among which nearly always are more colors than that, if there are: memory for the indices of all is taken behind them.
const FIRST: usize = 1 << 16;

/// Colors, and for each pixel the place of its color.
pub(crate) struct Indexed {
    pub(crate) colors: Vec<[u8; 4]>,
    pub(crate) indices: Vec<u8>,
}

/// The exact colors of a picture with 8 bits, in order of appearance. `None` if there are more than 256.
pub(crate) fn exact(picture: &Picture) -> Option<Indexed> {
    let pixels = picture.rows.len() / picture.color.channels();
    let mut known = Known::default();
    let mut indices = Vec::with_capacity(pixels.min(FIRST));
    let mut add = |color| {
        if indices.len() == FIRST {
            // At once: a vector that grows is copied, and takes up to three times its size meanwhile.
            indices.reserve_exact(pixels - FIRST);
        }
        indices.push(known.place(color)?);
        Some(())
    };
    let opaque = |key: bool| if key { 0 } else { u8::MAX };
    let rows = &picture.rows;
    match picture.color {
        Color::Gray { key } => {
            for shade in rows {
                add([*shade, *shade, *shade, opaque(key == Some(u16::from(*shade)))])?;
            }
        }
        Color::GrayAlpha => {
            for [shade, alpha] in rows.as_chunks().0 {
                add([*shade, *shade, *shade, *alpha])?;
            }
        }
        Color::Rgb { key } => {
            for color @ [r, g, b] in rows.as_chunks().0 {
                let is_key = key == Some(color.map(u16::from));
                add([*r, *g, *b, opaque(is_key)])?;
            }
        }
        Color::Rgba => {
            for color in rows.as_chunks().0 {
                add(*color)?;
            }
        }
        Color::Indexed { .. } => return None,
    }
    Some(Indexed { colors: known.colors, indices })
}

/// The same picture with each color once, without those that no pixel has. `None` if an index is outside of the palette.
pub(crate) fn used(colors: Vec<[u8; 4]>, mut indices: Vec<u8>) -> Option<Indexed> {
    let mut places = [None; MOST];
    let mut known = Known::default();
    for index in &mut indices {
        let at = usize::from(*index);
        let place = match places[at] {
            Some(place) => place,
            None => known.place(*colors.get(at)?)?,
        };
        places[at] = Some(place);
        *index = place;
    }
    Some(Indexed { colors: known.colors, indices })
}

/// A hash table of colors with open addressing.
pub(crate) struct Known {
    pub(crate) colors: Vec<[u8; 4]>,
    slots: [u16; SLOTS],
    last: ([u8; 4], u8),
}

impl Default for Known {
    fn default() -> Self {
        Self { colors: Vec::new(), slots: [u16::MAX; SLOTS], last: ([0; 4], 0) }
    }
}

impl Known {
    /// The place of a color, which is added if it is new. `None` if there are too many.
    #[inline(always)]
    pub(crate) fn place(&mut self, color: [u8; 4]) -> Option<u8> {
        if self.last.0 == color && !self.colors.is_empty() {
            return Some(self.last.1);
        }
        let mut slot = (u32::from_le_bytes(color).wrapping_mul(0x9E37_79B1) >> 22) as usize;
        loop {
            let entry = &mut self.slots[slot % SLOTS];
            if *entry == u16::MAX {
                if self.colors.len() == MOST {
                    return None;
                }
                *entry = self.colors.len() as u16;
                self.colors.push(color);
            }
            if self.colors.get(usize::from(*entry)) == Some(&color) {
                self.last = (color, *entry as u8);
                return Some(*entry as u8);
            }
            slot += 1;
        }
    }
}
