//! BC7: forms of a block, of which the one with the least squared difference is written.

mod pack;
mod subset;

use pack::{Choice, pack};
use subset::{Fit, Form, fit_subset};

use super::Block;
use super::fit::{Color, Moments};
use crate::bc::bc7::{MODES, Parity};
use crate::bc::partitions::Partition;

/// Encodes a block. With `search`, more forms are tried.
pub(super) fn encode(texels: &Block, search: bool) -> u128 {
    let colors = texels.map(|texel| texel.map(f32::from));
    let opaque = texels.iter().all(|texel| texel[3] == 255);
    // Mode 6 has the finest steps, and is all that a smooth block needs.
    let mut best = divided(&colors, 6, 0, search);
    if best.error > if search { GOOD } else { FAIR } {
        let mut distances = distances_to_lines(&colors, false);
        let first = nearest(&distances);
        // Of two subsets, mode 1 has the finest steps, and mode 7 has alpha.
        let (mode, tried) = match (opaque, search) {
            (true, true) => (1, 4),
            (true, false) => (1, 2),
            (false, true) => (7, 4),
            (false, false) => (7, 1),
        };
        for _ in 0..tried {
            let partition = nearest(&distances);
            best.consider(divided(&colors, mode, partition as u32, search));
            distances[partition] = f32::INFINITY;
        }
        if !opaque && !search {
            best.consider(apart(&colors, 5, 0, false, search));
        } else if search && best.error > GOOD {
            search_others(&colors, opaque, first as u32, &mut best);
        }
    }
    pack(&best)
}

/// The squared difference of a block below which no other modes are tried: half a step in each channel.
const GOOD: f32 = 12.0;

/// The same where time counts more.
const FAIR: f32 = 36.0;

/// Tries the modes that are the best of few blocks. `partition` is the best one of two subsets.
fn search_others(colors: &[Color; 16], opaque: bool, partition: u32, best: &mut Choice) {
    if opaque {
        best.consider(divided(colors, 3, partition, true));
        let distances = distances_to_lines(colors, true);
        best.consider(divided(colors, 2, nearest(&distances) as u32, true));
        best.consider(divided(colors, 0, nearest(&distances[..16]) as u32, true));
        return;
    }
    for rotation in 0..4 {
        best.consider(apart(colors, 5, rotation, false, true));
        best.consider(apart(colors, 4, rotation, false, true));
        best.consider(apart(colors, 4, rotation, true, true));
    }
}

impl Choice {
    /// Takes another form if that is better.
    fn consider(&mut self, other: Self) {
        if other.error < self.error {
            *self = other;
        }
    }
}

/// How far the subsets of each partition, of two subsets or of three, are from lines.
fn distances_to_lines(colors: &[Color; 16], three: bool) -> [f32; 64] {
    let moments = colors.map(Moments::of);
    let mut whole = Moments::default();
    moments.iter().for_each(|one| whole.add(one));
    let subsets = if three { 3 } else { 2 };
    std::array::from_fn(|number| {
        let partition = Partition::new(subsets, number as u32);
        let mut others = [Moments::default(); 2];
        for (at, one) in moments.iter().enumerate() {
            if let Some(to) = partition.subset(at).checked_sub(1) {
                others[to].add(one);
            }
        }
        let first = whole.without(&others[0]).without(&others[1]);
        first.distance_to_line() + others[0].distance_to_line() + others[1].distance_to_line()
    })
}

/// The partition of the least distance.
fn nearest(distances: &[f32]) -> usize {
    (1..distances.len()).fold(0, |least, at| if distances[at] < distances[least] { at } else { least })
}

/// A mode whose colors and alpha share their indices.
fn divided(colors: &[Color; 16], number: usize, partition: u32, search: bool) -> Choice {
    let mode = &MODES[number];
    let form = Form {
        bits: [mode.color_bits, mode.color_bits, mode.color_bits, mode.alpha_bits],
        parity: mode.parity,
        index_bits: mode.index_bits,
    };
    let subsets = Partition::new(mode.subsets, partition);
    let mut choice =
        Choice { mode: number, partition, rotation: 0, selection: false, fits: [Fit::NONE; 3], error: 0.0 };
    for (subset, fit) in choice.fits.iter_mut().enumerate().take(mode.subsets.into()) {
        let mut own = [[0.0; 4]; 16];
        let mut count = 0;
        for (at, &color) in colors.iter().enumerate() {
            if subsets.subset(at) == subset {
                own[count] = color;
                count += 1;
            }
        }
        *fit = fit_subset(&own[..count], form, search);
        choice.error += fit.error;
    }
    choice
}

/// A mode whose alpha, or the channel that it is swapped with, has indices of its own.
fn apart(colors: &[Color; 16], number: usize, rotation: usize, selection: bool, search: bool) -> Choice {
    let mode = &MODES[number];
    let (mut color_bits, mut alpha_bits) = (mode.index_bits, mode.second_bits);
    if selection {
        (color_bits, alpha_bits) = (alpha_bits, color_bits);
    }
    let mut rotated = *colors;
    if rotation > 0 {
        rotated.iter_mut().for_each(|color| color.swap(3, rotation - 1));
    }
    let alone = rotated.map(|color| [color[3], 255.0, 255.0, 255.0]);
    rotated.iter_mut().for_each(|color| color[3] = 255.0);
    let bits = [mode.color_bits, mode.color_bits, mode.color_bits, 0];
    let color = fit_subset(&rotated, Form { bits, parity: Parity::None, index_bits: color_bits }, search);
    let bits = [mode.alpha_bits, 0, 0, 0];
    let alpha = fit_subset(&alone, Form { bits, parity: Parity::None, index_bits: alpha_bits }, search);
    let error = color.error + alpha.error;
    Choice { mode: number, partition: 0, rotation, selection, fits: [color, alpha, Fit::NONE], error }
}
