//! Nearest-color search. A guess that is nearer than half of its distance to any other color is the nearest. Otherwise, the
//! search proceeds outwards from the luma of the wanted color, among colors sorted by luma, until the luma difference alone
//! exceeds the best distance.

use crate::pixels::palette::space::{BRIGHTEST, Point, distance};

/// Steps of luma, for each of which is listed where a search begins.
const STEPS: usize = 1 << u8::BITS;

/// A palette to search: 1 to 256 colors.
pub(crate) struct Colors {
    points: Vec<Point>,
    /// Colors and their indices, sorted by luma.
    by_luma: Vec<(Point, u8)>,
    /// Of each step of luma, the number of colors in lower ones.
    starts: [u16; STEPS],
    /// Of each color, the square of half the distance to the nearest other one.
    alone: Vec<f32>,
}

impl Colors {
    pub(crate) fn new(points: Vec<Point>) -> Self {
        // The bit patterns of non-negative floats are ordered like the numbers; those of negative floats are in reverse
        // order.
        let rank = |luma: f32| {
            let bits = luma.to_bits();
            if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
        };
        let order = super::ranked(points.iter().map(|point| rank(point[0])));
        let by_luma: Vec<_> = order.into_iter().map(|index| (points[usize::from(index)], index)).collect();
        let mut starts = [0; STEPS];
        for (point, _) in &by_luma {
            starts[step(point) + 1..].iter_mut().for_each(|start| *start += 1);
        }
        let mut alone = vec![0.0; points.len()];
        for (at, (point, index)) in by_luma.iter().enumerate() {
            let (_, square) = outwards(point, &by_luma[..at], &by_luma[at + 1..], (*index, f32::MAX));
            alone[usize::from(*index)] = square / 4.0;
        }
        Self { points, by_luma, starts, alone }
    }

    pub(crate) fn point(&self, index: u8) -> &Point {
        &self.points[usize::from(index)]
    }

    /// Returns the index of the nearest color and its squared distance. A good guess makes the search faster.
    #[inline]
    pub(crate) fn nearest(&self, point: &Point, guess: u8) -> (u8, f32) {
        self.nearest_from(point, (guess, distance(point, self.point(guess))))
    }

    /// The same for a guess whose squared distance is known.
    #[inline]
    pub(crate) fn nearest_from(&self, point: &Point, guess: (u8, f32)) -> (u8, f32) {
        match guess.1 < self.alone[usize::from(guess.0)] {
            true => guess,
            false => self.nearer(point, guess),
        }
    }

    /// The nearest color if its squared distance is below `square`.
    #[inline]
    pub(crate) fn nearest_within(&self, point: &Point, square: f32, guess: u8) -> Option<u8> {
        let own = distance(point, self.point(guess));
        if own < self.alone[usize::from(guess)] {
            return (own < square).then_some(guess);
        }
        let (index, least) = self.nearer(point, (guess, own.min(square)));
        (least < square).then_some(index)
    }

    /// The nearest color, or `best` where none is nearer.
    fn nearer(&self, point: &Point, best: (u8, f32)) -> (u8, f32) {
        let start = usize::from(self.starts[step(point)]);
        let darker = self.by_luma[start..].iter().take_while(|(color, _)| color[0] < point[0]).count();
        let (darker, brighter) = self.by_luma.split_at(start + darker);
        outwards(point, darker, brighter, best)
    }
}

/// The step of a color's luma; colors beyond either end of the scale are in the last ones.
#[inline]
fn step(point: &Point) -> usize {
    usize::from((point[0] * (STEPS as f32 / BRIGHTEST)) as u8)
}

/// The nearest of colors that are sorted by luma, or `best` where none is nearer.
#[inline]
fn outwards(
    point: &Point,
    darker: &[(Point, u8)],
    brighter: &[(Point, u8)],
    mut best: (u8, f32),
) -> (u8, f32) {
    let mut look = |(color, index): &(Point, u8)| {
        let luma = color[0] - point[0];
        let may_be_nearer = luma * luma < best.1;
        if may_be_nearer {
            let square = distance(point, color);
            if square < best.1 {
                best = (*index, square);
            }
        }
        may_be_nearer
    };
    let _ = darker.iter().rev().all(&mut look);
    let _ = brighter.iter().all(&mut look);
    best
}
