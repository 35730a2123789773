//! The pyramid of scales: each half the size of the one before. Rows are handed down as soon as two of them are there, so no scale
//! keeps a picture.

use crate::lanes::Lanes;

/// Scales that are compared.
const SCALES: usize = 6;
/// The smallest side that is compared or halved; smaller pictures are padded by repeating their last pixels.
pub(crate) const MIN_SIDE: usize = 8;

/// What is done with the rows of `N` pictures at one scale.
pub(crate) trait Scale<const N: usize> {
    fn push(&mut self, rows: &[Vec<Lanes>; N]);
}

/// One scale, and the row that waits to be halved.
pub(crate) struct Level<S, const N: usize> {
    pub(crate) scale: S,
    /// Rows that are still to come.
    rows_left: usize,
    /// An even row whose odd one has not come yet.
    even: Option<[Vec<Lanes>; N]>,
}

/// The levels for a picture: sides are halved and rounded up while both are at least [`MIN_SIDE`]. `new` gets the index, width
/// and height of each scale.
pub(crate) fn levels<S, const N: usize>(
    (mut width, mut height): (usize, usize),
    mut new: impl FnMut(usize, usize, usize) -> S,
) -> Vec<Level<S, N>> {
    let mut levels = Vec::with_capacity(SCALES);
    while levels.len() < SCALES {
        levels.push(Level { scale: new(levels.len(), width, height), rows_left: height, even: None });
        if width.min(height) < MIN_SIDE {
            break;
        }
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
    }
    levels
}

/// Hands a row of each picture to the first level and the mean of every two rows to the next.
pub(crate) fn push<S: Scale<N>, const N: usize>(levels: &mut [Level<S, N>], rows: [Vec<Lanes>; N]) {
    let Some((level, smaller)) = levels.split_first_mut() else { return };
    level.scale.push(&rows);
    level.rows_left = level.rows_left.saturating_sub(1);
    let halved = match level.even.take() {
        Some(even) => std::array::from_fn(|picture| halve(&even[picture], &rows[picture])),
        // The last row of an odd height counts twice.
        None if level.rows_left == 0 => rows.map(|row| halve(&row, &row)),
        None => {
            level.even = Some(rows);
            return;
        }
    };
    push(smaller, halved);
}

/// The means of 2 × 2 pixels. The last column of an odd width counts twice.
fn halve(upper: &[Lanes], lower: &[Lanes]) -> Vec<Lanes> {
    let squares = upper.chunks(2).zip(lower.chunks(2));
    let mean = |(upper, lower): (&[Lanes], &[Lanes])| {
        let [(a, b), (c, d)] = [upper, lower].map(|row| (row[0], row[row.len() - 1]));
        a.add(b).add(c).add(d).mul(Lanes::splat(0.25))
    };
    squares.map(mean).collect()
}
