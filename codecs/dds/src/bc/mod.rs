//! Block compression: 4 × 4 pixels in 8 or 16 bytes (chapters S3TC, RGTC and BPTC of the Khronos Data Format
//! Specification).

pub(crate) mod bc1;
pub(crate) mod bc4;
pub(crate) mod bc6h;
pub(crate) mod bc7;
pub(crate) mod bits;
pub(crate) mod partitions;

use crate::format::Block;
use crate::sample::Pixel;

/// The pixels of a block, row by row.
pub(crate) type Texels = [Pixel; 16];

/// Decodes a block, of which `stored` has all bytes.
pub(crate) fn decode(block: Block, stored: &[u8], texels: &mut Texels) {
    let low = eight(stored, 0);
    let high = eight(stored, 8);
    match block {
        Block::Bc1 => bc1::decode(low, true, texels),
        Block::Bc2(premultiplied) => {
            bc1::decode(high, false, texels);
            for (at, texel) in texels.iter_mut().enumerate() {
                texel[3] = ((low >> (4 * at)) & 15) as u32 * 17;
            }
            divide(premultiplied, texels);
        }
        Block::Bc3(premultiplied) => {
            bc1::decode(high, false, texels);
            bc4::decode(low, false, 3, texels);
            divide(premultiplied, texels);
        }
        Block::Rxgb => {
            bc1::decode(high, false, texels);
            bc4::decode(low, false, 0, texels);
        }
        Block::Bc4(signed) => bc4::decode(low, signed, 0, texels),
        Block::Bc5(signed) => {
            bc4::decode(low, signed, 0, texels);
            bc4::decode(high, signed, 1, texels);
            // The middle of a signed channel.
            texels.iter_mut().for_each(|texel| texel[2] = if signed { 128 } else { 0 });
        }
        Block::Bc6h(signed) => bc6h::decode(bits::Bits::new(low, high), signed, texels),
        Block::Bc7 => bc7::decode(bits::Bits::new(low, high), texels),
    }
}

/// Eight bytes, or 0 where there are none.
fn eight(stored: &[u8], from: usize) -> u64 {
    stored.get(from..).and_then(|rest| rest.first_chunk()).map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// Divides colors by alpha if they are multiplied by it. Where alpha is 0, they stay.
fn divide(premultiplied: bool, texels: &mut Texels) {
    if !premultiplied {
        return;
    }
    for [color @ .., alpha] in texels {
        if *alpha > 0 {
            color.iter_mut().for_each(|sample| *sample = ((*sample * 255 + *alpha / 2) / *alpha).min(255));
        }
    }
}

/// A color on the way between two numbers of 0 to `highest`: `weight` of `whole` parts are the second's. Rounded once, to
/// 0 to 255.
pub(crate) const fn blend(first: u32, second: u32, weight: u32, whole: u32, highest: u32) -> u32 {
    let parts = first * (whole - weight) + second * weight;
    (parts * 510 + highest * whole) / (2 * highest * whole)
}

/// A number of BC6H or BC7 on the way between two others: `weight` of 64 parts are the second's.
pub(crate) const fn mix(first: i32, second: i32, weight: u8) -> i32 {
    (first * (64 - weight as i32) + second * weight as i32 + 32) >> 6
}
