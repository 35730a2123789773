//! The activity of each macroblock: how much its own texture masks coding errors. Segments are formed by it.
//!
//! Errors are seen in calm areas long before they are seen in busy ones. A macroblock with an edge is calm on both sides of it,
//! where ringing shows, so subblocks are measured one by one and their logarithms averaged: one busy subblock does not hide
//! fifteen calm ones.

use crate::bit_cost::log2;
use crate::macroblock::Macroblock;
use crate::mb_row::MbRow;
use crate::yuv_source::YuvSource;

/// Steps of activity for each doubling of the variance.
pub(crate) const STEPS_PER_OCTAVE: u32 = 18;
/// Variances below this are not told apart: they are noise, or the rounding to 8 bits.
const NOISE_VARIANCE: u64 = 1;

#[derive(Clone)]
pub(crate) struct Analysis {
    /// The activity of each macroblock in raster order: 0 if it is flat, [`STEPS_PER_OCTAVE`] more for each doubling of the
    /// variance.
    pub(crate) activity: Vec<u8>,
}

#[inline(never)]
pub(crate) fn analyze(source: &YuvSource<'_>) -> Analysis {
    let (mb_width, mb_height) = source.mb_size();
    let mut mb_row = MbRow::new(source);
    let mut activities = Vec::with_capacity(mb_width * mb_height);
    for mb_y in 0..mb_height {
        mb_row.load(source, mb_y);
        for mb_x in 0..mb_width {
            activities.push(activity(&Macroblock::new(&mb_row, mb_x)));
        }
    }
    Analysis { activity: activities }
}

/// The mean over all luma subblocks of the logarithm of their variance.
fn activity(macroblock: &Macroblock) -> u8 {
    let logs = macroblock.subblocks.iter().map(|pixels| {
        let sum: u64 = pixels.iter().map(|&pixel| u64::from(pixel)).sum();
        let squares: u64 = pixels.iter().map(|&pixel| u64::from(pixel) * u64::from(pixel)).sum();
        // 256 times the variance.
        let variance = 16 * squares - sum * sum;
        log2(variance + 256 * NOISE_VARIANCE) - log2(256 * NOISE_VARIANCE)
    });
    let mean = logs.sum::<u32>() / 16;
    ((mean * STEPS_PER_OCTAVE) >> 12).min(255) as u8
}
