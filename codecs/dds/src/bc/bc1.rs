//! BC1: two colors of 16 bits, and two bits per pixel for those and the colors between them.

use super::{Texels, blend};

/// Decodes a block. Its three-color form is of BC1 alone (`punch_through`): the fourth index is then transparent black.
pub(crate) fn decode(stored: u64, punch_through: bool, texels: &mut Texels) {
    let colors = palette(stored as u16, (stored >> 16) as u16, punch_through);
    for (at, texel) in texels.iter_mut().enumerate() {
        *texel = colors[(stored >> (32 + 2 * at)) as usize & 3];
    }
}

/// The colors of the four indices.
pub(crate) fn palette(first: u16, second: u16, punch_through: bool) -> [[u32; 4]; 4] {
    let four = !punch_through || first > second;
    let whole = if four { 3 } else { 2 };
    let mut colors = [[0, 0, 0, 255]; 4];
    for (index, weight) in [0, whole, 1, 2].into_iter().enumerate() {
        if index == 3 && !four {
            colors[index] = [0; 4];
            break;
        }
        for (channel, (shift, bits)) in [(11, 5), (5, 6), (0, 5)].into_iter().enumerate() {
            let highest = (1 << bits) - 1;
            let [from, to] = [first, second].map(|color| u32::from(color >> shift) & highest);
            colors[index][channel] = blend(from, to, weight, whole, highest);
        }
    }
    colors
}
