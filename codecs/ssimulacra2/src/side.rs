//! One picture at one scale: its colours, and these and their squares blurred.

use crate::blur::{Blur, KEPT, LAG};
use crate::lanes::Lanes;
use crate::xyb::xyb;

/// The colours of a pixel, their mean and the mean of their squares around it.
pub(crate) type Seen = [Lanes; 3];

/// The last rows of colours, where they stand modulo [`KEPT`].
pub(crate) struct Colours([Vec<Lanes>; KEPT]);

impl Colours {
    pub(crate) fn new(width: usize) -> Self {
        Self([0; KEPT].map(|_| vec![Lanes::ZERO; width]))
    }

    pub(crate) fn push(&mut self, y: usize, light: &[Lanes]) {
        for (to, light) in self.0[y % KEPT].iter_mut().zip(light) {
            *to = xyb(*light);
        }
    }

    pub(crate) fn row(&self, y: usize) -> &[Lanes] {
        &self.0[y % KEPT]
    }
}

/// What is compared with, as it comes.
pub(crate) struct Streamed {
    height: usize,
    colours: Colours,
    blur: Blur<2>,
    /// What is blurred, then what came of it.
    blurred: Vec<[Lanes; 2]>,
    seen: Vec<Seen>,
}

impl Streamed {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self {
            height,
            colours: Colours::new(width),
            blur: Blur::new(width, height),
            blurred: vec![[Lanes::ZERO; 2]; width],
            seen: vec![[Lanes::ZERO; 3]; width],
        }
    }

    /// Takes the light of row `y`; below the last, of none.
    pub(crate) fn push(&mut self, y: usize, light: &[Lanes]) {
        if y < self.height {
            self.colours.push(y, light);
            for (to, colour) in self.blurred.iter_mut().zip(self.colours.row(y)) {
                *to = [*colour, colour.mul(*colour)];
            }
        }
        let blurred = self.blur.push(y, &self.blurred);
        if let Some(y) = y.checked_sub(LAG) {
            for ((seen, colour), [mean, square]) in self.seen.iter_mut().zip(self.colours.row(y)).zip(blurred)
            {
                *seen = [*colour, *mean, *square];
            }
        }
    }

    /// The row that came in last.
    pub(crate) fn colours(&self, y: usize) -> &[Lanes] {
        self.colours.row(y)
    }

    /// The row [`LAG`] above it.
    pub(crate) fn seen(&self) -> &[Seen] {
        &self.seen
    }
}
