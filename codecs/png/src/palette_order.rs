//! Palette re-indexing: orders of palette entries for which the filtered indices compress well.
//!
//! Filters code the difference of neighboring indices, so colors that are neighbors in the image get nearby indices. The best order
//! depends on the image and the filter; the caller compares the candidates by their compressed size.

use std::cmp::Reverse;
use std::collections::VecDeque;

/// At the left border, filters use index 0 as the neighbor. A border pixel counts as this many neighbors of index 0,
/// because other pixels have four neighbors.
const BORDER_WEIGHT: u32 = 4;

/// Upper bound for the passes of the local search. Most palettes need fewer.
const MAX_PASSES: usize = 8;

/// Candidate orders, each a list of palette entries: by luminance, and by co-occurrence in the image.
pub(crate) fn candidates(colors: &[[u8; 4]], indices: &[u8], width: usize) -> Vec<Vec<u8>> {
    let border = border_counts(indices, width);
    let luminance = by_luminance(colors, &border);
    if colors.len() < 3 {
        return vec![luminance];
    }
    let neighbors = CoOccurrence::count(colors.len(), indices, width, &border);
    let arranged = neighbors.arrange(neighbors.greedy_chain());
    vec![luminance, arranged.into_iter().map(|index| index as u8).collect()]
}

/// The pixels' indices after reordering the palette.
pub(crate) fn remap(indices: &[u8], order: &[u8]) -> Vec<u8> {
    let mut places = [0; 256];
    for (place, index) in (0..=u8::MAX).zip(order) {
        places[usize::from(*index)] = place;
    }
    indices.iter().map(|index| places[usize::from(*index)]).collect()
}

/// How often each color is the first of a row, where filters use index 0 as the pixel to the left.
fn border_counts(indices: &[u8], width: usize) -> [u32; 256] {
    let mut counts = [0; 256];
    for first in indices.iter().step_by(width) {
        counts[usize::from(*first)] += 1;
    }
    counts
}

/// Sorted by alpha, so that a `tRNS` chunk is short, then from light to dark (Zaccarin and Liu, "A novel approach for coding color
/// quantized images", 1993). The most frequent color of the left border becomes index 0.
pub(crate) fn by_luminance(colors: &[[u8; 4]], border: &[u32; 256]) -> Vec<u8> {
    const WHITE: u32 = 255_000;
    let key = |color: &[u8; 4]| {
        let [red, green, blue, alpha] = color.map(u32::from);
        alpha << 18 | (WHITE - 299 * red - 587 * green - 114 * blue)
    };
    let mut order: Vec<u8> = (0..=u8::MAX).take(colors.len()).collect();
    order.sort_by_key(|at| key(&colors[usize::from(*at)]));
    let at = (0..order.len()).max_by_key(|&at| (border[usize::from(order[at])], order.len() - at));
    order[..=at.unwrap_or_default()].rotate_right(1);
    order
}

/// A symmetric matrix of how often two colors are horizontal or vertical neighbors. The last row and column,
/// [`Self::outside`], stand for the area left of the image, for which filters use index 0.
struct CoOccurrence {
    side: usize,
    counts: Vec<u32>,
}

impl CoOccurrence {
    fn count(colors: usize, indices: &[u8], width: usize, border: &[u32; 256]) -> Self {
        let side = colors + 1;
        let mut counts = vec![0; side * side];
        let mut add = |one: &u8, other: &u8| {
            if one != other {
                counts[usize::from(*one) * side + usize::from(*other)] += 1;
                counts[usize::from(*other) * side + usize::from(*one)] += 1;
            }
        };
        for row in indices.chunks_exact(width) {
            row.iter().zip(&row[1..]).for_each(|(left, right)| add(left, right));
        }
        indices.iter().zip(indices.iter().skip(width)).for_each(|(upper, lower)| add(upper, lower));
        for (color, count) in (0..colors).zip(border) {
            counts[colors * side + color] = BORDER_WEIGHT * count;
            counts[color * side + colors] = BORDER_WEIGHT * count;
        }
        Self { side, counts }
    }

    fn outside(&self) -> usize {
        self.side - 1
    }

    fn row(&self, color: usize) -> &[u32] {
        self.counts.get(color * self.side..(color + 1) * self.side).unwrap_or_default()
    }

    /// The order of Pinho and Neves ("A note on Zeng's technique for color re-indexing of palette-based images", 2004). It starts with
    /// the color that has the most neighbors. Then the color with the most neighbors in the chain is added, at the end of the chain
    /// to which these are closer.
    fn greedy_chain(&self) -> VecDeque<usize> {
        let colors = 0..self.outside();
        let neighbors = |color: usize| self.row(color).iter().map(|count| u64::from(*count)).sum::<u64>();
        let Some(first) = colors.clone().max_by_key(|&color| (neighbors(color), Reverse(color))) else {
            return VecDeque::new();
        };
        let mut chain = VecDeque::from([first]);
        let mut waiting: Vec<(u64, Reverse<usize>)> =
            colors.filter(|color| *color != first).map(|color| (0, Reverse(color))).collect();
        let mut last = first;
        loop {
            for (affinity, Reverse(color)) in &mut waiting {
                *affinity += u64::from(self.row(last)[*color]);
            }
            let Some(at) = (0..waiting.len()).max_by_key(|&at| waiting[at]) else { return chain };
            (_, Reverse(last)) = waiting.swap_remove(at);
            let ends = chain.len() as i64 - 1;
            let pull: i64 = (0..)
                .zip(&chain)
                .map(|(place, color): (i64, &usize)| (ends - 2 * place) * i64::from(self.row(last)[*color]))
                .sum();
            if pull > 0 {
                chain.push_front(last);
            } else {
                chain.push_back(last);
            }
        }
    }

