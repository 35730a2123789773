//! The nearest of a few colours. They are ordered by luma, and looked at outwards from that of the colour in question,
//! until luma alone is further off than the best that was found.

use super::space::{Point, distance};

/// Colours to search among: 1 to 256.
pub(super) struct Colours {
    points: Vec<Point>,
    /// Luma and index, by luma.
    by_luma: Vec<(f32, u8)>,
}

impl Colours {
    pub(super) fn new(points: Vec<Point>) -> Self {
        let mut by_luma: Vec<_> =
            points.iter().enumerate().map(|(index, point)| (point[0], index as u8)).collect();
        by_luma.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { points, by_luma }
    }

    pub(super) fn point(&self, index: u8) -> &Point {
        &self.points[usize::from(index)]
    }

    /// The index of the nearest colour and the square of its distance. The better the guess, the faster.
    pub(super) fn nearest(&self, point: &Point, guess: u8) -> (u8, f32) {
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
