//! The levels of the deblocking filter and the strengths of CDEF, by the squared error of a part of the frame.

use super::filter_sample::FilterSample;
use crate::error::Error;
use crate::few::sort_few;
use crate::frame::FrameState;
use crate::obu::{CdefParams, FrameHeader, LoopFilterParams, SequenceHeader};

/// The levels of deblocking that are tried first; then those between the best and its neighbors.
const LEVELS: [u8; 9] = [0, 2, 5, 9, 14, 20, 28, 40, 56];
/// What is used of the level of least error: the eye prefers sharpness.
const STRENGTH: (u16, u16) = (7, 10);
/// loop_filter_sharpness.
const SHARPNESS: u8 = 3;
/// The primary strengths of CDEF, and the place of the one that is tried first.
const PRIMARY: [u8; 8] = [0, 1, 2, 3, 5, 7, 10, 15];
const FIRST_PRIMARY: usize = 3;
/// The secondary strengths that are tried beside none.
const SECONDARY: [u8; 3] = [1, 2, 4];

/// Chooses one level for luma, and one for each chroma plane. Without any the filter is off.
pub(super) fn choose_deblocking(
    sequence: &SequenceHeader,
    header: &mut FrameHeader,
    frame: &mut FrameState,
    sample: &FilterSample,
) -> Result<(), Error> {
    let cdef = header.cdef.take();
    header.loop_filter.sharpness = SHARPNESS;
    let mut best = [(f32::INFINITY, 0u8); 3];
    let mut attempt = |level: u8, best: &mut [(f32, u8); 3]| -> Result<(), Error> {
        if let Some(map) = &mut frame.deblock {
            map.levels.fill([level; 4]);
        }
        header.loop_filter.level = [level; 4];
        for (error, best) in sample.errors(sequence, header, frame)?.into_iter().zip(best) {
            if error < best.0 {
                *best = (error, level);
            }
        }
        Ok(())
    };
    for level in LEVELS {
        attempt(level, &mut best)?;
    }
    let first = best;
    let between = |chosen: u8| {
        let at = LEVELS.iter().position(|level| *level == chosen).unwrap_or(0);
        let neighbors = [LEVELS[at.saturating_sub(1)], LEVELS[(at + 1).min(LEVELS.len() - 1)]];
        neighbors.map(|other| (u16::from(other) + u16::from(chosen)).div_ceil(2) as u8)
    };
    let mut more: Vec<u8> = first.iter().flat_map(|(_, level)| between(*level)).collect();
    sort_few(&mut more, |a, b| a < b);
    more.dedup();
    for level in more.into_iter().filter(|level| !LEVELS.contains(level)) {
        attempt(level, &mut best)?;
    }
    let [y, u, v] = best.map(|(_, level)| (u16::from(level) * STRENGTH.0 / STRENGTH.1) as u8);
    // Chroma is not filtered where luma is not.
    let level = if y == 0 { [0; 4] } else { [y, y, u, v] };
    header.loop_filter = LoopFilterParams { level, sharpness: SHARPNESS, intra_delta: None };
    header.cdef = cdef;
    match level[0] {
        0 => frame.deblock = None,
        _ => frame.deblock.iter_mut().for_each(|map| map.levels.fill(level)),
    }
    Ok(())
}

/// Chooses one pair of strengths for luma, and one for chroma: the primary strengths first.
pub(super) fn choose_cdef(
    sequence: &SequenceHeader,
    header: &mut FrameHeader,
    frame: &FrameState,
    sample: &FilterSample,
) -> Result<(), Error> {
    let damping = 3 + (header.quantizer.base_q_idx >> 6);
    let mut errors = |[y, uv]: [[u8; 2]; 2]| -> Result<[f32; 2], Error> {
        header.cdef = Some(CdefParams { damping, bits: 0, y: [y; 8], uv: [uv; 8] });
        let errors = sample.errors(sequence, header, frame)?;
        Ok([errors[0], errors[1..].iter().sum()])
    };
    let mut climbs = [Climb { least: f32::INFINITY, best: FIRST_PRIMARY, step: 0 }; 2];
    loop {
        let tried = climbs.map(|climb| [PRIMARY[climb.next()], 0]);
        for (climb, error) in climbs.iter_mut().zip(errors(tried)?) {
            climb.learn(error);
        }
        if climbs.iter().all(|climb| climb.step == 0) {
            break;
        }
    }
    let mut best = climbs.map(|climb| (climb.least, [PRIMARY[climb.best], 0]));
    for secondary in SECONDARY {
        let tried = climbs.map(|climb| [PRIMARY[climb.best], secondary]);
        let mut is_better = false;
        for (best, found) in best.iter_mut().zip(errors(tried)?.into_iter().zip(tried)) {
            if found.0 < best.0 {
                (*best, is_better) = (found, true);
            }
        }
        if !is_better {
            break;
        }
    }
    let [y, uv] = best.map(|(_, strengths)| [strengths; 8]);
    header.cdef = Some(CdefParams { damping, bits: 0, y, uv });
    Ok(())
}

/// The search for the primary strength of least error: up from the first, or down if that is worse, as long as it gets better.
#[derive(Clone, Copy)]
struct Climb {
    /// The least error.
    least: f32,
    /// Its place in [`PRIMARY`].
    best: usize,
    /// From there to the next that is tried; 0 before the first and at the end.
    step: isize,
}

impl Climb {
    fn next(&self) -> usize {
        self.best.saturating_add_signed(self.step).min(PRIMARY.len() - 1)
    }

    /// Takes the error of the next.
    fn learn(&mut self, error: f32) {
        if error < self.least {
            let step = if self.least == f32::INFINITY { 1 } else { self.step };
            *self = Self { least: error, best: self.next(), step };
        } else {
            self.step = if self.step == 1 && self.best == FIRST_PRIMARY { -1 } else { 0 };
        }
        if self.next() == self.best {
            self.step = 0;
        }
    }
}
