//! Quantizer matrices: the steps of one block type (RFC 6386, section 14.1), and the rounding from coefficients to levels.
//!
//! Rounding has a dead zone, since small levels cost bits. Luma AC is sharpened before it is rounded, which keeps texture.
//! Both sets of constants are libwebp's (`LICENSE-libwebp`).

use crate::lanes::{Blocks, Lanes};
use crate::tables::{MAX_LEVEL, ZIGZAG};

/// The fixed-point precision of reciprocals, in bits.
const PRECISION: u32 = 17;

/// By raster position: what is added to the magnitude of a luma coefficient, in 2048ths of a step.
const SHARPEN: [u32; 16] = [0, 30, 60, 90, 30, 60, 90, 90, 60, 90, 90, 90, 90, 90, 90, 90];

/// The planes that are quantized differently.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plane {
    /// Luma subblocks.
    Y1,
    /// The WHT of luma DCs.
    Y2,
    Uv,
}

/// A quantizer matrix, by raster position.
#[derive(Clone, Copy)]
pub(crate) struct QuantMatrix {
    pub(crate) step: [u16; 16],
    reciprocal: [u16; 16],
    bias: [u32; 16],
    pub(crate) sharpen: [u16; 16],
}

impl QuantMatrix {
    pub(crate) fn new(plane: Plane, dc: u16, ac: u16) -> Self {
        // The rounding bias of DC and AC in 256ths of a step; 128 would round to nearest.
        let bias: [u32; 2] = match plane {
            Plane::Y1 => [96, 110],
            Plane::Y2 => [96, 108],
            Plane::Uv => [110, 115],
        };
        let step = std::array::from_fn(|i| if i == 0 { dc } else { ac });
        let sharpen = std::array::from_fn(|i| match plane {
            Plane::Y1 => ((SHARPEN[i] * u32::from(step[i])) >> 11) as u16,
            Plane::Y2 | Plane::Uv => 0,
        });
        Self {
            step,
            reciprocal: step.map(|step| ((1 << PRECISION) / u32::from(step)) as u16),
            bias: std::array::from_fn(|i| bias[usize::from(i > 0)] << (PRECISION - 8)),
            sharpen,
        }
    }

    /// The mean of the steps.
    pub(crate) fn mean_step(&self) -> i32 {
        (self.step.iter().map(|&step| i32::from(step)).sum::<i32>() + 8) >> 4
    }

    /// The levels in coding order. The dequantized values replace the coefficients.
    #[inline(always)]
    pub(crate) fn quantize(&self, coefficients: &mut Blocks) -> Blocks {
        std::array::from_fn(|position| {
            let i = ZIGZAG[position];
            let coefficient = coefficients[i];
            let magnitude = coefficient.abs().add(Lanes::splat(self.sharpen[i] as i16));
            let level = magnitude.quantize(self.reciprocal[i], self.bias[i], MAX_LEVEL as i16, coefficient);
            coefficients[i] = level.mul(self.step[i] as i16);
            level
        })
    }

    /// The same for one block.
    pub(crate) fn quantize_block(&self, coefficients: &mut [i16; 16]) -> [i16; 16] {
        let mut levels = [0; 16];
        for (level, i) in levels.iter_mut().zip(ZIGZAG) {
            *level = self.level(coefficients[i], i);
            coefficients[i] = level.wrapping_mul(self.step[i] as i16);
        }
        levels
    }

    /// The level of the coefficient at raster position `i`.
    #[inline(always)]
    pub(crate) fn level(&self, coefficient: i16, i: usize) -> i16 {
        let sign = coefficient >> 15;
        let magnitude = ((coefficient ^ sign).wrapping_sub(sign) as u16).wrapping_add(self.sharpen[i]);
        let level = (u32::from(magnitude) * u32::from(self.reciprocal[i]) + self.bias[i]) >> PRECISION;
        let level = (level as u16).min(MAX_LEVEL) as i16;
        (level ^ sign).wrapping_sub(sign)
    }
}
