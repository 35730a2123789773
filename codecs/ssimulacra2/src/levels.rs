//! The scales of a picture: each half as large as the one before.

use crate::lanes::Lanes;

/// Scales that are compared.
const SCALES: usize = 6;
/// The least width and height that is compared, or made smaller; smaller pictures are continued by their last pixels.
pub(crate) const LEAST_SIDE: usize = 8;

/// What becomes of the rows of `N` pictures at one scale.
pub(crate) trait Level<const N: usize> {
    fn push(&mut self, rows: &[Vec<Lanes>; N]);
}

/// The way down from a level to the next.
pub(crate) struct Step<L, const N: usize> {
    pub(crate) level: L,
    /// Rows that are still to come.
    left: usize,
    /// An even row, whose odd one has not come yet.
    waiting: Option<[Vec<Lanes>; N]>,
}

/// The levels of a picture: each half as large as the one before, rounded up, as long as that was large enough. `level` is given
/// its number, width and height.
pub(crate) fn levels<L, const N: usize>(
    (mut width, mut height): (usize, usize),
    mut level: impl FnMut(usize, usize, usize) -> L,
) -> Vec<Step<L, N>> {
    let mut levels = Vec::with_capacity(SCALES);
    while levels.len() < SCALES {
        levels.push(Step { level: level(levels.len(), width, height), left: height, waiting: None });
        if width.min(height) < LEAST_SIDE {
            break;
        }
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
    }
    levels
}

/// Hands a row of each picture to the first level, and every second to the next.
pub(crate) fn push<L: Level<N>, const N: usize>(levels: &mut [Step<L, N>], rows: [Vec<Lanes>; N]) {
    let Some((step, smaller)) = levels.split_first_mut() else { return };
    step.level.push(&rows);
    step.left = step.left.saturating_sub(1);
    let halves = match step.waiting.take() {
        Some(above) => std::array::from_fn(|picture| halved(&above[picture], &rows[picture])),
        // The last row of an odd number counts twice.
        None if step.left == 0 => rows.map(|row| halved(&row, &row)),
        None => {
            step.waiting = Some(rows);
            return;
        }
    };
    push(smaller, halves);
}

/// The means of four pixels each; the last column of an odd number counts twice.
fn halved(above: &[Lanes], below: &[Lanes]) -> Vec<Lanes> {
    let halves = above.chunks(2).zip(below.chunks(2));
    let mean = |(above, below): (&[Lanes], &[Lanes])| {
        let [(a, b), (c, d)] = [above, below].map(|row| (row[0], row[row.len() - 1]));
        a.add(b).add(c).add(d).mul(Lanes::splat(0.25))
    };
    halves.map(mean).collect()
}
