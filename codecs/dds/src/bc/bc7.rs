//! BC7: colors of 8 bits with or without alpha, in eight modes (ARB_texture_compression_bptc, table M).

use super::bits::Bits;
use super::partitions::Partition;
use super::{Texels, mix};

/// What a mode has.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    /// 1 to 3.
    pub(crate) subsets: u8,
    pub(crate) partition_bits: u8,
    pub(crate) rotation_bits: u8,
    /// Whether a bit says which of both indices is that of the colors.
    pub(crate) selection_bits: u8,
    pub(crate) color_bits: u8,
    /// 0 if everything is opaque.
    pub(crate) alpha_bits: u8,
    /// The bits below those of the channels.
    pub(crate) parity: Parity,
    pub(crate) index_bits: u8,
    /// The bits of a second index, or 0.
    pub(crate) second_bits: u8,
}

/// Who shares a lowest bit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parity {
    /// There is none.
    None,
    /// All channels of a color.
    Color,
    /// All channels of both colors of a subset.
    Subset,
}

const fn mode(first: [u8; 6], parity: Parity, [index_bits, second_bits]: [u8; 2]) -> Mode {
    let [subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits] = first;
    Mode {
        subsets,
        partition_bits,
        rotation_bits,
        selection_bits,
        color_bits,
        alpha_bits,
        parity,
        index_bits,
        second_bits,
    }
}

/// Table M.
pub(crate) const MODES: [Mode; 8] = [
    mode([3, 4, 0, 0, 4, 0], Parity::Color, [3, 0]),
    mode([2, 6, 0, 0, 6, 0], Parity::Subset, [3, 0]),
    mode([3, 6, 0, 0, 5, 0], Parity::None, [2, 0]),
    mode([2, 6, 0, 0, 7, 0], Parity::Color, [2, 0]),
    mode([1, 0, 2, 1, 5, 6], Parity::None, [2, 3]),
    mode([1, 0, 2, 0, 7, 8], Parity::None, [2, 2]),
    mode([1, 0, 0, 0, 7, 7], Parity::Color, [4, 0]),
    mode([2, 6, 0, 0, 5, 5], Parity::Color, [2, 0]),
];

/// How much of the second color an index of so many bits takes, in 64 parts.
pub(crate) const fn weights(index_bits: u8) -> &'static [u8] {
    match index_bits {
        2 => &[0, 21, 43, 64],
        3 => &[0, 9, 18, 27, 37, 46, 55, 64],
        _ => &[0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
    }
}

/// Decodes a block. The reserved mode is transparent black.
pub(crate) fn decode(mut stored: Bits, texels: &mut Texels) {
    let Some(mode) = MODES.into_iter().find(|_| stored.take(1) == 1) else {
        texels.fill([0; 4]);
        return;
    };
    let partition = Partition::new(mode.subsets, stored.take(mode.partition_bits));
    let rotation = stored.take(mode.rotation_bits);
    let selection = stored.take(mode.selection_bits) == 1;
    let colors = colors(&mode, &mut stored);
    let first = stored.indices(mode.index_bits, partition.anchors);
    let mut color = (first, mode.index_bits);
    let mut alpha = color;
    if mode.second_bits > 0 {
        alpha = (stored.indices(mode.second_bits, 1), mode.second_bits);
        if selection {
            (color, alpha) = (alpha, color);
        }
    }
    for (at, texel) in texels.iter_mut().enumerate() {
        let subset = 2 * partition.subset(at);
        for (channel, sample) in texel.iter_mut().enumerate() {
            let (indices, bits) = if channel == 3 { &alpha } else { &color };
            let weight = weights(*bits)[usize::from(indices[at])];
            let [from, to] = [colors[subset][channel], colors[subset + 1][channel]];
            *sample = mix(from, to, weight) as u32;
        }
        if rotation > 0 {
            texel.swap(3, rotation as usize - 1);
        }
    }
}

/// Both colors of each subset.
fn colors(mode: &Mode, stored: &mut Bits) -> [[i32; 4]; 6] {
    let count = 2 * usize::from(mode.subsets);
    let mut colors = [[0, 0, 0, 255]; 6];
    for channel in 0..if mode.alpha_bits > 0 { 4 } else { 3 } {
        let bits = if channel == 3 { mode.alpha_bits } else { mode.color_bits };
        for color in &mut colors[..count] {
            color[channel] = stored.take(bits);
        }
    }
    let mut parity = [0; 6];
    for at in 0..count {
        parity[at] = match mode.parity {
            Parity::Subset if at % 2 == 1 => parity[at - 1],
            Parity::None => 0,
            _ => stored.take(1),
        };
    }
    let mut expanded = [[255; 4]; 6];
    for at in 0..count {
        for channel in 0..if mode.alpha_bits > 0 { 4 } else { 3 } {
            let bits = if channel == 3 { mode.alpha_bits } else { mode.color_bits };
            expanded[at][channel] = expand(colors[at][channel], bits, mode.parity, parity[at]) as i32;
        }
    }
    expanded
}

/// The 8 bits of a stored channel: its highest bits are repeated.
pub(crate) const fn expand(stored: u32, bits: u8, parity: Parity, lowest: u32) -> u32 {
    let (value, bits) = match parity {
        Parity::None => (stored, bits),
        _ => ((stored << 1) | lowest, bits + 1),
    };
    let high = value << (8 - bits);
    high | (high >> bits)
}
