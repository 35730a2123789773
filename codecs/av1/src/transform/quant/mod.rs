//! Dequantization (sections 7.12.2 and 7.12.3): from coded levels to coefficients.

mod matrices;
mod matrix;
mod steps;

use super::TxSize;
use matrix::Matrix;

/// The step of the DC coefficient for a quantizer index, which is clipped to 0..=255, at 8, 10 or 12 bits.
pub(crate) fn dc_q(index: i32, bit_depth: u8) -> i32 {
    step(&steps::DC_STEPS, index, bit_depth)
}

/// The step of the other coefficients.
pub(crate) fn ac_q(index: i32, bit_depth: u8) -> i32 {
    step(&steps::AC_STEPS, index, bit_depth)
}

fn step(steps: &[[u16; 256]; 3], index: i32, bit_depth: u8) -> i32 {
    let depth = usize::from(bit_depth.saturating_sub(8) >> 1).min(2);
    i32::from(steps[depth][index.clamp(0, 255) as usize])
}

/// Turns the levels of one transform block into coefficients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dequantizer {
    dc: i32,
    ac: i32,
    matrix: Option<Matrix>,
    /// Base 2 logarithm of `dqDenom`.
    shift: u32,
    /// Coefficients are clipped to this and to its negative less one.
    largest: i32,
}

impl Dequantizer {
    /// `dc` and `ac` are steps (`dc_q`, `ac_q`); `qm` is the level of the quantizer matrix, 0 to 14, and whether the plane is chroma,
    /// where a matrix is in use for the block.
    pub(crate) fn new(dc: i32, ac: i32, tx_size: TxSize, qm: Option<(usize, bool)>, bit_depth: u8) -> Self {
        let area_log2 = u32::from(tx_size.log2_w() + tx_size.log2_h());
        let shift = match area_log2 {
            ..=8 => 0,
            9..=10 => 1,
            _ => 2,
        };
        let matrix = qm.and_then(|(level, chroma)| Matrix::new(level, chroma, tx_size));
        Self { dc, ac, matrix, shift, largest: (1 << (7 + bit_depth)) - 1 }
    }

    /// The step of the coefficient at a position (row × min(32, width) + column), before the division for large transforms.
    #[inline]
    pub(crate) fn step(&self, position: usize) -> i32 {
        let step = if position == 0 { self.dc } else { self.ac };
        self.matrix.map_or(step, |matrix| (step * matrix.weight(position) + 16) >> 5)
    }

    /// The coefficient at a position with this level, which has its sign.
    #[inline]
    pub(crate) fn coefficient(&self, position: usize, level: i32) -> i32 {
        let step = self.step(position);
        // Only 24 bits of the product are kept, so 32 bits of it suffice.
        let magnitude = (level.unsigned_abs().wrapping_mul(step as u32) & 0xFF_FFFF) >> self.shift;
        let value = if level < 0 { -(magnitude as i32) } else { magnitude as i32 };
        value.clamp(-self.largest - 1, self.largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_specification() {
        assert_eq!([dc_q(0, 8), dc_q(255, 8), dc_q(300, 10), dc_q(-4, 12)], [4, 1336, 5347, 4]);
        assert_eq!([ac_q(1, 8), ac_q(255, 8), ac_q(255, 10), ac_q(255, 12)], [8, 1828, 7312, 29247]);
    }

    #[test]
    fn large_transforms_are_divided_toward_zero() {
        let coefficient = |tx_size, level| Dequantizer::new(5, 7, tx_size, None, 8).coefficient(1, level);
        assert_eq!(coefficient(TxSize::Tx16x16, -3), -21);
        assert_eq!(coefficient(TxSize::Tx8x32, -3), -21);
        assert_eq!(coefficient(TxSize::Tx16x32, -3), -10);
        assert_eq!(coefficient(TxSize::Tx16x64, -3), -10);
        assert_eq!(coefficient(TxSize::Tx64x32, -3), -5);
        assert_eq!(Dequantizer::new(5, 7, TxSize::Tx4x4, None, 8).coefficient(0, 3), 15);
    }

    #[test]
    fn coefficients_are_clipped_to_the_depth() {
        let dequantizer = Dequantizer::new(1336, 1828, TxSize::Tx4x4, None, 8);
        assert_eq!(dequantizer.coefficient(3, 1000), 32767);
        assert_eq!(dequantizer.coefficient(3, -1000), -32768);
        // 24 bits of the magnitude are kept.
        assert_eq!(Dequantizer::new(1, 1 << 12, TxSize::Tx4x4, None, 12).coefficient(1, 1 << 12), 0);
    }

    #[test]
    fn matrices_follow_the_transform_size() {
        let at = |tx_size, position, level| {
            Dequantizer::new(32, 32, tx_size, Some((level, false)), 8).coefficient(position, 1)
        };
        // The first luma matrices: 4 × 4, 8 × 8 and 16 × 16 of section 9.5.3.
        assert_eq!([0, 1, 4, 6, 15].map(|position| at(TxSize::Tx4x4, position, 0)), [32, 43, 43, 94, 200]);
        assert_eq!([1, 9, 63].map(|position| at(TxSize::Tx8x8, position, 0)), [32, 35, 220]);
        assert_eq!([15, 16, 255].map(|position| at(TxSize::Tx16x16, position, 0)), [119, 31, 231]);
        // A step of 64 for large transforms, which are divided by two.
        let chroma = |tx_size, position, level, step| {
            Dequantizer::new(step, step, tx_size, Some((level, true)), 8).coefficient(position, 1)
        };
        assert_eq!([0, 5, 63].map(|position| chroma(TxSize::Tx4x16, position, 14, 32)), [31, 31, 32]);
        assert_eq!([1, 17, 63].map(|position| chroma(TxSize::Tx16x4, position, 14, 32)), [31, 31, 32]);
        assert_eq!([7, 100, 255].map(|position| at(TxSize::Tx8x32, position, 3)), [90, 67, 163]);
        assert_eq!([31, 300, 511].map(|position| chroma(TxSize::Tx32x16, position, 9, 64)), [51, 47, 65]);
        assert_eq!([5, 500, 1023].map(|position| chroma(TxSize::Tx32x32, position, 3, 64)), [33, 67, 104]);
        // Of 64 samples the first 32 have a weight each.
        assert_eq!(at(TxSize::Tx64x64, 31, 0), 123 >> 2);
    }
}
