//! The loop filter level of a segment (RFC 6386, section 15).
//!
//! The filter has to smooth the steps that quantization leaves between blocks, and as little else as possible. Levels follow the
//! quantizer step. They are raised where macroblocks were coded without luma AC: all that remains of them are flat
//! subblocks, whose steps are known exactly.

/// `loop_filter_level` has 6 bits.
const MAX_LEVEL: usize = 63;
/// Levels below this change next to nothing.
const MIN_LEVEL: i32 = 2;
/// One in so many macroblocks may keep its steps: a level is that of a whole segment, and blurs all of it.
const OUTLIERS: u32 = 256;

/// The level that goes with a quantizer.
///
/// A coefficient of step q is off by q / √12 in the mean, and a pixel by half as much where all of its block's coefficients are
/// coded. Most are not, so steps of about q / 5 between blocks are errors and larger ones belong to the picture.
pub(crate) fn level_of_quantizer(ac_step: u16) -> i32 {
    let level = i32::from(ac_step) / 5;
    if level < MIN_LEVEL { 0 } else { level.min(MAX_LEVEL as i32) }
}

/// The levels that the macroblocks of a segment ask for.
#[derive(Clone)]
pub(crate) struct FilterStrength {
    wanted: [u32; MAX_LEVEL + 1],
    macroblocks: u32,
}

impl Default for FilterStrength {
    fn default() -> Self {
        Self { wanted: [0; MAX_LEVEL + 1], macroblocks: 0 }
    }
}

impl FilterStrength {
    /// `dc_step` is the largest difference between adjacent luma subblocks of a macroblock without AC, in pixel values.
    pub(crate) fn add(&mut self, dc_step: u16) {
        // Without sharpness the interior limit is the level, and an edge is filtered if 2 |p0 − q0| + |p1 − q1| / 2 is at most
        // 2 (level + 2) + level (section 15.2). On both sides of a step between flat blocks that is 5/2 of the step.
        let level = (5 * usize::from(dc_step)).saturating_sub(8).div_ceil(6);
        self.wanted[level.min(MAX_LEVEL)] += 1;
        self.macroblocks += 1;
    }

    /// The level of the segment, at least that of its quantizer.
    pub(crate) fn level(&self, of_quantizer: i32) -> i32 {
        let mut above = 0;
        let enough = self.wanted.iter().rposition(|wanted| {
            above += wanted;
            above > self.macroblocks / OUTLIERS
        });
        of_quantizer.max(enough.unwrap_or(0) as i32)
    }
}
