//! What quantizer matrices make of the steps (AV1 specification, section 7.12.3), for all transforms of a frame.

use crate::error::Error;
use crate::obu::FrameHeader;
use crate::transform::{Dequantizer, TxSize, TxType};
use crate::try_vec::filled;

/// Coefficients of the largest transform.
const COEFFICIENTS: usize = 32 * 32;
/// A step in which weights are exact.
const UNIT: i32 = 32;

/// The factors of the steps of a transform, and their inverses, by the positions of coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights<'a> {
    pub(super) factors: &'a [f32],
    pub(super) inverses: &'a [f32],
    /// The least factor.
    pub(super) least: f32,
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
    least: f32,
}

impl StepWeights {
    pub(super) fn new(header: &FrameHeader) -> Result<Self, Error> {
        let mut tables = [Vec::new(), Vec::new()];
        for (plane, tables) in tables.iter_mut().enumerate() {
            let Some(level) = header.matrix_level(0, plane) else { continue };
            for size in TxSize::ALL {
                let count = size.width().min(32) * size.height().min(32);
                tables.push(Table::new(count, size, level, plane > 0)?);
            }
        }
        let plain =
            Table { factors: filled(1.0, COEFFICIENTS)?, inverses: filled(1.0, COEFFICIENTS)?, least: 1.0 };
        Ok(Self { tables, plain })
    }

    /// Those of a transform.
    pub(super) fn of(&self, plane: usize, size: TxSize, tx_type: TxType) -> Weights<'_> {
        let table = match is_weighted(tx_type) {
            true => self.tables[plane.min(1)].get(size as usize).unwrap_or(&self.plain),
            false => &self.plain,
        };
        Weights { factors: &table.factors, inverses: &table.inverses, least: table.least }
    }
}

impl Table {
    fn new(count: usize, size: TxSize, level: usize, is_chroma: bool) -> Result<Self, Error> {
        let dequantizer = Dequantizer::new(UNIT, UNIT, size, Some((level, is_chroma)), 8);
        let (mut factors, mut inverses) = (filled(1.0, count)?, filled(1.0, count)?);
        for (at, (factor, inverse)) in factors.iter_mut().zip(&mut inverses).enumerate() {
            *factor = dequantizer.step(at) as f32 / UNIT as f32;
            *inverse = 1.0 / *factor;
        }
        let least = factors.iter().copied().fold(f32::INFINITY, f32::min);
        Ok(Self { factors, inverses, least })
    }
}

/// Whether the matrix counts for a transform type.
pub(super) fn is_weighted(tx_type: TxType) -> bool {
    (tx_type as u8) < TxType::Idtx as u8
}
