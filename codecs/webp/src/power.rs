//! Powers by additions and multiplications alone, so that every machine has the same ones.

/// `base` to the power of `exponent`, for a base from 0 to 1 and exponents up to about 2. It is exact to some twelve digits.
pub(crate) fn power(base: f64, exponent: f64) -> f64 {
    if base <= 0.0 { 0.0 } else { exponential(exponent * logarithm(base)) }
}

/// The natural logarithm.
fn logarithm(mut number: f64) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    let mut doublings = 0.0;
    while number < 0.75 {
        number *= 2.0;
        doublings += 1.0;
    }
    // 2 artanh((x - 1) / (x + 1))
    let part = (number - 1.0) / (number + 1.0);
    let square = part * part;
    let (mut term, mut sum) = (part, 0.0);
    for odd in 0..20 {
        sum += term / f64::from(2 * odd + 1);
        term *= square;
    }
    2.0 * sum - doublings * LN_2
}

/// Of a number from about -20 to 1.
fn exponential(number: f64) -> f64 {
    // Of a 32nd, then five times squared.
    let part = number / 32.0;
    let (mut term, mut sum) = (1.0, 0.0);
    for step in 1..20 {
        sum += term;
        term *= part / f64::from(step);
    }
    for _ in 0..5 {
        sum *= sum;
    }
    sum
}
