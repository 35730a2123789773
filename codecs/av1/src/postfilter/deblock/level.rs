//! The filter level of a block (section 7.14.5).

/// `MAX_LOOP_FILTER`.
const MAX_LEVEL: i32 = 63;

/// The level of an intra block for one kind of edges.
///
/// `base` is `loop_filter_level` of that kind and `delta_lf` the block's change of it. `segment` is the change by the segment, if
/// the feature is active. `intra_delta` is `loop_filter_ref_deltas[INTRA_FRAME]`, if `loop_filter_delta_enabled`.
pub(crate) fn level(base: u8, delta_lf: i32, segment: Option<i32>, intra_delta: Option<i32>) -> u8 {
    let mut level = i32::from(base).saturating_add(delta_lf).clamp(0, MAX_LEVEL);
    if let Some(change) = segment {
        level = level.saturating_add(change).clamp(0, MAX_LEVEL);
    }
    if let Some(delta) = intra_delta {
        level = level.saturating_add(delta << (level >> 5)).clamp(0, MAX_LEVEL);
    }
    level as u8
}
