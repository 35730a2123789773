//! The quantizers of superblocks: how they follow the weight of errors, and how they are coded (AV1 specification, section 5.11.38).

use crate::entropy::{CdfContext, SymbolSink};
use crate::transform::ac_q;
use libm::exp2f;

/// delta_q_res: base 2 logarithm of the unit of changes.
pub(super) const RESOLUTION: u8 = 2;
/// The most units between a superblock's index and base_q_idx.
const MOST: i32 = 15;
/// The power of the weight by which steps fall, in smooth pictures, and how much larger it is in textured ones: by 0.5 the error of
/// all superblocks would cost the same.
const EXPONENT: f32 = 0.25;
const EXPONENT_OF_TEXTURE: f32 = 0.15;
/// DELTA_Q_SMALL.
const SMALL: u32 = 3;

/// The quantizer index of a superblock whose errors have this weight (its base 2 logarithm). `texture` is that of the picture.
pub(super) fn q_index(base_q_idx: u8, bit_depth: u8, (log2_weight, texture): (f32, f32)) -> u8 {
    let exponent = EXPONENT + EXPONENT_OF_TEXTURE * texture;
    let wanted = ac_q(base_q_idx.into(), bit_depth) as f32 * exp2f(-exponent * log2_weight);
    let indices = (-MOST..=MOST).map(|units| i32::from(base_q_idx) + (units << RESOLUTION));
    let distance = |index: &i32| (ac_q(*index, bit_depth) as f32 - wanted).abs();
    let nearest =
        indices.filter(|index| (1..=255).contains(index)).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(base_q_idx, |index| index as u8)
}

/// delta_q_abs and what follows it. `change` is in indices.
pub(super) fn code_change<S: SymbolSink>(sink: &mut S, cdf: &mut CdfContext, change: i32) {
    let magnitude = change.unsigned_abs() >> RESOLUTION;
    sink.symbol(&mut cdf.delta_q, magnitude.min(SMALL) as usize);
    if magnitude >= SMALL {
        let bits = (magnitude - 1).ilog2();
        sink.literal(3, bits - 1);
        sink.literal(bits, magnitude - 1 - (1 << bits));
    }
    if magnitude > 0 {
        sink.bit(change < 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_fall_with_the_weight_in_units() {
        for base_q_idx in [1, 2, 60, 107, 255] {
            let index = |log2_weight| q_index(base_q_idx, 10, (log2_weight, 0.0));
            assert_eq!(index(0.0), base_q_idx);
            let indices = [-2.0, -1.0, 0.0, 1.0, 2.0].map(index);
            assert!(indices.is_sorted_by(|a, b| a >= b), "{indices:?}");
            assert!(indices.iter().all(|index| index.abs_diff(base_q_idx) % 4 == 0), "{indices:?}");
        }
        assert!(q_index(107, 10, (2.0, 0.0)) < 100 && q_index(107, 10, (-2.0, 0.0)) > 114);
        assert!(q_index(107, 10, (2.0, 1.0)) < q_index(107, 10, (2.0, 0.0)));
    }
}
