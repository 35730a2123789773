//! BC1 with four colors: ends of the principal axis, then of least squares, then the best of their neighbors.

use super::Block;
use super::fit::{self, Color};
use crate::bc::bc1::palette;

/// The bits of red, green and blue, and where they are.
const CHANNELS: [(u32, u32); 3] = [(11, 5), (5, 6), (0, 5)];

/// How often least squares are tried.
const ROUNDS: usize = 3;

/// Both colors, what each pixel takes of them, and the sum of squared differences.
#[derive(Clone, Copy)]
struct Choice {
    ends: [u16; 2],
    indices: u32,
    error: u32,
}

/// Encodes the colors of a block.
pub(super) fn encode(texels: &Block) -> u64 {
    let colors = texels.map(|[r, g, b, _]| [r, g, b, 0].map(f32::from));
    let mut best = choose(texels, fit::ends(&colors).map(quantize), u32::MAX);
    for _ in 0..ROUNDS {
        if best.error == 0 {
            break;
        }
        let parts = (0..16).map(|at| [0, 3, 1, 2][(best.indices >> (2 * at)) as usize & 3]);
        let Some(ends) = fit::least_squares(&colors, parts, 3.0) else { break };
        let next = choose(texels, ends.map(quantize), best.error);
        if next.error >= best.error {
            break;
        }
        best = next;
    }
    let best = neighbors(texels, best);
    pack(best)
}

/// How many steps there are: in either direction, in three channels of both ends.
const STEPS: usize = 12;

/// The best that one step after another leads to. Each is tried at most twice, and none again if no other helped since.
fn neighbors(texels: &Block, mut best: Choice) -> Choice {
    let mut in_vain = 0;
    for trial in 0..2 * STEPS {
        if best.error == 0 || in_vain == STEPS {
            break;
        }
        in_vain += 1;
        let (end, (shift, bits)) = (trial / 6 % 2, CHANNELS[trial / 2 % 3]);
        let step = if trial % 2 == 0 { 1 } else { -1 };
        let value = i32::from(best.ends[end] >> shift) & ((1 << bits) - 1);
        if !(0..1 << bits).contains(&(value + step)) {
            continue;
        }
        let mut ends = best.ends;
        ends[end] = (i32::from(ends[end]) + (step << shift)) as u16;
        let next = choose(texels, ends, best.error);
        if next.error < best.error {
            best = next;
            in_vain = 0;
        }
    }
    best
}

/// What is nearest to each pixel, as long as the error is less than the limit.
fn choose(texels: &Block, ends: [u16; 2], limit: u32) -> Choice {
    let colors = palette(ends[0], ends[1], false).map(|color| color.map(|sample| sample as i32));
    let (mut indices, mut error) = (0, 0);
    for (at, &[r, g, b, _]) in texels.iter().enumerate() {
        let [r, g, b] = [r, g, b].map(i32::from);
        // The index in the lowest bits of the distance: the least of both at once.
        let keyed = |index: usize| {
            let [red, green, blue, _] = colors[index];
            let distance = (red - r) * (red - r) + (green - g) * (green - g) + (blue - b) * (blue - b);
            (distance as u32) << 2 | index as u32
        };
        let nearest = keyed(0).min(keyed(1)).min(keyed(2).min(keyed(3)));
        indices |= (nearest & 3) << (2 * at);
        error += nearest >> 2;
        if error >= limit {
            break;
        }
    }
    Choice { ends, indices, error }
}

/// The bits of a block. The first color has to be the greater one, or there would be three.
fn pack(choice: Choice) -> u64 {
    let Choice { ends: [first, second], indices, .. } = choice;
    let (first, second, indices) = match first.cmp(&second) {
        std::cmp::Ordering::Less => (second, first, indices ^ 0x5555_5555),
        std::cmp::Ordering::Equal => (first, second, 0),
        std::cmp::Ordering::Greater => (first, second, indices),
    };
    u64::from(first) | u64::from(second) << 16 | u64::from(indices) << 32
}

fn quantize(color: Color) -> u16 {
    let mut packed = 0;
    for (sample, (shift, bits)) in color.into_iter().zip(CHANNELS) {
        let highest = ((1 << bits) - 1) as f32;
        packed |= ((sample * highest / 255.0 + 0.5) as u16) << shift;
    }
    packed
}
