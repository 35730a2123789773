//! How many bytes a picture takes at a quality, from histograms of its coefficients: nothing is quantized or coded.
//!
//! Coefficients of a frequency are taken for independent of all others. What they take is then the entropy of their sizes, and a bit for
//! each bit of their values.

use super::blocks::{BLOCK, Component, indexed};
use super::dct::SCALE;
use super::encoder;
use super::prepared::Prepared;
use super::try_alloc::filled;
use crate::Error;

/// Bins of an octave of magnitudes: as many as a power of two says.
const FINE: u32 = 4;
/// Bins of 16 bits.
const BINS: usize = 16 << FINE;
/// Rows of blocks that are counted at least, where there are as many, and one in so many at most.
const ROWS: usize = 48;
const MOST_SKIPPED: usize = 4;
/// The share of a step from which on a coefficient is not zero: the trellis drops more than rounding does.
const DEAD_ZONE: f64 = 0.66;
/// How much less coefficients take than that, of photos: they depend on each other.
const OVER: f64 = 1.12;
/// Bytes of headers and tables.
const HEADERS: f64 = 600.0;
/// The sizes of coefficients of 8 bits a sample.
const SIZES: usize = 11;

/// What the bytes of a picture are estimated by.
pub struct Estimator {
    components: Vec<Histograms>,
}

/// Of a component.
struct Histograms {
    /// For each coefficient, DC being the difference from the block before: how many magnitudes are in a bin or one beyond.
    reached: Vec<[u32; BINS]>,
    /// Blocks that were counted.
    counted: f64,
    /// All blocks for each of these.
    scale: f64,
}

impl Prepared {
    /// What estimates the bytes of this picture at many qualities.
    ///
    /// # Errors
    /// [`Error::Limit`] where there is too little memory.
    pub fn estimator(&self) -> Result<Estimator, Error> {
        let components = self.components.iter().map(Histograms::of).collect::<Result<_, _>>()?;
        Ok(Estimator { components })
    }
}

impl Estimator {
    /// About as many bytes as a file of this quality, 1 to 100, has: usually between three quarters and five quarters, of low qualities
    /// as little as half. Those of similar qualities are off by nearly the same factor.
    pub fn bytes(&self, quality: f32) -> u64 {
        let tables = encoder::tables(quality);
        let bits: f64 =
            self.components.iter().zip(&tables).map(|(component, table)| component.bits(table)).sum();
        (HEADERS + bits / 8.0) as u64
    }
}

impl Histograms {
    fn of(component: &Component) -> Result<Self, Error> {
        let mut bins = filled([0; BINS], BLOCK)?;
        let step = (component.rows.len() / ROWS).clamp(1, MOST_SKIPPED);
        let mut counted = 0;
        for row in component.rows.iter().step_by(step) {
            let mut last = 0;
            for ((values, mask), &dc) in row.blocks().zip(&row.dc) {
                bins[0][bin(i32::from(dc).abs_diff(last))] += 1;
                last = i32::from(dc);
                for (k, value) in indexed(mask, values) {
                    bins[k & 63][bin(value.unsigned_abs().into())] += 1;
                }
            }
            counted += row.masks.len();
        }
        for bins in &mut bins {
            let mut sum = 0;
            bins.iter_mut().rev().for_each(|bin| {
                sum += *bin;
                *bin = sum;
            });
        }
        let all = component.rows.len() * component.stride;
        Ok(Self { reached: bins, counted: counted as f64, scale: all as f64 / counted.max(1) as f64 })
    }

    /// The bits that the coefficients take with these steps.
    fn bits(&self, table: &[u16; BLOCK]) -> f64 {
        let each = self.reached.iter().zip(table).enumerate();
        let bits = each.map(|(k, (reached, &step))| {
            let step = f64::from(SCALE) * f64::from(step);
            let mut before = self.counted;
            let mut bits = information(before);
            for size in 0..=SIZES {
                let least = if size == 0 && k > 0 { DEAD_ZONE } else { f64::from(1_u32 << size) - 0.5 };
                let beyond = at_least(reached, least * step);
                let count = before - beyond;
                bits += count * size as f64 - information(count);
                before = beyond;
            }
            // The shortest code of DC has a bit; blocks without AC coefficients are coded together.
            if k == 0 { bits.max(self.counted) } else { bits }
        });
        bits.sum::<f64>() * self.scale / OVER
    }
}

/// The bin of a magnitude.
fn bin(magnitude: u32) -> usize {
    let magnitude = magnitude.clamp(1, 0xFFFF);
    let octave = magnitude.ilog2();
    ((octave << FINE) + (((magnitude << FINE) >> octave) & ((1 << FINE) - 1))) as usize
}

/// How many magnitudes are at least so large. Those of a bin are taken for spread evenly.
fn at_least(reached: &[u32; BINS], magnitude: f64) -> f64 {
    let whole = bin(magnitude as u32);
    let of = |at: usize| f64::from(reached.get(at).copied().unwrap_or_default());
    let width = f64::from(1 << (whole as u32 >> FINE)) / f64::from(1 << FINE);
    let begin = (f64::from(1 << FINE) + (whole as u32 & ((1 << FINE) - 1)) as f64) * width;
    let part = ((magnitude - begin) / width).clamp(0.0, 1.0);
    of(whole) + (of(whole + 1) - of(whole)) * part
}

/// n log₂ n, to six digits and the same on every machine.
fn information(number: f64) -> f64 {
    if number < 1.0 {
        return 0.0;
    }
    let bits = number.to_bits();
    let whole = (bits >> 52) as f64 - 1023.0;
    let mantissa = f64::from_bits(bits & (u64::MAX >> 12) | 1.0_f64.to_bits());
    // 2 artanh ((m - 1) / (m + 1)) is the natural logarithm.
    let x = (mantissa - 1.0) / (mantissa + 1.0);
    let square = x * x;
    let series = [11.0, 9.0, 7.0, 5.0, 3.0, 1.0].into_iter().fold(0.0, |sum, odd| sum * square + 1.0 / odd);
    number * (whole + series * x * 2.0 * std::f64::consts::LOG2_E)
}
