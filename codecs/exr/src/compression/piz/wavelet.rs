//! The Haar wavelet transform of a plane, in place: squares of 2 × 2 numbers become a mean and three differences, and the means, twice
//! as far apart, are transformed again ("Technical Introduction to OpenEXR", openexr.com).
//!
//! Numbers below 2¹⁴ need no wrapping of their differences. Others wrap in 16 bits, with means shifted by 2¹⁵.

/// Where the numbers of a plane are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// The place of the first number.
    pub(super) first: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// From a column to the next.
    pub(super) column: usize,
    /// From a row to the next.
    pub(super) row: usize,
}

/// Numbers from here on wrap.
const WRAPPING: u16 = 1 << 14;

/// From coefficients to numbers up to `largest`.
pub(super) fn decode(words: &mut [u16], plane: &Plane, largest: u16) {
    let Some(levels) = plane.width.min(plane.height).checked_ilog2() else { return };
    for level in (0..levels).rev() {
        match largest < WRAPPING {
            true => sweep(words, plane, 1 << level, |square| join_square(square, join_small), join_small),
            false => {
                sweep(words, plane, 1 << level, |square| join_square(square, join_wrapping), join_wrapping)
            }
        }
    }
}

/// From numbers up to `largest` to coefficients.
pub(super) fn encode(words: &mut [u16], plane: &Plane, largest: u16) {
    let Some(levels) = plane.width.min(plane.height).checked_ilog2() else { return };
    for level in 0..levels {
        match largest < WRAPPING {
            true => sweep(words, plane, 1 << level, |square| split_square(square, split_small), split_small),
            false => {
                sweep(words, plane, 1 << level, |square| split_square(square, split_wrapping), split_wrapping)
            }
        }
    }
}

/// Transforms the squares of numbers that are `step` apart, and the pairs of an odd column and row.
fn sweep(
    words: &mut [u16],
    plane: &Plane,
    step: usize,
    square: impl Fn([u16; 4]) -> [u16; 4],
    pair: impl Fn([u16; 2]) -> [u16; 2],
) {
    let (right, below) = (step * plane.column, step * plane.row);
    let (columns, rows) = (plane.width / (2 * step), plane.height / (2 * step));
    let (odd_column, odd_row) = (plane.width & step != 0, plane.height & step != 0);
    for row in 0..rows {
        let start = plane.first + row * 2 * below;
        for column in 0..columns {
            let at = start + column * 2 * right;
            let places = [at, at + right, at + below, at + below + right];
            let numbers = square(places.map(|place| words[place]));
            places.iter().zip(numbers).for_each(|(&place, number)| words[place] = number);
        }
        if odd_column {
            let at = start + columns * 2 * right;
            [words[at], words[at + below]] = pair([words[at], words[at + below]]);
        }
    }
    if odd_row {
        let start = plane.first + rows * 2 * below;
        for column in 0..columns {
            let at = start + column * 2 * right;
            [words[at], words[at + right]] = pair([words[at], words[at + right]]);
        }
    }
}

/// Columns first, as the last step of the forward transform was.
fn join_square([a, b, c, d]: [u16; 4], pair: impl Fn([u16; 2]) -> [u16; 2]) -> [u16; 4] {
    let ([a, c], [b, d]) = (pair([a, c]), pair([b, d]));
    let ([a, b], [c, d]) = (pair([a, b]), pair([c, d]));
    [a, b, c, d]
}

fn split_square([a, b, c, d]: [u16; 4], pair: impl Fn([u16; 2]) -> [u16; 2]) -> [u16; 4] {
    let ([a, b], [c, d]) = (pair([a, b]), pair([c, d]));
    let ([a, c], [b, d]) = (pair([a, c]), pair([b, d]));
    [a, b, c, d]
}

/// From mean and difference to two numbers.
fn join_small([mean, difference]: [u16; 2]) -> [u16; 2] {
    let difference = difference as i16;
    let first = (mean as i16).wrapping_add(difference & 1).wrapping_add(difference >> 1);
    [first as u16, first.wrapping_sub(difference) as u16]
}

fn split_small([first, second]: [u16; 2]) -> [u16; 2] {
    let (first, second) = (i32::from(first as i16), i32::from(second as i16));
    [((first + second) >> 1) as u16, (first - second) as u16]
}

fn join_wrapping([mean, difference]: [u16; 2]) -> [u16; 2] {
    let second = mean.wrapping_sub(difference >> 1);
    [difference.wrapping_add(second).wrapping_sub(1 << 15), second]
}

fn split_wrapping([first, second]: [u16; 2]) -> [u16; 2] {
    let first = first.wrapping_add(1 << 15);
    let mean = ((u32::from(first) + u32::from(second)) >> 1) as u16;
    // A negative difference moves the mean to the other half of the circle.
    let mean = if first < second { mean.wrapping_add(1 << 15) } else { mean };
    [mean, first.wrapping_sub(second)]
}
