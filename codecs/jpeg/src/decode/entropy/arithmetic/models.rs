//! The statistical models of coefficients (T.81, F.1.4 and G.1.3).

use super::ArithmeticDecoder;
use super::coder::{Bin, Coder};
use crate::coefficients::Block;

/// The first bin of the magnitude categories of DC: X1 (table F.4).
const DC_CATEGORIES: usize = 20;
/// The first bins of the magnitude categories of AC: X2 of low and of high frequencies (table F.5).
const AC_CATEGORIES: [usize; 2] = [189, 217];
/// From the bin of a category to that of its magnitude bits.
const TO_MAGNITUDE: usize = 14;

impl ArithmeticDecoder<'_> {
    /// The difference of DC to the block before (F.1.4.4.1). None if it is too large.
    pub(super) fn dc(&mut self, component: usize, table: usize, low: u32, block: &mut Block) -> Option<()> {
        let component = component & 3;
        let (coder, bins) = (&mut self.coder, &mut self.dc_bins[table]);
        let start = self.contexts[component];
        self.contexts[component] = 0;
        if coder.decide(&mut bins[start]) {
            let negative = coder.decide(&mut bins[start + 1]);
            let mut at = start + 2 + usize::from(negative);
            let mut leading = u32::from(coder.decide(&mut bins[at]));
            if leading > 0 {
                (at, leading) = category(coder, bins, DC_CATEGORIES, leading)?;
            }
            let (lower, upper) = self.conditioning.dc[table];
            self.contexts[component] = match leading {
                _ if leading < (1 << lower) >> 1 => 0,
                _ if leading > (1 << upper) >> 1 => 12 + 4 * usize::from(negative),
                _ => 4 + 4 * usize::from(negative),
            };
            let magnitude = magnitude(coder, bins, at, leading);
            let difference = if negative { -magnitude } else { magnitude };
            self.predictors[component] = self.predictors[component].wrapping_add(difference);
        }
        block[0] = (self.predictors[component] << low) as i16;
        Some(())
    }

    /// A band of AC (F.1.4.4.2). None if a magnitude is too large or a run goes too far.
    pub(super) fn ac(
        &mut self,
        table: usize,
        (mut k, last): (usize, usize),
        low: u32,
        block: &mut Block,
    ) -> Option<()> {
        let (coder, bins) = (&mut self.coder, &mut self.ac_bins[table]);
        while k <= last {
            let mut start = 3 * (k - 1);
            if coder.decide(&mut bins[start]) {
                break;
            }
            while !coder.decide(&mut bins[start + 1]) {
                (start, k) = (start + 3, k + 1);
                if k > last {
                    return None;
                }
            }
            let negative = coder.decide_evenly();
            let mut at = start + 2;
            let mut leading = u32::from(coder.decide(&mut bins[at]));
            if leading > 0 && coder.decide(&mut bins[at]) {
                let high = k > usize::from(self.conditioning.ac[table]);
                (at, leading) = category(coder, bins, AC_CATEGORIES[usize::from(high)], 2)?;
            }
            let magnitude = magnitude(coder, bins, at, leading);
            let value = if negative { -magnitude } else { magnitude };
            block[usize::from(self.order[k] & 63)] = (value << low) as i16;
            k += 1;
        }
        Some(())
    }

    /// A further bit of a band of AC (G.1.3.3). None if a run goes too far.
    pub(super) fn ac_refine(&mut self, table: usize, block: &mut Block) -> Option<()> {
        let (mut k, last) = self.band;
        let bit = 1_i16 << self.low;
        let at = |k: usize| usize::from(self.order[k] & 63);
        // The last coefficient that is not zero yet: before it no block ends.
        let history = (k..=last).rev().find(|&k| block[at(k)] != 0).unwrap_or(0);
        let (coder, bins) = (&mut self.coder, &mut self.ac_bins[table]);
        while k <= last {
            let mut start = 3 * (k - 1);
            if k > history && coder.decide(&mut bins[start]) {
                break;
            }
            loop {
                let coefficient = &mut block[at(k)];
                if *coefficient != 0 {
                    if coder.decide(&mut bins[start + 2]) {
                        *coefficient = coefficient.wrapping_add(if *coefficient < 0 { -bit } else { bit });
                    }
                    break;
                }
                if coder.decide(&mut bins[start + 1]) {
                    *coefficient = if coder.decide_evenly() { -bit } else { bit };
                    break;
                }
                (start, k) = (start + 3, k + 1);
                if k > last {
                    return None;
                }
            }
            k += 1;
        }
        Some(())
    }
}

/// Raises `leading`, the highest bit of a magnitude less one, category by category (figure F.23). Also returns the bin of the
/// category. None if there is none so high.
fn category(coder: &mut Coder<'_>, bins: &mut [Bin], first: usize, mut leading: u32) -> Option<(usize, u32)> {
    let mut at = first;
    while coder.decide(&mut bins[at]) {
        leading <<= 1;
        if leading == 0x8000 {
            return None;
        }
        at += 1;
    }
    Some((at, leading))
}

/// The magnitude whose highest bit, less one, is known (figure F.24).
fn magnitude(coder: &mut Coder<'_>, bins: &mut [Bin], at: usize, leading: u32) -> i32 {
    let (mut value, mut bit) = (leading, leading >> 1);
    while bit > 0 {
        if coder.decide(&mut bins[at + TO_MAGNITUDE]) {
            value |= bit;
        }
        bit >>= 1;
    }
    value as i32 + 1
}
