//! One-dimensional orthonormal transforms of four columns at a time.
//!
//! The DCT is that of B. G. Lee, "A new algorithm to compute the discrete cosine transform" (1984); the ADST is its matrix.

use std::f64::consts::PI;

/// Columns that are transformed at once.
pub(super) const LANES: usize = 4;
/// One sample of each.
pub(super) type Lanes = [f32; LANES];

/// 1 / (2 cos((i + 1/2) π / n)) for n = 64, 32, 16, 8, 4 and 2, one after the other.
static SECANTS: [f32; 63] = secants();
static ADST_4: [[f32; 4]; 4] = adst_4();
static ADST_8: [[f32; 8]; 8] = adst_matrix();
static ADST_16: [[f32; 16]; 16] = adst_matrix();

/// The sine of an angle of any size, by its series.
const fn sine(mut angle: f64) -> f64 {
    while angle > PI {
        angle -= 2.0 * PI;
    }
    let (mut sum, mut term, mut at) = (angle, angle, 1.0);
    while at < 40.0 {
        term = -term * angle * angle / ((at + 1.0) * (at + 2.0));
        sum += term;
        at += 2.0;
    }
    sum
}

/// A square root, by Newton's method.
const fn root(value: f64) -> f64 {
    let (mut root, mut round) = (1.0, 0);
    while round < 40 {
        root = (root + value / root) / 2.0;
        round += 1;
    }
    root
}

const fn secants() -> [f32; 63] {
    let mut table = [0.0; 63];
    let (mut length, mut start) = (64, 0);
    while length > 1 {
        let mut i = 0;
        while i < length / 2 {
            let angle = (i as f64 + 0.5) * PI / length as f64;
            table[start + i] = (0.5 / sine(angle + PI / 2.0)) as f32;
            i += 1;
        }
        start += length / 2;
        length /= 2;
    }
    table
}

const fn adst_4() -> [[f32; 4]; 4] {
    let mut table = [[0.0; 4]; 4];
    let mut k = 0;
    while k < 4 {
        let mut i = 0;
        while i < 4 {
            let angle = PI * (i as f64 + 1.0) * (2.0 * k as f64 + 1.0) / 9.0;
            table[k][i] = (2.0 / 3.0 * sine(angle)) as f32;
            i += 1;
        }
        k += 1;
    }
    table
}

const fn adst_matrix<const N: usize>() -> [[f32; N]; N] {
    let mut table = [[0.0; N]; N];
    let mut k = 0;
    while k < N {
        let mut i = 0;
        while i < N {
            let angle = PI * (2.0 * i as f64 + 1.0) * (2.0 * k as f64 + 1.0) / (4.0 * N as f64);
            table[k][i] = (root(2.0 / N as f64) * sine(angle)) as f32;
            i += 1;
        }
        k += 1;
    }
    table
}

/// The DCT of 4, 8, 16, 32 or 64 samples.
pub(super) fn dct(t: &mut [Lanes]) {
    let length = t.len() as f32;
    let mut work = [[0.0; LANES]; 64];
    lee(t, &mut work[..t.len()]);
    let (first, others) = ((1.0 / length).sqrt(), (2.0 / length).sqrt());
    for (at, lanes) in t.iter_mut().enumerate() {
        let scale = if at == 0 { first } else { others };
        *lanes = lanes.map(|value| value * scale);
    }
}

fn lee(t: &mut [Lanes], work: &mut [Lanes]) {
    let length = t.len();
    if length < 2 {
        return;
    }
    let half = length / 2;
    let secants = &SECANTS[64 - length..][..half];
    for i in 0..half {
        for lane in 0..LANES {
            let (a, b) = (t[i][lane], t[length - 1 - i][lane]);
            work[i][lane] = a + b;
            work[half + i][lane] = (a - b) * secants[i];
        }
    }
    let (even, odd) = work.split_at_mut(half);
    let (work_even, work_odd) = t.split_at_mut(half);
    lee(even, work_even);
    lee(odd, work_odd);
    for i in 0..half {
        t[2 * i] = even[i];
        t[2 * i + 1] = odd[i];
        if i + 1 < half {
            for lane in 0..LANES {
                t[2 * i + 1][lane] += odd[i + 1][lane];
            }
        }
    }
}

/// The ADST of 4, 8 or 16 samples.
pub(super) fn adst(t: &mut [Lanes]) {
    match t.len() {
        4 => multiply(t, &ADST_4),
        8 => multiply(t, &ADST_8),
        _ => multiply(t, &ADST_16),
    }
}

fn multiply<const N: usize>(t: &mut [Lanes], matrix: &[[f32; N]; N]) {
    let Some(t) = t.first_chunk_mut::<N>() else { return };
    let from = *t;
    for (to, weights) in t.iter_mut().zip(matrix) {
        let mut sum = [0.0; LANES];
        for (samples, weight) in from.iter().zip(weights) {
            for (sum, sample) in sum.iter_mut().zip(samples) {
                *sum += sample * weight;
            }
        }
        *to = sum;
    }
}
