//! BC6H: half-precision colors without alpha (ARB_texture_compression_bptc, tables MF and F).

use super::bits::Bits;
use super::partitions::Partition;
use super::{Texels, mix};
use crate::bc::bc7::weights;
use crate::float;

/// One of the fourteen layouts.
struct Mode {
    number: u8,
    /// Whether the other colors are stored as differences to the first.
    transformed: bool,
    /// The bits of a channel of a color.
    bits: u8,
    /// The bits of the channels of a difference.
    delta: [u8; 3],
    /// What the bits after the mode are: a channel of a color, the bits of it, from the last to the first.
    fields: &'static [(u8, u8, u8)],
}

const fn mode(
    number: u8,
    transformed: bool,
    bits: u8,
    delta: [u8; 3],
    fields: &'static [(u8, u8, u8)],
) -> Mode {
    Mode { number, transformed, bits, delta, fields }
}

/// Decodes a block. A reserved mode is black.
pub(crate) fn decode(mut stored: Bits, signed: bool, texels: &mut Texels) {
    let mut number = stored.take(2) as u8;
    if number > 1 {
        number |= (stored.take(3) << 2) as u8;
    }
    let Some(mode) = MODES.iter().find(|mode| mode.number == number) else {
        texels.fill([0; 4]);
        return;
    };
    let raw = colors(mode, &mut stored);
    let divided = mode.number < 3 || mode.number & 3 == 2;
    let partition = if divided { Partition::new(2, stored.take(5)) } else { Partition::WHOLE };
    let colors = raw_to_numbers(mode, raw, signed);
    let width = if divided { 3 } else { 4 };
    let indices = stored.indices(width, partition.anchors);
    let weights = weights(width);
    for (at, (texel, index)) in texels.iter_mut().zip(indices).enumerate() {
        let subset = 2 * partition.subset(at);
        for (channel, sample) in texel[..3].iter_mut().enumerate() {
            let [first, second] = [colors[subset][channel], colors[subset + 1][channel]];
            *sample = float::widen(half(mix(first, second, weights[usize::from(index)]), signed), 16);
        }
    }
}

/// The four colors as they are stored.
fn colors(mode: &Mode, stored: &mut Bits) -> [[u32; 3]; 4] {
    let mut colors = [[0; 3]; 4];
    for &(name, last, first) in mode.fields {
        let value = &mut colors[usize::from(name & 3)][usize::from(name >> 2)];
        if last >= first {
            *value |= stored.take(last - first + 1) << first;
        } else {
            // The highest bit comes first.
            for bit in (last..=first).rev() {
                *value |= stored.take(1) << bit;
            }
        }
    }
    colors
}

/// The numbers between which is interpolated.
fn raw_to_numbers(mode: &Mode, raw: [[u32; 3]; 4], signed: bool) -> [[i32; 3]; 4] {
    let mut colors = [[0; 3]; 4];
    for (at, color) in raw.into_iter().enumerate() {
        for (channel, value) in color.into_iter().enumerate() {
            let mut number = value as i32;
            if at > 0 && mode.transformed {
                number = extend(value, mode.delta[channel]) + raw[0][channel] as i32;
                number &= (1 << mode.bits) - 1;
            }
            if signed {
                number = extend(number as u32, mode.bits);
            }
            colors[at][channel] = unquantize(number, mode.bits, signed);
        }
    }
    colors
}

/// A number in two's complement.
const fn extend(value: u32, bits: u8) -> i32 {
    let unused = 32 - bits as u32;
    ((value << unused) as i32) >> unused
}

fn unquantize(number: i32, bits: u8, signed: bool) -> i32 {
    if !signed {
        return match number {
            _ if bits >= 15 => number,
            0 => 0,
            _ if number == (1 << bits) - 1 => 0xffff,
            _ => ((number << 15) + 0x4000) >> (bits - 1),
        };
    }
    let magnitude = match number.abs() {
        same if bits >= 16 => same,
        0 => 0,
        most if most >= (1 << (bits - 1)) - 1 => 0x7fff,
        other => ((other << 15) + 0x4000) >> (bits - 1),
    };
    if number < 0 { -magnitude } else { magnitude }
}

/// The bits of the half-precision number.
const fn half(number: i32, signed: bool) -> u32 {
    match number {
        _ if !signed => ((number * 31) >> 6) as u32,
        0.. => ((number * 31) >> 5) as u32,
        _ => 0x8000 | ((-number * 31) >> 5) as u32,
    }
}

