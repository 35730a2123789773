//! BC4: the ends that give the least squared difference, among those near the extremes and near the best by least squares.

use super::fit;

/// Both numbers, what each pixel takes of them, and the sum of squared differences.
#[derive(Clone, Copy)]
struct Choice {
    ends: [u8; 2],
    indices: u64,
    error: u32,
}

/// Encodes a channel of a block.
pub(super) fn encode(samples: &[u8; 16]) -> u64 {
    let (least, most) = extremes(samples.iter().copied());
    // The greater first, for eight levels. If all are equal, any order does.
    let mut best = improved(samples, [most, least]);
    if best.error > 0 && (least == 0 || most == 255) {
        // Six levels between the others, and both extremes.
        let (least, most) = extremes(samples.iter().copied().filter(|&sample| sample > 0 && sample < 255));
        if least <= most {
            let six = improved(samples, [least, most]);
            if six.error < best.error {
                best = six;
            }
        }
    }
    u64::from(best.ends[0]) | u64::from(best.ends[1]) << 8 | best.indices << 16
}

fn extremes(samples: impl Iterator<Item = u8>) -> (u8, u8) {
    samples.fold((255, 0), |(least, most), sample| (least.min(sample), most.max(sample)))
}

/// The best that least squares and then small steps lead to, as long as the order of the ends stays.
fn improved(samples: &[u8; 16], ends: [u8; 2]) -> Choice {
    let eight = ends[0] > ends[1];
    let whole = if eight { 7 } else { 5 };
    let mut best = beyond(samples, choose(samples, ends, u32::MAX), whole);
    for _ in 0..2 {
        let indices = (0..16).map(|at| (best.indices >> (3 * at)) as u8 & 7);
        // Without the pixels that take an extreme.
        let inner = || indices.clone().zip(samples).filter(|&(index, _)| index <= whole);
        let mut colors = [[0.0; 4]; 16];
        colors.iter_mut().zip(inner()).for_each(|(color, (_, &sample))| color[0] = sample.into());
        let parts = inner().map(|(index, _)| match index {
            0 => 0,
            1 => whole,
            between => between - 1,
        });
        let Some(ends) = fit::least_squares(&colors, parts, whole.into()) else { break };
        let ends = ends.map(|end| (end[0] + 0.5) as u8);
        if (ends[0] > ends[1]) != eight {
            break;
        }
        let next = choose(samples, ends, best.error);
        if next.error >= best.error {
            break;
        }
        best = next;
    }
    neighbors(samples, best, eight)
}

/// The best of ends beyond those that are given, so that these are other levels.
fn beyond(samples: &[u8; 16], mut best: Choice, whole: u8) -> Choice {
    let [first, second] = best.ends.map(i32::from);
    for (before, after) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)] {
        let left = i32::from(whole) - before - after;
        let ends = [first + (first - second) * before / left, second + (second - first) * after / left];
        if let [Ok(first), Ok(second)] = ends.map(u8::try_from)
            && best.error > 0
        {
            let next = choose(samples, [first, second], best.error);
            if next.error < best.error {
                best = next;
            }
        }
    }
    best
}

/// The steps of both ends that are tried.
const STEPS: [(i8, i8); 12] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1), (2, 0), (-2, 0), (0, 2), (0, -2)];

fn neighbors(samples: &[u8; 16], mut best: Choice, eight: bool) -> Choice {
    let mut from = u32::MAX;
    while best.error > 0 && best.error < from {
        from = best.error;
        let [first, second] = best.ends;
        for (one, other) in STEPS {
            let [Some(first), Some(second)] =
                [first.checked_add_signed(one), second.checked_add_signed(other)]
            else {
                continue;
            };
            if (first > second) == eight {
                let next = choose(samples, [first, second], best.error);
                if next.error < best.error {
                    best = next;
                }
            }
        }
    }
    best
}

/// What is nearest to each pixel, as long as the error is less than the limit.
fn choose(samples: &[u8; 16], ends: [u8; 2], limit: u32) -> Choice {
    let levels = levels(ends);
    let (mut indices, mut error) = (0, 0);
    for (at, &sample) in samples.iter().enumerate() {
        // The index in the lowest bits of the distance: the least of both at once.
        let keyed = |index: usize| ((levels[index] - i32::from(sample)).pow(2) << 3) | index as i32;
        let nearest = (1..8).fold(keyed(0), |nearest, index| nearest.min(keyed(index)));
        indices |= (nearest as u64 & 7) << (3 * at);
        error += (nearest >> 3) as u32;
        if error >= limit {
            break;
        }
    }
    Choice { ends, indices, error }
}

/// The numbers of the eight indices, as [`crate::bc::bc4::levels`] has them, with divisions by constants.
fn levels([first, second]: [u8; 2]) -> [i32; 8] {
    let [from, to] = [first, second].map(i32::from);
    if first > second {
        std::array::from_fn(|index| match index as i32 {
            0 => from,
            1 => to,
            index => (2 * (from * (8 - index) + to * (index - 1)) + 7) / 14,
        })
    } else {
        std::array::from_fn(|index| match index as i32 {
            0 => from,
            1 => to,
            6 => 0,
            7 => 255,
            index => (2 * (from * (6 - index) + to * (index - 1)) + 5) / 10,
        })
    }
}
