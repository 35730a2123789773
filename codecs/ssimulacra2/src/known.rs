//! What is compared with, at one scale and made ready: for a search, which compares many pictures with one.

use crate::blur::LAG;
use crate::lanes::Lanes;
use crate::side::{Seen, Streamed};

/// Bytes of a pixel.
pub(crate) const BYTES: u64 = 36;

/// Each pixel's [`Seen`], without the lane of nothing.
pub(crate) struct Known {
    width: usize,
    pixels: Vec<[[f32; 3]; 3]>,
}

impl Known {
    /// Of a row, from its first pixel.
    pub(crate) fn row(&self, y: usize) -> impl Iterator<Item = Seen> {
        let pixels = &self.pixels[y * self.width..][..self.width];
        pixels.iter().map(|seen| seen.map(|[x, y, b]| Lanes::new([x, y, b, 0.0])))
    }
}

/// Makes it of rows as they come.
pub(crate) struct Preparation {
    side: Streamed,
    height: usize,
    rows: usize,
    known: Known,
}

impl Preparation {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let known = Known { width, pixels: Vec::with_capacity(width * height) };
        Self { side: Streamed::new(width, height), height, rows: 0, known }
    }

    pub(crate) fn push(&mut self, light: &[Lanes]) {
        self.side.push(self.rows, light);
        if self.rows >= LAG {
            let packed = |lanes: Lanes| {
                let [x, y, b, _] = lanes.array();
                [x, y, b]
            };
            self.known.pixels.extend(self.side.seen().iter().map(|seen| seen.map(packed)));
        }
        self.rows += 1;
    }

    pub(crate) fn finish(mut self) -> Known {
        for _ in 0..LAG {
            self.push(&[]);
        }
        debug_assert_eq!(self.rows, self.height + LAG);
        self.known
    }
}
