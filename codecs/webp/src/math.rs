//! Powers by additions and multiplications alone. The platform's `pow` differs between machines in the last bit, and then so
//! would the bytes of a file.

/// `base` to the power of `exponent`, for bases from 0 to 1 and exponents up to about 2, to some twelve digits.
pub(crate) fn pow(base: f64, exponent: f64) -> f64 {
    if base <= 0.0 { 0.0 } else { exp(exponent * ln(base)) }
}

fn ln(mut number: f64) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    let mut doublings = 0.0;
    while number < 0.75 {
        number *= 2.0;
        doublings += 1.0;
    }
    // 2 artanh((x − 1) / (x + 1))
    let ratio = (number - 1.0) / (number + 1.0);
    let square = ratio * ratio;
    let (mut term, mut sum) = (ratio, 0.0);
    for k in 0..20 {
        sum += term / f64::from(2 * k + 1);
        term *= square;
    }
    2.0 * sum - doublings * LN_2
}

/// For numbers from about −20 to 1.
fn exp(number: f64) -> f64 {
    // The power series at a 32nd of the number, squared five times.
    let part = number / 32.0;
    let (mut term, mut sum) = (1.0, 0.0);
    for k in 1..20 {
        sum += term;
        term *= part / f64::from(k);
    }
    for _ in 0..5 {
        sum *= sum;
    }
    sum
}
