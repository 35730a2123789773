//! The Lanczos kernel with three lobes (C. Duchon: "Lanczos filtering in one and two dimensions", 1979).
//!
//! In IEEE 754 additions, multiplications and divisions in a fixed order, so that every machine gets the same weights.

use std::f64::consts::PI;

/// The radius of the kernel, in pixels of the smaller picture.
pub const LOBES: f64 = 3.0;

/// The weight at a distance in pixels of the smaller picture.
pub fn lanczos(distance: f64) -> f64 {
    let distance = distance.abs();
    let angle = PI * distance;
    if distance >= LOBES {
        return 0.0;
    }
    if angle == 0.0 {
        return 1.0;
    }
    let third = distance / LOBES;
    let sine = sine(third.min(1.0 - third));
    // sin 3a = 3 sin a - 4 sin³ a.
    LOBES * sine * (sine * (3.0 - 4.0 * sine * sine)) / (angle * angle)
}

/// sin(π x) for x from 0 to 1/2, by the Taylor series.
fn sine(x: f64) -> f64 {
    let angle = PI * x;
    let square = angle * angle;
    SERIES.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient) * angle
}

/// 1 / (2k + 1)! with alternating signs.
const SERIES: [f64; 11] = {
    let mut series = [1.0; 11];
    let mut k = 1;
    while k < series.len() {
        series[k] = -series[k - 1] / (2 * k * (2 * k + 1)) as f64;
        k += 1;
    }
    series
};

#[cfg(test)]
mod tests {
    use super::lanczos;

    #[test]
    fn the_kernel_is_a_sinc_that_is_faded_by_its_own_first_lobe() {
        let sinc = |x: f64| {
            if x == 0.0 { 1.0 } else { (std::f64::consts::PI * x).sin() / (std::f64::consts::PI * x) }
        };
        for step in -4000..=4000 {
            let x = f64::from(step) / 1000.0;
            let expected = if x.abs() < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 };
            assert!((lanczos(x) - expected).abs() < 1e-15, "{x}: {} instead of {expected}", lanczos(x));
        }
    }
}
