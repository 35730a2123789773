//! The quantiser: steps of one kind of block, and how coefficients become levels.
//!
//! Rounding is not to the nearest level: a little towards zero, since small levels cost bits, and a little upwards in
//! high frequencies, which keeps textures.

use crate::lanes::{Blocks, Lanes};
use crate::tables::{MAX_LEVEL, ZIGZAG};

/// Bits behind the point of a reciprocal.
const PRECISION: u32 = 17;

/// By place, in the order of coding: how much high frequencies are raised before they are rounded, in 2048ths of a step.
const SHARPENING: [u32; 16] = [0, 30, 60, 90, 30, 60, 90, 90, 60, 90, 90, 90, 90, 90, 90, 90];

/// The kinds of blocks that are quantised in their own ways.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of luma.
    Luma,
    /// Of the first coefficients of luma.
    Second,
    Chroma,
}

/// By place in the block, row by row.
#[derive(Clone, Copy)]
pub(crate) struct Quantiser {
    pub(crate) step: [u16; 16],
    pub(crate) reciprocal: [u16; 16],
    bias: [u32; 16],
    pub(crate) sharpening: [u16; 16],
}

impl Quantiser {
    pub(crate) fn new(kind: Kind, first: u16, others: u16) -> Self {
        // In 256ths of a step: where rounding up begins is one minus this.
        let bias: [u32; 2] = match kind {
            Kind::Luma => [96, 110],
            Kind::Second => [96, 108],
            Kind::Chroma => [110, 115],
        };
        let step = std::array::from_fn(|place| if place == 0 { first } else { others });
        let sharpening = std::array::from_fn(|place| match kind {
            Kind::Luma => ((SHARPENING[place] * u32::from(step[place])) >> 11) as u16,
            Kind::Second | Kind::Chroma => 0,
        });
        Self {
            step,
            reciprocal: step.map(|step| ((1 << PRECISION) / u32::from(step)) as u16),
            bias: std::array::from_fn(|place| bias[usize::from(place > 0)] << (PRECISION - 8)),
            sharpening,
        }
    }

    /// The mean of the steps.
    pub(crate) fn mean(&self) -> i32 {
        (self.step.iter().map(|&step| i32::from(step)).sum::<i32>() + 8) >> 4
    }

    /// Levels in the order of coding. What they stand for replaces the coefficients.
    #[inline(always)]
    pub(crate) fn quantise(&self, coefficients: &mut Blocks) -> Blocks {
        ZIGZAG.map(|place| {
            let coefficient = coefficients[place];
            let size = coefficient.abs().add(Lanes::splat(self.sharpening[place] as i16));
            let (by, bias) = (self.reciprocal[place], self.bias[place]);
            let level = size.divide(by, bias, MAX_LEVEL as i16, coefficient);
            coefficients[place] = level.times(self.step[place] as i16);
            level
        })
    }

    /// The same of one block.
    pub(crate) fn quantise_one(&self, coefficients: &mut [i16; 16]) -> [i16; 16] {
        let mut levels = [0; 16];
        for (level, place) in levels.iter_mut().zip(ZIGZAG) {
            *level = self.level(coefficients[place], place);
            coefficients[place] = level.wrapping_mul(self.step[place] as i16);
        }
        levels
    }

    /// The level of one coefficient.
    #[inline(always)]
    pub(crate) fn level(&self, coefficient: i16, place: usize) -> i16 {
        let sign = coefficient >> 15;
        let size = ((coefficient ^ sign).wrapping_sub(sign) as u16).wrapping_add(self.sharpening[place]);
        let level = (u32::from(size) * u32::from(self.reciprocal[place]) + self.bias[place]) >> PRECISION;
        let level = (level as u16).min(MAX_LEVEL) as i16;
        (level ^ sign).wrapping_sub(sign)
    }
}
