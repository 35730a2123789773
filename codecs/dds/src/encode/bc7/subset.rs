//! A subset of a block: the line of stored colors that is nearest to its own.

use crate::bc::bc7::{Parity, expand, weights};
use crate::bc::mix;
use crate::encode::fit::{self, Color};

/// How the colors of a subset are stored.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// The bits of each channel. A channel of 0 bits is 255.
    pub(super) bits: [u8; 4],
    pub(super) parity: Parity,
    pub(super) index_bits: u8,
}

/// The colors of a subset, and what each of its pixels takes of them.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    pub(super) stored: [[u8; 4]; 2],
    pub(super) parity: [u8; 2],
    /// In the order of the pixels of the subset.
    pub(super) indices: [u8; 16],
    /// The sum of squared differences.
    pub(super) error: f32,
}

impl Fit {
    pub(super) const NONE: Self = Self { stored: [[0; 4]; 2], parity: [0; 2], indices: [0; 16], error: 0.0 };

    /// Swaps both ends if the index that has a bit less would need it.
    pub(super) fn order_ends(&mut self, anchor: usize, index_bits: u8) {
        let last = (1 << index_bits) - 1;
        if self.indices[anchor] > last / 2 {
            self.stored.swap(0, 1);
            self.parity.swap(0, 1);
            self.indices.iter_mut().for_each(|index| *index = last - (*index).min(last));
        }
    }
}

/// The ends of the principal axis, then of least squares.
pub(super) fn fit_subset(colors: &[Color], form: Form, search: bool) -> Fit {
    let mut best = quantized(colors, fit::ends(colors), form);
    let weights = weights(form.index_bits);
    for _ in 0..if search { 3 } else { 1 } {
        let parts = best.indices.iter().map(|&index| weights[usize::from(index)]);
        let Some(ends) = fit::least_squares(colors, parts, 64.0) else { break };
        let next = quantized(colors, ends, form);
        if next.error >= best.error {
            break;
        }
        best = next;
    }
    best
}

/// The best of the stored colors nearest to the ends, over the lowest bits that can be.
fn quantized(colors: &[Color], ends: [Color; 2], form: Form) -> Fit {
    let parities: &[[u8; 2]] = match form.parity {
        Parity::None => &[[0, 0]],
        // What is opaque stays so.
        Parity::Color if form.bits[3] > 0 && colors.iter().all(|color| color[3] == 255.0) => &[[1, 1]],
        Parity::Subset => &[[0, 0], [1, 1]],
        Parity::Color => &[[0, 0], [0, 1], [1, 0], [1, 1]],
    };
    let mut best = Fit { error: f32::MAX, ..Fit::NONE };
    for &parity in parities {
        let fit = nearest(colors, ends, form, parity);
        if fit.error < best.error {
            best = fit;
        }
    }
    best
}

/// The stored colors nearest to the ends, and what each pixel takes of them.
fn nearest(colors: &[Color], ends: [Color; 2], form: Form, parity: [u8; 2]) -> Fit {
    let mut fit = Fit { parity, ..Fit::NONE };
    let mut expanded = [[255; 4]; 2];
    for end in 0..2 {
        for channel in 0..4 {
            let bits = form.bits[channel];
            if bits == 0 {
                continue;
            }
            let (doubled, lowest) =
                if form.parity == Parity::None { (false, 0.0) } else { (true, f32::from(parity[end])) };
            let highest = ((1 << (bits + u8::from(doubled))) - 1) as f32;
            let scaled = ends[end][channel] * highest / 255.0;
            let stored = if doubled { (scaled - lowest) / 2.0 } else { scaled };
            let stored = ((stored + 0.5).max(0.0) as u32).min((1 << bits) - 1);
            fit.stored[end][channel] = stored as u8;
            expanded[end][channel] = expand(stored, bits, form.parity, parity[end].into()) as i32;
        }
    }
    let weights = weights(form.index_bits);
    let mut levels = [[0.0; 4]; 16];
    for (level, &weight) in levels.iter_mut().zip(weights) {
        *level =
            std::array::from_fn(|channel| mix(expanded[0][channel], expanded[1][channel], weight) as f32);
    }
    let last = weights.len() - 1;
    let from = levels[0];
    let way: Color = std::array::from_fn(|channel| levels[last][channel] - from[channel]);
    let steps = last as f32 / fit::dot(way, way).max(1e-6);
    let start = fit::dot(way, from) * steps - 0.5;
    for (index, &color) in fit.indices.iter_mut().zip(colors) {
        // A negative number becomes 0.
        let chosen = ((fit::dot(way, color) * steps - start) as usize).min(last);
        let apart: Color = std::array::from_fn(|channel| levels[chosen][channel] - color[channel]);
        *index = chosen as u8;
        fit.error += fit::dot(apart, apart);
    }
    fit
}
