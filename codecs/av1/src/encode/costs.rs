//! The bits of coefficients by the CDFs of a moment, as tables: the search asks for them far more often than CDFs change.

use super::coefficients::last_context;
use crate::entropy::{CoefficientCdfs, symbol_bits};
use crate::tile::coefficient_shape::Shape;
use crate::tile::coefficients::{BASE_LEVELS, GOLOMB_LEVEL};

/// The logarithm of the smallest area of a transform.
const LEAST_AREA: usize = 4;
/// Levels with a symbol of coeff_base of their own, and one for those above.
const BASE_SYMBOLS: usize = BASE_LEVELS + 2;
/// Levels up to the first with a Golomb code.
const BR_LEVELS: usize = GOLOMB_LEVEL as usize + 1;
/// The values of a symbol of coeff_br; the last of them says that another symbol follows.
const BR_STEP: usize = 3;

/// The bits of levels in transforms of one context.
#[derive(Clone)]
struct LevelCosts {
    base: [[f32; BASE_SYMBOLS]; 42],
    /// Of the last coefficient, by its level less one.
    base_eob: [[f32; BASE_SYMBOLS - 1]; 4],
    /// By the level, 3 to 15.
    br: [[f32; BR_LEVELS]; 21],
    eob_extra: [[f32; 2]; 9],
}

/// The bits of everything in a transform but signs of DC, for all sizes of transforms, and for luma and chroma.
#[derive(Clone)]
pub(super) struct CoefficientCosts {
    levels: [[LevelCosts; 2]; 5],
    /// By the logarithm of the area less four, the plane type and whether the transform has one dimension.
    eob_point: [[[[f32; 11]; 2]; 2]; 7],
}

/// The bits of one transform.
#[derive(Clone, Copy)]
pub(super) struct TransformCosts<'a> {
    levels: &'a LevelCosts,
    eob_point: &'a [f32; 11],
}

impl CoefficientCosts {
    pub(super) fn new(cdfs: &CoefficientCdfs) -> Box<Self> {
        let levels = LevelCosts {
            base: [[0.0; BASE_SYMBOLS]; 42],
            base_eob: [[0.0; BASE_SYMBOLS - 1]; 4],
            br: [[0.0; BR_LEVELS]; 21],
            eob_extra: [[0.0; 2]; 9],
        };
        let mut costs = Box::new(Self {
            levels: std::array::from_fn(|_| [levels.clone(), levels.clone()]),
            eob_point: [[[[0.0; 11]; 2]; 2]; 7],
        });
        costs.update(cdfs);
        costs
    }

    /// Follows the CDFs.
    pub(super) fn update(&mut self, cdfs: &CoefficientCdfs) {
        for (context, planes) in self.levels.iter_mut().enumerate() {
            for (kind, costs) in planes.iter_mut().enumerate() {
                costs.update(cdfs, context, kind);
            }
        }
        for kind in 0..2 {
            for line in 0..2 {
                let to = |area: usize| (area - LEAST_AREA, kind, line);
                let mut set = |(area, kind, line): (usize, usize, usize), cdf: &[u16]| {
                    fill(&mut self.eob_point[area][kind][line], cdf);
                };
                set(to(4), &cdfs.eob_pt_16[kind][line]);
                set(to(5), &cdfs.eob_pt_32[kind][line]);
                set(to(6), &cdfs.eob_pt_64[kind][line]);
                set(to(7), &cdfs.eob_pt_128[kind][line]);
                set(to(8), &cdfs.eob_pt_256[kind][line]);
                set(to(9), &cdfs.eob_pt_512[kind]);
                set(to(10), &cdfs.eob_pt_1024[kind]);
            }
        }
    }

    /// The costs of a transform; `is_line` if it has one dimension.
    pub(super) fn of(&self, shape: &Shape, is_line: bool) -> TransformCosts<'_> {
        let area = (shape.log2_w + shape.log2_h) as usize - LEAST_AREA;
        TransformCosts {
            levels: &self.levels[shape.context][shape.plane_type],
            eob_point: &self.eob_point[area][shape.plane_type][usize::from(is_line)],
        }
    }
}