// The channels of the colors: the number of the color, and four times that of the channel.
const R0: u8 = 0;
const R1: u8 = 1;
const R2: u8 = 2;
const R3: u8 = 3;
const G0: u8 = 4;
const G1: u8 = 5;
const G2: u8 = 6;
const G3: u8 = 7;
const B0: u8 = 8;
const B1: u8 = 9;
const B2: u8 = 10;
const B3: u8 = 11;

const MODES: [Mode; 14] = [
    mode(
        0,
        true,
        10,
        [5, 5, 5],
        &[
            (G2, 4, 4),
            (B2, 4, 4),
            (B3, 4, 4),
            (R0, 9, 0),
            (G0, 9, 0),
            (B0, 9, 0),
            (R1, 4, 0),
            (G3, 4, 4),
            (G2, 3, 0),
            (G1, 4, 0),
            (B3, 0, 0),
            (G3, 3, 0),
            (B1, 4, 0),
            (B3, 1, 1),
            (B2, 3, 0),
            (R2, 4, 0),
            (B3, 2, 2),
            (R3, 4, 0),
            (B3, 3, 3),
        ],
    ),
    mode(
        1,
        true,
        7,
        [6, 6, 6],
        &[
            (G2, 5, 5),
            (G3, 4, 4),
            (G3, 5, 5),
            (R0, 6, 0),
            (B3, 0, 0),
            (B3, 1, 1),
            (B2, 4, 4),
            (G0, 6, 0),
            (B2, 5, 5),
            (B3, 2, 2),
            (G2, 4, 4),
            (B0, 6, 0),
            (B3, 3, 3),
            (B3, 5, 5),
            (B3, 4, 4),
            (R1, 5, 0),
            (G2, 3, 0),
            (G1, 5, 0),
            (G3, 3, 0),
            (B1, 5, 0),
            (B2, 3, 0),
            (R2, 5, 0),
            (R3, 5, 0),
        ],
    ),
    mode(
        2,
        true,
        11,
        [5, 4, 4],
        &[
            (R0, 9, 0),
            (G0, 9, 0),
            (B0, 9, 0),
            (R1, 4, 0),
            (R0, 10, 10),
            (G2, 3, 0),
            (G1, 3, 0),
            (G0, 10, 10),
            (B3, 0, 0),
            (G3, 3, 0),
            (B1, 3, 0),
            (B0, 10, 10),
            (B3, 1, 1),
            (B2, 3, 0),
            (R2, 4, 0),
            (B3, 2, 2),
            (R3, 4, 0),
            (B3, 3, 3),
        ],
    ),
    mode(
        6,
        true,
        11,
        [4, 5, 4],
        &[
            (R0, 9, 0),
            (G0, 9, 0),
            (B0, 9, 0),
            (R1, 3, 0),
            (R0, 10, 10),
            (G3, 4, 4),
            (G2, 3, 0),
            (G1, 4, 0),
            (G0, 10, 10),
            (G3, 3, 0),
            (B1, 3, 0),
            (B0, 10, 10),
            (B3, 1, 1),
            (B2, 3, 0),
            (R2, 3, 0),
            (B3, 0, 0),
            (B3, 2, 2),
            (R3, 3, 0),
            (G2, 4, 4),
            (B3, 3, 3),
        ],
    ),
    mode(
        10,
        true,
        11,
        [4, 4, 5],
        &[
            (R0, 9, 0),
            (G0, 9, 0),
            (B0, 9, 0),
            (R1, 3, 0),
            (R0, 10, 10),
            (B2, 4, 4),
            (G2, 3, 0),
            (G1, 3, 0),
            (G0, 10, 10),
            (B3, 0, 0),
            (G3, 3, 0),
            (B1, 4, 0),
            (B0, 10, 10),
            (B2, 3, 0),
            (R2, 3, 0),
            (B3, 1, 1),
            (B3, 2, 2),
            (R3, 3, 0),
            (B3, 4, 4),
            (B3, 3, 3),
        ],
    ),
    mode(
        14,
        true,
        9,
        [5, 5, 5],
        &[
            (R0, 8, 0),
            (B2, 4, 4),
            (G0, 8, 0),
            (G2, 4, 4),
            (B0, 8, 0),
            (B3, 4, 4),
            (R1, 4, 0),
            (G3, 4, 4),
            (G2, 3, 0),
            (G1, 4, 0),
            (B3, 0, 0),
            (G3, 3, 0),
            (B1, 4, 0),
            (B3, 1, 1),
            (B2, 3, 0),
            (R2, 4, 0),
            (B3, 2, 2),
            (R3, 4, 0),
            (B3, 3, 3),
        ],
    ),
    mode(
        18,
        true,
        8,
        [6, 5, 5],
        &[
            (R0, 7, 0),
            (G3, 4, 4),
            (B2, 4, 4),
            (G0, 7, 0),
            (B3, 2, 2),
            (G2, 4, 4),
            (B0, 7, 0),
            (B3, 3, 3),
            (B3, 4, 4),
            (R1, 5, 0),
            (G2, 3, 0),
            (G1, 4, 0),
            (B3, 0, 0),
            (G3, 3, 0),
            (B1, 4, 0),
            (B3, 1, 1),
            (B2, 3, 0),
            (R2, 5, 0),
            (R3, 5, 0),
        ],
    ),
    mode(
        22,
        true,
        8,
        [5, 6, 5],
        &[
            (R0, 7, 0),
            (B3, 0, 0),
            (B2, 4, 4),
            (G0, 7, 0),
            (G2, 5, 5),
            (G2, 4, 4),
            (B0, 7, 0),
            (G3, 5, 5),
            (B3, 4, 4),
            (R1, 4, 0),
            (G3, 4, 4),
            (G2, 3, 0),
            (G1, 5, 0),
            (G3, 3, 0),
            (B1, 4, 0),
            (B3, 1, 1),
            (B2, 3, 0),
            (R2, 4, 0),
            (B3, 2, 2),
            (R3, 4, 0),
            (B3, 3, 3),
        ],
    ),
    mode(
        26,
        true,
        8,
        [5, 5, 6],
        &[
            (R0, 7, 0),
            (B3, 1, 1),
            (B2, 4, 4),
            (G0, 7, 0),
            (B2, 5, 5),
            (G2, 4, 4),
            (B0, 7, 0),
            (B3, 5, 5),
            (B3, 4, 4),
            (R1, 4, 0),
            (G3, 4, 4),
            (G2, 3, 0),
            (G1, 4, 0),
            (B3, 0, 0),
            (G3, 3, 0),
            (B1, 5, 0),
            (B2, 3, 0),
            (R2, 4, 0),
            (B3, 2, 2),
            (R3, 4, 0),
            (B3, 3, 3),
        ],
    ),
    mode(
        30,
        false,
        6,
        [6, 6, 6],
        &[
            (R0, 5, 0),
            (G3, 4, 4),
            (B3, 0, 0),
            (B3, 1, 1),
            (B2, 4, 4),
            (G0, 5, 0),
            (G2, 5, 5),
            (B2, 5, 5),
            (B3, 2, 2),
            (G2, 4, 4),
            (B0, 5, 0),
            (G3, 5, 5),
            (B3, 3, 3),
            (B3, 5, 5),
            (B3, 4, 4),
            (R1, 5, 0),
            (G2, 3, 0),
            (G1, 5, 0),
            (G3, 3, 0),
            (B1, 5, 0),
            (B2, 3, 0),
            (R2, 5, 0),
            (R3, 5, 0),
        ],
    ),
    mode(
        3,
        false,
        10,
        [10, 10, 10],
        &[(R0, 9, 0), (G0, 9, 0), (B0, 9, 0), (R1, 9, 0), (G1, 9, 0), (B1, 9, 0)],
    ),
    mode(
        7,
        true,
        11,
        [9, 9, 9],
        &[
            (R0, 9, 0),
            (G0, 9, 0),
            (B0, 9, 0),
            (R1, 8, 0),
            (R0, 10, 10),
            (G1, 8, 0),
            (G0, 10, 10),
            (B1, 8, 0),
            (B0, 10, 10),
        ],
    ),
    mode(
        11,
        true,
        12,
        [8, 8, 8],
        &[
            (R0, 9, 0),
            (G0, 9, 0),
            (B0, 9, 0),
            (R1, 7, 0),
            (R0, 10, 11),
            (G1, 7, 0),
            (G0, 10, 11),
            (B1, 7, 0),
            (B0, 10, 11),
        ],
    ),
    mode(
        15,
        true,
        16,
        [4, 4, 4],
        &[
            (R0, 9, 0),
            (G0, 9, 0),
            (B0, 9, 0),
            (R1, 3, 0),
            (R0, 10, 15),
            (G1, 3, 0),
            (G0, 10, 15),
            (B1, 3, 0),
            (B0, 10, 15),
        ],
    ),
];
