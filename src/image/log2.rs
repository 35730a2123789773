//! Logarithms in integers, so that every machine rounds alike.

/// The logarithm of 2: a factor of two, as a difference of two logarithms.
pub(crate) const OCTAVE: i64 = 1 << 10;

/// The binary logarithm of a number of at least 1, in 1/1024, rounded down: by squaring, one bit of the fraction at a
/// time.
pub(crate) fn log2(number: u64) -> i64 {
    let number = number.max(1);
    let whole = number.ilog2();
    let mut mantissa = (number << (63 - whole)) >> 32;
    let mut log = i64::from(whole);
    for _ in 0..OCTAVE.ilog2() {
        mantissa = (mantissa * mantissa) >> 31;
        let bit = mantissa >> 32;
        mantissa >>= bit;
        log = log << 1 | bit as i64;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::{OCTAVE, log2};

    #[test]
    fn a_logarithm_is_rounded_down_to_its_unit() {
        for number in (1..5000).chain([65_535, 98_304, u64::from(u32::MAX), u64::MAX / 3]) {
            let below = (number as f64).log2() * OCTAVE as f64 - log2(number) as f64;
            assert!((-1e-6..1.001).contains(&below), "{number}: {below} units below");
        }
        assert_eq!(log2(0), 0);
    }
}
