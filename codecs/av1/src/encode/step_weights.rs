//! What quantizer matrices make of the steps (AV1 specification, section 7.12.3), for all transforms of a frame, and what errors
//! count: where steps are larger, the eye sees less, so an error of the same size counts less.

use super::forward::SCALE;
use crate::error::Error;
use crate::obu::FrameHeader;
use crate::transform::{Dequantizer, TxSize, TxType};
use crate::try_vec::filled;
use libm::powf;

/// Coefficients of the largest transform.
const COEFFICIENTS: usize = 32 * 32;
/// A step in which weights are exact.
const UNIT: i32 = 32;
/// The power of a step's factor by which the squared errors of its coefficient count less, in smooth pictures, and how much larger it
/// is in textured ones. By 2 errors would be told in steps.
const ERROR_EXPONENT: f32 = 1.25;
const ERROR_EXPONENT_OF_TEXTURE: f32 = 0.15;

/// The factors of the steps of a transform, and their inverses, by the positions of coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights<'a> {
    pub(super) factors: &'a [f32],
    pub(super) inverses: &'a [f32],
    /// What squared errors of coefficients count.
    pub(super) of_errors: &'a [f32],
    /// What errors in squared steps count, beside those in squared steps without a factor.
    pub(super) of_steps: &'a [f32],
    /// The least factor.
    pub(super) least: f32,
}

impl Weights<'_> {
    /// By how much the squared error of a transform without levels, in squared samples, exceeds that of its samples.
    pub(super) fn error_beside_plain(&self, coefficients: &[f32]) -> f32 {
        const LANES: usize = 8;
        let mut sums = [0.0; LANES];
        for (values, weights) in coefficients.chunks_exact(LANES).zip(self.of_errors.chunks_exact(LANES)) {
            for (sum, (value, weight)) in sums.iter_mut().zip(values.iter().zip(weights)) {
                *sum += value * value * (weight - 1.0);
            }
        }
        sums.iter().sum::<f32>() / (SCALE * SCALE)
    }
}

/// The factors of all transforms.
pub(super) struct StepWeights {
    /// Of luma, then of chroma; by transform sizes.
    tables: [Vec<Table>; 2],
    plain: Table,
}

struct Table {
    factors: Vec<f32>,
    inverses: Vec<f32>,
    of_errors: Vec<f32>,
    of_steps: Vec<f32>,
    least: f32,
}

impl StepWeights {
    /// `texture` is that of the picture, from 0 to 1.
    pub(super) fn new(header: &FrameHeader, texture: f32) -> Result<Self, Error> {
        let exponent = ERROR_EXPONENT + ERROR_EXPONENT_OF_TEXTURE * texture;
        let mut tables = [Vec::new(), Vec::new()];
        for (plane, tables) in tables.iter_mut().enumerate() {
            let Some(level) = header.matrix_level(0, plane) else { continue };
            for size in TxSize::ALL {
                tables.push(Table::new(size, (level, plane > 0), exponent)?);
            }
        }
        let ones = || filled(1.0, COEFFICIENTS);
        let plain =
            Table { factors: ones()?, inverses: ones()?, of_errors: ones()?, of_steps: ones()?, least: 1.0 };
        Ok(Self { tables, plain })
    }

    /// Those of a transform.
    pub(super) fn of(&self, plane: usize, size: TxSize, tx_type: TxType) -> Weights<'_> {
        let table = match is_weighted(tx_type) {
            true => self.tables[plane.min(1)].get(size as usize).unwrap_or(&self.plain),
            false => &self.plain,
        };
        let Table { factors, inverses, of_errors, of_steps, least } = table;
        Weights { factors, inverses, of_errors, of_steps, least: *least }
    }
}

impl Table {
    fn new(size: TxSize, matrix: (usize, bool), error_exponent: f32) -> Result<Self, Error> {
        let count = size.width().min(32) * size.height().min(32);
        let dequantizer = Dequantizer::new(UNIT, UNIT, size, Some(matrix), 8);
        let (mut factors, mut inverses) = (filled(1.0, count)?, filled(1.0, count)?);
        let (mut of_errors, mut of_steps) = (filled(1.0, count)?, filled(1.0, count)?);
        for at in 0..count {
            factors[at] = dequantizer.step(at) as f32 / UNIT as f32;
            inverses[at] = 1.0 / factors[at];
            of_errors[at] = powf(inverses[at], error_exponent);
            of_steps[at] = of_errors[at] * factors[at] * factors[at];
        }
        let least = factors.iter().copied().fold(f32::INFINITY, f32::min);
        Ok(Self { factors, inverses, of_errors, of_steps, least })
    }
}

/// Whether the matrix counts for a transform type.
pub(super) fn is_weighted(tx_type: TxType) -> bool {
    (tx_type as u8) < TxType::Idtx as u8
}
