//! A Gaussian blur of sigma 1.5, as a sum of three truncated cosines that are computed from the two values before
//! (Charalampidis 2016, "Recursive Implementation of the Gaussian Filter Using Truncated Cosine Functions").

use crate::lanes::{Fuse, Lanes, Quick, exactly};

/// Samples to either side that are taken in.
pub(crate) const RADIUS: usize = 5;
/// Rows between the one that goes out and the one that comes in.
pub(crate) const LAG: usize = RADIUS - 1;
/// Rows that are kept: as many as the blur reaches over.
pub(crate) const HISTORY: usize = 2 * RADIUS + 1;
/// For each cosine: what comes in, and what comes from the value before.
const IN: [f32; 3] = [0.055_295_236, -0.058_836_687, 0.012_955_819];
const BEFORE: [f32; 3] = [1.902_113_1, 1.175_570_5, 1.224_646_9e-16];

/// The cosines at a place.
type Cosines = [Lanes; 3];

/// Blurs `N` quantities of a picture both ways, row by row as they come.
pub(crate) struct Blur<const N: usize> {
    height: usize,
    /// The last rows blurred along themselves, where they stand modulo [`HISTORY`].
    along: [Vec<[Lanes; N]>; HISTORY],
    last: Vec<[Cosines; N]>,
    before: Vec<[Cosines; N]>,
    /// The row that went out.
    row: Vec<[Lanes; N]>,
}

impl<const N: usize> Blur<N> {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let row = || vec![[Lanes::ZERO; N]; width];
        let cosines = || vec![[[Lanes::ZERO; 3]; N]; width];
        Self { height, along: [0; HISTORY].map(|_| row()), last: cosines(), before: cosines(), row: row() }
    }

    /// Row `y`, which may lie below the last: there is nothing. The row [`LAG`] above it goes out.
    pub(crate) fn push(&mut self, y: usize, row: &[[Lanes; N]]) -> &[[Lanes; N]] {
        // The row that leaves is the one whose place the next takes.
        let coming = y % HISTORY;
        match y < self.height {
            true => along(row, &mut self.along[coming]),
            false => self.along[coming].fill([Lanes::ZERO; N]),
        }
        let leaving = &self.along[(y + 1) % HISTORY];
        let rows = leaving.iter().zip(&self.along[coming]).zip(&mut self.row);
        for (((leaving, coming), out), (last, before)) in rows.zip(self.last.iter().zip(&mut self.before)) {
            let sums: [Lanes; N] = std::array::from_fn(|index| leaving[index].add(coming[index]));
            let mut quick = Quick::default();
            let mut next = across(&mut quick, &sums, last, before);
            if quick.failed() {
                next = exactly(|by| across(by, &sums, last, before));
            }
            *before = next;
            *out = next.map(total);
        }
        std::mem::swap(&mut self.last, &mut self.before);
        &self.row
    }
}

/// Blurs a row along itself; beyond its ends there is nothing.
fn along<const N: usize>(row: &[[Lanes; N]], blurred: &mut [[Lanes; N]]) {
    let (mut last, mut before) = ([[Lanes::ZERO; 3]; N], [[Lanes::ZERO; 3]; N]);
    let at =
        |index: Option<usize>| index.and_then(|index| row.get(index)).copied().unwrap_or([Lanes::ZERO; N]);
    // What comes in lies `LAG` ahead of what goes out, and what leaves as far behind and two more.
    for ahead in 0..row.len() + LAG {
        let (leaving, coming) = (at(ahead.checked_sub(2 * RADIUS)), at(Some(ahead)));
        let sums: [Lanes; N] = std::array::from_fn(|index| leaving[index].add(coming[index]));
        let mut quick = Quick::default();
        let mut next = ahead_of(&mut quick, &sums, &last, &before);
        if quick.failed() {
            next = exactly(|by| ahead_of(by, &sums, &last, &before));
        }
        (before, last) = (last, next);
        if let Some(out) = ahead.checked_sub(LAG) {
            blurred[out] = next.map(total);
        }
    }
}

#[inline(always)]
fn ahead_of<const N: usize>(
    by: &mut impl Fuse,
    sums: &[Lanes; N],
    last: &[Cosines; N],
    before: &[Cosines; N],
) -> [Cosines; N] {
    std::array::from_fn(|index| {
        std::array::from_fn(|k| {
            let coming = sums[index].mul(Lanes::splat(IN[k])).sub(before[index][k]);
            by.fused(Lanes::splat(BEFORE[k]), last[index][k], coming)
        })
    })
}

#[inline(always)]
fn across<const N: usize>(
    by: &mut impl Fuse,
    sums: &[Lanes; N],
    last: &[Cosines; N],
    before: &[Cosines; N],
) -> [Cosines; N] {
    std::array::from_fn(|index| {
        std::array::from_fn(|k| {
            let kept = by.fused(Lanes::splat(-BEFORE[k]), last[index][k], before[index][k]);
            by.fused(Lanes::splat(IN[k]), sums[index], kept.neg())
        })
    })
}

#[inline(always)]
fn total([first, second, third]: Cosines) -> Lanes {
    first.add(second).add(third)
}
