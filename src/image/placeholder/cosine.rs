//! Cosines that every machine computes alike: those of the host's library differ in their last bits.

use std::f64::consts::PI;

/// The terms of the series: enough for 15 digits up to a quarter turn.
const TERMS: u32 = 10;

/// The cosine of π × `numerator` / `denominator`.
pub(super) fn cosine_of_pi(numerator: usize, denominator: usize) -> f64 {
    // Within a turn of 2 × denominator, and then within its first quarter.
    let (turn, half) = (2 * denominator, denominator);
    let at = numerator % turn;
    let at = at.min(turn - at);
    let (at, sign) = if 2 * at > half { (half - at, -1.0) } else { (at, 1.0) };
    let square = (PI * at as f64 / denominator as f64) * (PI * at as f64 / denominator as f64);
    let mut term = 1.0;
    let mut sum = 1.0;
    for step in 1..TERMS {
        term *= -square / f64::from((2 * step - 1) * 2 * step);
        sum += term;
    }
    sign * sum
}

/// cos(π × k × (2 × at + 1) / (2 × size)) for every `at` of `size`: the waves of a DCT, sampled at the centers of pixels.
pub(super) fn centered(k: usize, size: usize) -> Vec<f64> {
    (0..size).map(|at| cosine_of_pi(k * (2 * at + 1), 2 * size)).collect()
}

/// cos(π × k × at / size) for every `at` of `size`.
pub(super) fn from_zero(k: usize, size: usize) -> Vec<f64> {
    (0..size).map(|at| cosine_of_pi(k * at, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::cosine_of_pi;

    #[test]
    fn all_quadrants_agree_with_the_host() {
        for numerator in 0..500 {
            let expected = (std::f64::consts::PI * f64::from(numerator) / 97.0).cos();
            assert!((cosine_of_pi(numerator as usize, 97) - expected).abs() < 1e-12, "{numerator}");
        }
    }
}
