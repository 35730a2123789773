//! Horizontal upscaling of a frame that is coded narrower than it is shown (section 7.16).

use super::FrameShape;
use crate::coverage;
use crate::plane::{self, Plane};
use std::collections::TryReserveError;

/// `SUPERRES_SCALE_BITS`: fractional bits of a position.
const SCALE_BITS: u32 = 14;
/// `SUPERRES_EXTRA_BITS`: those that do not select a filter.
const EXTRA_BITS: u32 = 8;
/// Samples before the position that a filter reads.
const BEFORE: usize = 4;
const TAPS: usize = 8;

/// How the rows of one plane are upscaled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Superres {
    width: usize,
    height: usize,
    /// Decoded samples of a row; beyond them the last is repeated.
    decoded: usize,
    /// Distance of two samples of the result, and the position of the first, from one sample before the row, in 1 / 2^14 samples.
    step: usize,
    first: usize,
    largest: i32,
}

impl Superres {
    /// None if the frame is not upscaled.
    pub(super) fn new(shape: &FrameShape, plane: usize) -> Option<Self> {
        if shape.width <= shape.coded_width {
            return None;
        }
        let (ss_x, ss_y) = shape.subsampling(plane);
        let width = (shape.width + ss_x) >> ss_x;
        let (from, to) = (((shape.coded_width + ss_x) >> ss_x) as i64, width as i64);
        let step = ((from << SCALE_BITS) + to / 2) / to;
        let error = to * step - (from << SCALE_BITS);
        let first = (-((to - from) << (SCALE_BITS - 1)) + to / 2) / to + (1 << (EXTRA_BITS - 1)) - error / 2;
        Some(Self {
            width,
            height: (shape.height + ss_y) >> ss_y,
            decoded: (shape.mi_cols >> ss_x) * 4,
            step: step as usize,
            first: (first & ((1 << SCALE_BITS) - 1)) as usize,
            largest: (1 << shape.bit_depth) - 1,
        })
    }

    /// The width of the result.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A row of the plane, with what is decoded beyond its visible samples, upscaled into `to`. `extended` is scratch of any length.
    pub(super) fn upscale_row(
        &self,
        row: &[u16],
        to: &mut [u16],
        extended: &mut Vec<u16>,
    ) -> Result<(), TryReserveError> {
        let decoded = self.decoded.min(row.len());
        extended.clear();
        extended.try_reserve(decoded + 2 * TAPS)?;
        let (Some(&first), Some(&last)) = (row[..decoded].first(), row[..decoded].last()) else {
            return Ok(());
        };
        extended.extend([first; BEFORE]);
        extended.extend_from_slice(&row[..decoded]);
        extended.extend([last; 2 * TAPS - BEFORE]);
        for (x, sample) in to.iter_mut().enumerate() {
            let position = self.first + x * self.step;
            let taps = &FILTERS[(position & ((1 << SCALE_BITS) - 1)) >> EXTRA_BITS];
            let from = (position >> SCALE_BITS).min(extended.len() - TAPS);
            let sum: i32 = extended[from..from + TAPS]
                .iter()
                .zip(taps)
                .map(|(&sample, &tap)| i32::from(sample) * i32::from(tap))
                .sum();
            *sample = ((sum + 64) >> 7).clamp(0, self.largest) as u16;
        }
        Ok(())
    }

    /// The upscaled plane, without padding.
    pub(super) fn upscale(&self, from: &Plane) -> Result<Plane, TryReserveError> {
        // The denominator, of which the coded width is the rounded quotient.
        coverage::count("superres", ((8 << SCALE_BITS) + self.step / 2) / self.step.max(1));
        let mut to = Plane {
            data: plane::zeros(self.width * self.height)?,
            stride: self.width,
            width: self.width,
            height: self.height,
        };
        let mut extended = Vec::new();
        for (row, to) in from.data.chunks(from.stride).zip(to.data.chunks_exact_mut(self.width)) {
            self.upscale_row(row, to, &mut extended)?;
        }
        Ok(to)
    }
}

