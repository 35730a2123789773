//! How strong the loop filter has to be where macroblocks have nothing but first coefficients: as strong as the steps
//! between their blocks are high.

use crate::segments::Segment;

/// The strongest filter that there is.
const STRONGEST: usize = 63;
/// So few macroblocks of a segment do not make all of it blurred: one in this many.
const FEW: u32 = 256;

/// Of one segment: how many macroblocks ask for which strength.
#[derive(Clone)]
pub(crate) struct Blocky {
    wanted: [u32; STRONGEST + 1],
    macroblocks: u32,
}

impl Default for Blocky {
    fn default() -> Self {
        Self { wanted: [0; STRONGEST + 1], macroblocks: 0 }
    }
}

impl Blocky {
    /// `unevenness` is that of a macroblock's levels of first coefficients, 0 where it has others.
    pub(crate) fn add(&mut self, unevenness: i16, segment: &Segment) {
        let height = (usize::from(unevenness.unsigned_abs()) * usize::from(segment.second.step[1])) >> 3;
        self.wanted[height.min(STRONGEST)] += 1;
        self.macroblocks += 1;
    }

    /// The strength for the segment.
    pub(crate) fn filter(&self, segment: &Segment) -> i32 {
        let mut above = 0;
        let enough = self.wanted.iter().rposition(|wanted| {
            above += wanted;
            above > self.macroblocks / FEW
        });
        segment.filter.max(enough.unwrap_or(0) as i32)
    }
}