    /// Moves one color after the other to where the sum of all distances, weighted by the counts, is least. This is a local search
    /// for the minimum of the cost of Zeng, Li and Lei ("An efficient color re-indexing scheme for palette-based compression",
    /// 2000). The outside stays before the first color.
    fn arrange(&self, chain: VecDeque<usize>) -> Vec<usize> {
        let mut order: Vec<usize> = std::iter::once(self.outside()).chain(chain).collect();
        let mut slopes = vec![0; self.side];
        for (at, &color) in order.iter().enumerate() {
            let weight = |other: &usize| i64::from(self.row(color)[*other]);
            slopes[color] =
                order[at..].iter().map(weight).sum::<i64>() - order[..at].iter().map(weight).sum::<i64>();
        }
        for _ in 0..MAX_PASSES {
            let mut has_moved = false;
            for color in 0..self.outside() {
                has_moved |= self.relocate(color, &mut order, &mut slopes);
            }
            if !has_moved {
                break;
            }
        }
        order.remove(0);
        order
    }

    /// Moves a color to its best position. Returns false if it stays. `slopes` contains, for each color, its counts
    /// with all later colors minus those with all earlier ones: the change of cost when the position moves past it.
    fn relocate(&self, color: usize, order: &mut [usize], slopes: &mut [i64]) -> bool {
        let Some(from) = order.iter().position(|other| *other == color) else { return false };
        let to = self.best_place(color, from, order, slopes);
        let is_later = from < to;
        let passed = if is_later { &mut order[from..=to] } else { &mut order[to..=from] };
        for &other in passed.iter().filter(|other| **other != color) {
            let change = 2 * i64::from(self.row(color)[other]);
            slopes[other] += if is_later { change } else { -change };
            slopes[color] += if is_later { -change } else { change };
        }
        if is_later {
            passed.rotate_left(1);
        } else {
            passed.rotate_right(1);
        }
        from != to
    }

    /// The position of least cost for the color at `from`: `from` itself unless another is better.
    fn best_place(&self, color: usize, from: usize, order: &[usize], slopes: &[i64]) -> usize {
        let weights = self.row(color);
        let total: i64 = weights.iter().map(|count| i64::from(*count)).sum();
        // Relative to the cost of position 0, which belongs to the outside.
        let (mut cost, mut earlier) = (0, 0);
        let mut best = (i64::MAX, true, 0);
        let others = order.iter().enumerate().filter(|(at, _)| *at != from);
        for (place, (at, &other)) in (1..).zip(others) {
            let weight = i64::from(weights[other]);
            let slope = slopes[other] + if at < from { -weight } else { weight };
            cost += 2 * earlier + weight - total + slope;
            earlier += weight;
            best = best.min((cost, place != from, place));
        }
        best.2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(neighbors: &CoOccurrence, order: &[usize]) -> u64 {
        let order = [&[neighbors.outside()], order].concat();
        let pairs = (0..order.len()).flat_map(|far| (0..far).map(move |near| (near, far)));
        pairs.map(|(near, far)| (far - near) as u64 * u64::from(neighbors.row(order[near])[order[far]])).sum()
    }

    #[test]
    fn a_ramp_with_shuffled_indices_is_put_in_order() {
        // Multiplication by 29 permutes the indices modulo 64.
        let ramp: Vec<u8> = (0..64 * 8).map(|at| (at % 64 * 29 % 64) as u8).collect();
        let colors: Vec<[u8; 4]> = (0_u8..64)
            .map(|color| [color.wrapping_mul(91), color.wrapping_mul(57), color.wrapping_mul(201), 255])
            .collect();
        let orders = candidates(&colors, &ramp, 64);
        let [_, arranged] = orders.as_slice() else { panic!("two candidates") };
        assert_eq!(remap(&ramp[..64], arranged), (0..64).collect::<Vec<u8>>());
    }

    #[test]
    fn no_single_move_improves_an_arrangement() {
        let mut state = 1_u32;
        let indices: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 24) * (state >> 16 & 0xff) / 4096) as u8
        })
        .take(4096)
        .collect();
        let neighbors = CoOccurrence::count(16, &indices, 64, &border_counts(&indices, 64));
        let order = neighbors.arrange(neighbors.greedy_chain());
        let least = cost(&neighbors, &order);
        for from in 0..order.len() {
            for to in 0..order.len() {
                let mut other = order.clone();
                let color = other.remove(from);
                other.insert(to, color);
                assert!(cost(&neighbors, &other) >= least, "color {color} to place {to}");
            }
        }
    }
}
