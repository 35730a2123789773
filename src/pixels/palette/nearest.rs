//! Nearest-color search. Colors are sorted by luma, and the search proceeds outwards from the luma of the wanted color
//! until the luma difference alone exceeds the best distance.

use crate::pixels::palette::space::{Point, distance};

/// A palette to search: 1 to 256 colors.
pub(crate) struct Colors {
    points: Vec<Point>,
    /// Luma and index, sorted by luma.
    by_luma: Vec<(f32, u8)>,
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
        let by_luma = order.into_iter().map(|index| (points[usize::from(index)][0], index)).collect();
        Self { points, by_luma }
    }

    pub(crate) fn point(&self, index: u8) -> &Point {
        &self.points[usize::from(index)]
    }

    /// Returns the index of the nearest color and its squared distance. A good guess makes the search faster.
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