impl LevelCosts {
    fn update(&mut self, cdfs: &CoefficientCdfs, context: usize, kind: usize) {
        for (to, cdf) in self.base.iter_mut().zip(&cdfs.base[context][kind]) {
            fill(to, cdf);
        }
        for (to, cdf) in self.base_eob.iter_mut().zip(&cdfs.base_eob[context][kind]) {
            fill(to, cdf);
        }
        for (to, cdf) in self.eob_extra.iter_mut().zip(&cdfs.eob_extra[context][kind]) {
            fill(to, cdf);
        }
        for (to, cdf) in self.br.iter_mut().zip(&cdfs.br[context.min(3)][kind]) {
            let mut symbols = [0.0; BR_STEP + 1];
            fill(&mut symbols, cdf);
            let mut before = 0.0;
            for (above, bits) in to[BASE_LEVELS + 1..].iter_mut().enumerate() {
                // The last level has no symbol that ends it.
                let ends =
                    if above + 1 == BR_LEVELS - BASE_LEVELS - 1 { 0.0 } else { symbols[above % BR_STEP] };
                *bits = before + ends;
                if above % BR_STEP == BR_STEP - 1 {
                    before += symbols[BR_STEP];
                }
            }
        }
    }
}

impl TransformCosts<'_> {
    /// The bits of the number of coefficients.
    pub(super) fn eob(&self, eob: usize) -> f32 {
        if eob < 3 {
            return self.eob_point[eob - 1];
        }
        let bits = (eob - 1).ilog2() as usize;
        let high = (eob - 1 - (1 << bits)) >> (bits - 1);
        self.eob_point[bits + 1] + self.levels.eob_extra[bits - 1][high & 1] + (bits - 1) as f32
    }

    /// The bits of a zero that others follow.
    #[inline(always)]
    pub(super) fn zero(&self, context: usize) -> f32 {
        self.levels.base[context][0]
    }

    /// The bits of a level from 1 on with its sign; the second context is that of coeff_br.
    #[inline(always)]
    pub(super) fn level(&self, (base, br): (usize, usize), level: i32) -> f32 {
        let symbol = (level as usize).min(BASE_SYMBOLS - 1);
        1.0 + self.levels.base[base][symbol] + self.rest(br, level)
    }

    /// Likewise for the last coefficient, at a place in the scan.
    #[inline(always)]
    pub(super) fn last(&self, shape: &Shape, (at, br): (usize, usize), level: i32) -> f32 {
        let symbol = (level as usize).min(BASE_SYMBOLS - 1) - 1;
        1.0 + self.levels.base_eob[last_context(shape, at)][symbol] + self.rest(br, level)
    }

    #[inline(always)]
    fn rest(&self, br: usize, level: i32) -> f32 {
        if level as usize <= BASE_LEVELS {
            return 0.0;
        }
        let bits = self.levels.br[br][(level as usize).min(BR_LEVELS - 1)];
        if level < i32::from(GOLOMB_LEVEL) { bits } else { bits + golomb(level - i32::from(GOLOMB_LEVEL)) }
    }
}

/// The bits of a Golomb code.
fn golomb(value: i32) -> f32 {
    (2 * (value + 1).ilog2() + 1) as f32
}

/// The bits of each symbol.
fn fill<const N: usize>(to: &mut [f32; N], cdf: &[u16]) {
    for (symbol, bits) in to.iter_mut().enumerate().take(cdf.len() - 1) {
        *bits = symbol_bits(cdf, symbol);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::coefficients::{code_eob, code_golomb, code_level};
    use crate::entropy::{BitCounter, CdfContext};
    use crate::tile::coefficient_shape::TWO_DIMENSIONS;
    use crate::transform::TxSize;

    #[test]
    fn tables_have_the_bits_of_the_symbols_that_are_written() {
        let mut cdf = CdfContext::new(120);
        let costs = CoefficientCosts::new(&cdf.coefficients);
        for (size, plane) in [(TxSize::Tx4x4, 0), (TxSize::Tx16x8, 1), (TxSize::Tx64x64, 0)] {
            let shape = Shape::new(size, plane);
            let of = costs.of(&shape, false);
            for eob in 1..=1usize << (shape.log2_w + shape.log2_h) {
                let mut counter = BitCounter::default();
                code_eob(&mut counter, &mut cdf, &shape, false, eob);
                assert!((counter.bits - of.eob(eob)).abs() < 1e-3, "{size:?} {eob}");
            }
            for level in [1, 2, 3, 5, 6, 14, 15, 16, 400] {
                let mut counter = BitCounter::default();
                let what = (0, None, level as usize);
                code_level::<_, TWO_DIMENSIONS>(&mut counter, &mut cdf, &shape, &[0; 37 * 5], what);
                counter.bits += 1.0;
                if level >= 15 {
                    code_golomb(&mut counter, level as u32 - 15);
                }
                assert!((counter.bits - of.level((0, 0), level)).abs() < 1e-3, "{size:?} {level}");
            }
        }
    }
}
