//! XYB, the color space of JPEG XL (ISO/IEC 18181-1, annex L.2), with the offsets and factors by which SSIMULACRA2 brings X, Y and
//! B to about 0 to 1. B is relative to Y.

use crate::lanes::{Doubles, LANES, Lanes};

/// The opsin absorbance matrix: the columns are the shares of red, green and blue in the L, M and S cones.
const ABSORBANCE: [[f32; LANES]; 3] = [
    [0.30, 0.23, 0.243_422_69, 0.0],
    [1.0 - 0.078 - 0.30, 1.0 - 0.078 - 0.23, 0.204_767_45, 0.0],
    [0.078, 0.078, 1.0 - 0.243_422_69 - 0.204_767_45, 0.0],
];
/// The opsin absorbance bias, and its cube root.
const BIAS: f32 = 0.003_793_073_4;
const BIAS_ROOT: f32 = 0.155_954_2;

/// Converts linear RGB.
#[inline(always)]
pub(crate) fn xyb(linear_rgb: Lanes) -> Lanes {
    let channels = linear_rgb.array();
    let share = |channel: usize| Lanes::new(ABSORBANCE[channel]).mul(Lanes::splat(channels[channel]));
    let cones = share(0).add(share(1)).add(share(2)).add(Lanes::splat(BIAS)).positive();
    let [l, m, s, _] = cube_root(cones).sub(Lanes::splat(BIAS_ROOT)).array();
    let (x, y) = (0.5 * (l - m), 0.5 * (l + m));
    Lanes::new([14.0 * x + 0.42, y + 0.01, s - y + 0.55, 0.0])
}

/// The cube root of numbers that are zero or normal.
///
/// For a guess y of 1 / ∛v with v y³ = 1 − h, the exact factor that is missing is (1 − h)^(−1/3) = 1 + h/3 + 2h²/9 + 14h³/81 + …
/// These terms leave an error of 35h⁴/243, so two rounds in double precision take a guess within 4 % past single precision.
/// Then ∛v = v y². There is no division, and no platform's own `cbrt`, which differ in the last bit.
#[inline(always)]
fn cube_root(values: Lanes) -> Lanes {
    let v = values.doubles();
    let mut y = values.inverse_cube_root_guess().doubles();
    for _ in 0..2 {
        let h = Doubles::splat(1.0).sub(v.mul(y).mul(y).mul(y));
        let series = [14.0 / 81.0, 2.0 / 9.0, 1.0 / 3.0, 1.0].map(Doubles::splat);
        let factor = series.into_iter().reduce(|sum, term| sum.mul(h).add(term));
        y = factor.map_or(y, |factor| y.mul(factor));
    }
    v.mul(y).mul(y).lanes()
}

#[cfg(test)]
mod tests {
    use super::{BIAS, BIAS_ROOT, cube_root};
    use crate::lanes::Lanes;

    #[test]
    fn cube_roots_are_rounded_to_the_nearest() {
        let mut value = 1e-6_f32;
        let mut compared = 0;
        while value < 8.0 {
            let exact = f64::from(value).cbrt() as f32;
            assert_eq!(cube_root(Lanes::splat(value)).array(), [exact; 4], "{value}");
            value *= 1.000_31;
            compared += 1;
        }
        assert!(compared > 50_000, "{compared}");
        assert_eq!(cube_root(Lanes::splat(0.0)).array(), [0.0; 4]);
        assert_eq!(cube_root(Lanes::splat(BIAS)).array(), [BIAS_ROOT; 4]);
    }
}
