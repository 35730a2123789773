//! The precomputed reference at one scale, for callers who compare many pictures with it.

use crate::blur::LAG;
use crate::lanes::Lanes;
use crate::moments::{Moments, MomentsStream};

/// Bytes a pixel.
pub(crate) const BYTES: u64 = 36;

/// The [`Moments`] of all pixels, without the unused lane.
pub(crate) struct ReferenceScale {
    width: usize,
    pixels: Vec<[[f32; 3]; 3]>,
}

impl ReferenceScale {
    pub(crate) fn row(&self, y: usize) -> impl Iterator<Item = Moments> {
        let pixels = &self.pixels[y * self.width..][..self.width];
        pixels.iter().map(|moments| moments.map(|[x, y, b]| Lanes::new([x, y, b, 0.0])))
    }
}

/// Builds a [`ReferenceScale`] from rows.
pub(crate) struct ReferenceBuilder {
    stream: MomentsStream,
    height: usize,
    rows: usize,
    scale: ReferenceScale,
}

impl ReferenceBuilder {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let scale = ReferenceScale { width, pixels: Vec::with_capacity(width * height) };
        Self { stream: MomentsStream::new(width, height), height, rows: 0, scale }
    }

    pub(crate) fn push(&mut self, linear_rgb: &[Lanes]) {
        self.stream.push(self.rows, linear_rgb);
        if self.rows >= LAG {
            let packed = |lanes: Lanes| {
                let [x, y, b, _] = lanes.array();
                [x, y, b]
            };
            self.scale.pixels.extend(self.stream.moments().iter().map(|moments| moments.map(packed)));
        }
        self.rows += 1;
    }

    pub(crate) fn finish(mut self) -> ReferenceScale {
        for _ in 0..LAG {
            self.push(&[]);
        }
        debug_assert_eq!(self.rows, self.height + LAG);
        self.scale
    }
}
