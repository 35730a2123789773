//! 16-bit floats, as the crate `exr` converts them.

use exr::prelude::f16;
use filepress_exr::half;

#[test]
fn every_half_becomes_the_same_float() {
    for bits in 0..=u16::MAX {
        let (ours, theirs) = (half::to_f32(bits), f16::from_bits(bits).to_f32());
        assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(), "{bits:#x}");
        // NaN becomes quiet, and keeps its sign and the rest of its bits.
        let kept = if ours.is_nan() { bits | 0x200 } else { bits };
        assert_eq!(half::from_f32(ours), kept, "{bits:#x}");
    }
}

#[test]
fn floats_become_the_nearest_half() {
    // Around every half, in the middle between two, and what is a bit more or less.
    for bits in 0..=u16::MAX {
        let float = half::to_f32(bits).to_bits();
        for offset in [0_u32, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF] {
            let number = f32::from_bits(float.wrapping_add(offset));
            let (ours, theirs) = (half::from_f32(number), f16::from_f32(number).to_bits());
            assert!(
                ours == theirs || half::to_f32(ours).is_nan() && number.is_nan(),
                "{number}: {ours:#x} for {theirs:#x}"
            );
        }
    }
    for number in
        [1e-8_f32, 2.9e-8, 3e-8, 65_504.0, 65_519.9, 65_520.0, 1e30, f32::INFINITY, f32::MIN_POSITIVE]
    {
        assert_eq!(half::from_f32(-number), f16::from_f32(-number).to_bits(), "{number}");
    }
}
