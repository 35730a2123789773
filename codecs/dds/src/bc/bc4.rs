//! BC4: two numbers of 8 bits, and three bits per pixel for those and the numbers between them. BC3 has its alpha in such
//! a block, and BC5 both of its channels.

use super::{Texels, blend};

/// Decodes a block into one channel.
pub(crate) fn decode(stored: u64, signed: bool, channel: usize, texels: &mut Texels) {
    let levels = levels(stored as u8, (stored >> 8) as u8, signed);
    for (at, texel) in texels.iter_mut().enumerate() {
        texel[channel] = levels[(stored >> (16 + 3 * at)) as usize & 7];
    }
}

/// The numbers of the eight indices, as 0 to 255.
pub(crate) fn levels(first: u8, second: u8, signed: bool) -> [u32; 8] {
    let (from, to, highest) = if signed {
        // −127 to 127, and −128 is −127 too.
        let [from, to] = [first, second].map(|number| (i32::from(number as i8) + 127).max(0) as u32);
        (from, to, 254)
    } else {
        (u32::from(first), u32::from(second), 255)
    };
    // Six numbers, and the lowest and the highest that there are; or eight.
    let whole = if from > to { 7 } else { 5 };
    let mut levels = [0, 0, 0, 0, 0, 0, 0, 255];
    levels[0] = blend(from, to, 0, whole, highest);
    levels[1] = blend(from, to, whole, whole, highest);
    for weight in 1..whole {
        levels[weight as usize + 1] = blend(from, to, weight, whole, highest);
    }
    levels
}
