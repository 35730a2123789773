//! How strong the loop filter has to be where macroblocks have nothing but first coefficients: as strong as the steps
//! between their blocks are high.

use crate::segments::Segment;

/// The strongest filter that there is.
const MAX_FILTER_LEVEL: usize = 63;
/// So few macroblocks of a segment do not make all of it blurred: one in this many.
const FEW: u32 = 256;

/// Of one segment: how many macroblocks ask for which strength.
#[derive(Clone)]
pub(crate) struct FilterStrength {
    wanted: [u32; MAX_FILTER_LEVEL + 1],
    macroblocks: u32,
}

impl Default for FilterStrength {
    fn default() -> Self {
        Self { wanted: [0; MAX_FILTER_LEVEL + 1], macroblocks: 0 }
    }
}

impl FilterStrength {
    pub(crate) fn add(&mut self, max_y2_edge: i16, segment: &Segment) {
        let height = (usize::from(max_y2_edge.unsigned_abs()) * usize::from(segment.y2.step[1])) >> 3;
        self.wanted[height.min(MAX_FILTER_LEVEL)] += 1;
        self.macroblocks += 1;
    }

    /// The strength for the segment.
    pub(crate) fn level(&self, segment: &Segment) -> i32 {
        let mut above = 0;
        let enough = self.wanted.iter().rposition(|wanted| {
            above += wanted;
            above > self.macroblocks / FEW
        });
        segment.filter_level.max(enough.unwrap_or(0) as i32)
    }
}