/// `Upscale_Filter`.
const FILTERS: [[i16; TAPS]; 64] = [
    [0, 0, 0, 128, 0, 0, 0, 0],
    [0, 0, -1, 128, 2, -1, 0, 0],
    [0, 1, -3, 127, 4, -2, 1, 0],
    [0, 1, -4, 127, 6, -3, 1, 0],
    [0, 2, -6, 126, 8, -3, 1, 0],
    [0, 2, -7, 125, 11, -4, 1, 0],
    [-1, 2, -8, 125, 13, -5, 2, 0],
    [-1, 3, -9, 124, 15, -6, 2, 0],
    [-1, 3, -10, 123, 18, -6, 2, -1],
    [-1, 3, -11, 122, 20, -7, 3, -1],
    [-1, 4, -12, 121, 22, -8, 3, -1],
    [-1, 4, -13, 120, 25, -9, 3, -1],
    [-1, 4, -14, 118, 28, -9, 3, -1],
    [-1, 4, -15, 117, 30, -10, 4, -1],
    [-1, 5, -16, 116, 32, -11, 4, -1],
    [-1, 5, -16, 114, 35, -12, 4, -1],
    [-1, 5, -17, 112, 38, -12, 4, -1],
    [-1, 5, -18, 111, 40, -13, 5, -1],
    [-1, 5, -18, 109, 43, -14, 5, -1],
    [-1, 6, -19, 107, 45, -14, 5, -1],
    [-1, 6, -19, 105, 48, -15, 5, -1],
    [-1, 6, -19, 103, 51, -16, 5, -1],
    [-1, 6, -20, 101, 53, -16, 6, -1],
    [-1, 6, -20, 99, 56, -17, 6, -1],
    [-1, 6, -20, 97, 58, -17, 6, -1],
    [-1, 6, -20, 95, 61, -18, 6, -1],
    [-2, 7, -20, 93, 64, -18, 6, -2],
    [-2, 7, -20, 91, 66, -19, 6, -1],
    [-2, 7, -20, 88, 69, -19, 6, -1],
    [-2, 7, -20, 86, 71, -19, 6, -1],
    [-2, 7, -20, 84, 74, -20, 7, -2],
    [-2, 7, -20, 81, 76, -20, 7, -1],
    [-2, 7, -20, 79, 79, -20, 7, -2],
    [-1, 7, -20, 76, 81, -20, 7, -2],
    [-2, 7, -20, 74, 84, -20, 7, -2],
    [-1, 6, -19, 71, 86, -20, 7, -2],
    [-1, 6, -19, 69, 88, -20, 7, -2],
    [-1, 6, -19, 66, 91, -20, 7, -2],
    [-2, 6, -18, 64, 93, -20, 7, -2],
    [-1, 6, -18, 61, 95, -20, 6, -1],
    [-1, 6, -17, 58, 97, -20, 6, -1],
    [-1, 6, -17, 56, 99, -20, 6, -1],
    [-1, 6, -16, 53, 101, -20, 6, -1],
    [-1, 5, -16, 51, 103, -19, 6, -1],
    [-1, 5, -15, 48, 105, -19, 6, -1],
    [-1, 5, -14, 45, 107, -19, 6, -1],
    [-1, 5, -14, 43, 109, -18, 5, -1],
    [-1, 5, -13, 40, 111, -18, 5, -1],
    [-1, 4, -12, 38, 112, -17, 5, -1],
    [-1, 4, -12, 35, 114, -16, 5, -1],
    [-1, 4, -11, 32, 116, -16, 5, -1],
    [-1, 4, -10, 30, 117, -15, 4, -1],
    [-1, 3, -9, 28, 118, -14, 4, -1],
    [-1, 3, -9, 25, 120, -13, 4, -1],
    [-1, 3, -8, 22, 121, -12, 4, -1],
    [-1, 3, -7, 20, 122, -11, 3, -1],
    [-1, 2, -6, 18, 123, -10, 3, -1],
    [0, 2, -6, 15, 124, -9, 3, -1],
    [0, 2, -5, 13, 125, -8, 2, -1],
    [0, 1, -4, 11, 125, -7, 2, 0],
    [0, 1, -3, 8, 126, -6, 2, 0],
    [0, 1, -3, 6, 127, -4, 1, 0],
    [0, 1, -2, 4, 127, -3, 1, 0],
    [0, 0, -1, 2, 128, -1, 0, 0],
];
