//! The nearest of a few colors. They are ordered by luma, and looked at outwards from that of the color in question,
//! until luma alone is further off than the best that was found.

use crate::pixels::palette::space::{Point, distance};

/// Colors to search among: 1 to 256.
pub(crate) struct Colors {
    points: Vec<Point>,
    /// Luma and index, by luma.
    by_luma: Vec<(f32, u8)>,
}

impl Colors {
    pub(crate) fn new(points: Vec<Point>) -> Self {
        // The bits of a number that is not negative are in the order of the numbers, those of others in the opposite one.
        let rank = |luma: f32| {
            let bits = luma.to_bits();
            if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
        };
        let order = super::ranked(points.iter().map(|point| rank(point[0])));
        let by_luma = order.into_iter().map(|index| (points[usize::from(index)][0], index)).collect();
        Self { points, by_luma }
    }

    pub(crate) fn point(&self, index: u8) -> &Point {
        &self.points[usize::from(index)]
    }

    /// The index of the nearest color and the square of its distance. The better the guess, the faster.
    pub(crate) fn nearest(&self, point: &Point, guess: u8) -> (u8, f32) {
        let mut best = (guess, distance(point, self.point(guess)));
        let middle = self.by_luma.partition_point(|&(luma, _)| luma < point[0]);
        let (darker, brighter) = self.by_luma.split_at(middle);
        let (mut darker, mut brighter) = (darker.iter().rev(), brighter.iter());
        let mut look = |next: Option<&(f32, u8)>| match next {
            Some(&(luma, index)) if (luma - point[0]) * (luma - point[0]) < best.1 => {
                let square = distance(point, self.point(index));
                if square < best.1 {
                    best = (index, square);
                }
                true
            }
            _ => false,
        };
        let (mut down, mut up) = (true, true);
        while down || up {
            down = down && look(darker.next());
            up = up && look(brighter.next());
        }
        best
    }
}
