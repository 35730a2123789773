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
    let [r, g, b] = [
        levels::<31>(first >> 11, second >> 11, four),
        levels::<63>(first >> 5, second >> 5, four),
        levels::<31>(first, second, four),
    ];
    let mut colors = [0, 1, 2, 3].map(|index: usize| [r[index], g[index], b[index], 255]);
    if !four {
        colors[3] = [0; 4];
    }
    colors
}

/// A channel of the colors of the four indices; of three colors, the last does not count. The highest number is known
/// when this is compiled, so that divisions are multiplications.
fn levels<const HIGHEST: u32>(first: u16, second: u16, four: bool) -> [u32; 4] {
    let [first, second] = [first, second].map(|color| u32::from(color) & HIGHEST);
    let [from, to] = [blend(first, second, 0, 1, HIGHEST), blend(first, second, 1, 1, HIGHEST)];
    if four {
        [from, to, blend(first, second, 1, 3, HIGHEST), blend(first, second, 2, 3, HIGHEST)]
    } else {
        [from, to, blend(first, second, 1, 2, HIGHEST), 0]
    }
}
