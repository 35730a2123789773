//! One-dimensional orthonormal transforms of eight columns at a time.
//!
//! The DCT is that of B. G. Lee, "A new algorithm to compute the discrete cosine transform" (1984). The ADST of 8 and 16 samples is
//! the DST-IV: the DCT-IV of the samples in reverse order, with every other sign changed. Neighboring coefficients of a DCT-IV
//! add up to the DCT of samples that are weighted by cosines, so they are its running differences. The ADST of four samples is its
//! matrix.

use std::f64::consts::PI;

/// Columns that are transformed at once.
pub(super) const LANES: usize = 8;
/// One sample of each.
pub(super) type Lanes = [f32; LANES];

/// 1 / (2 cos((i + 1/2) π / n)) for n = 64, 32, 16, 8, 4 and 2, one after the other.
static SECANTS: [f32; 63] = secants();
static ADST_4: [[f32; 4]; 4] = adst_4();
/// 2 cos((i + 1/2) π / 2n).
static COSINES_8: [f32; 8] = cosines();
static COSINES_16: [f32; 16] = cosines();

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

const fn cosines<const N: usize>() -> [f32; N] {
    let mut table = [0.0; N];
    let mut i = 0;
    while i < N {
        let angle = (i as f64 + 0.5) * PI / (2.0 * N as f64);
        table[i] = (2.0 * sine(angle + PI / 2.0)) as f32;
        i += 1;
    }
    table
}

/// The DCT of a length, not scaled.
fn dct_2(t: &mut [Lanes; 2]) {
    *t = [add(t[0], t[1]), scaled(subtract(t[0], t[1]), SECANTS[62])];
}

macro_rules! dct {
    ($name:ident, $length:literal, $half:ident) => {
        fn $name(t: &mut [Lanes; $length]) {
            const HALF: usize = $length / 2;
            let (mut even, mut odd) = ([[0.0; LANES]; HALF], [[0.0; LANES]; HALF]);
            for i in 0..HALF {
                let (a, b) = (t[i], t[$length - 1 - i]);
                even[i] = add(a, b);
                odd[i] = scaled(subtract(a, b), SECANTS[64 - $length + i]);
            }
            $half(&mut even);
            $half(&mut odd);
            for i in 0..HALF {
                t[2 * i] = even[i];
                t[2 * i + 1] = if i + 1 < HALF { add(odd[i], odd[i + 1]) } else { odd[i] };
            }
        }
    };
}

dct!(dct_4, 4, dct_2);
dct!(dct_8, 8, dct_4);
dct!(dct_16, 16, dct_8);
dct!(dct_32, 32, dct_16);
dct!(dct_64, 64, dct_32);

/// The DCT of `length` samples: 4, 8, 16, 32 or 64. Results are scaled by `scale`.
pub(super) fn dct(t: &mut [Lanes; 64], length: usize, scale: f32) {
    fn part<const N: usize>(t: &mut [Lanes; 64], transform: fn(&mut [Lanes; N])) {
        if let Some(t) = t.first_chunk_mut() {
            transform(t);
        }
    }
    match length {
        4 => part(t, dct_4),
        8 => part(t, dct_8),
        16 => part(t, dct_16),
        32 => part(t, dct_32),
        _ => dct_64(t),
    }
    let (first, others) = ((1.0 / length as f32).sqrt() * scale, (2.0 / length as f32).sqrt() * scale);
    t[0] = scaled(t[0], first);
    for lanes in &mut t[1..length] {
        *lanes = scaled(*lanes, others);
    }
}

/// The ADST of `length` samples: 4, 8 or 16. Results are scaled by `scale`.
pub(super) fn adst(t: &mut [Lanes; 64], length: usize, scale: f32) {
    match length {
        4 => adst_of_4(t, scale),
        8 => adst_by_dct(t, dct_8, &COSINES_8, scale),
        _ => adst_by_dct(t, dct_16, &COSINES_16, scale),
    }
}

fn adst_of_4(t: &mut [Lanes; 64], scale: f32) {
    let Some(t) = t.first_chunk_mut::<4>() else { return };
    let from = *t;
    for (to, weights) in t.iter_mut().zip(&ADST_4) {
        let mut sum = [0.0; LANES];
        for (samples, weight) in from.iter().zip(weights) {
            sum = add(sum, scaled(*samples, *weight));
        }
        *to = scaled(sum, scale);
    }
}

fn adst_by_dct<const N: usize>(
    t: &mut [Lanes; 64],
    dct: fn(&mut [Lanes; N]),
    cosines: &[f32; N],
    scale: f32,
) {
    let Some(t) = t.first_chunk_mut::<N>() else { return };
    t.reverse();
    for (samples, cosine) in t.iter_mut().zip(cosines) {
        *samples = scaled(*samples, *cosine);
    }
    dct(t);
    let factor = (2.0 / N as f32).sqrt() * scale;
    t[0] = scaled(t[0], 0.5);
    let mut before = [0.0; LANES];
    for (k, samples) in t.iter_mut().enumerate() {
        before = subtract(*samples, before);
        *samples = scaled(before, if k % 2 == 0 { factor } else { -factor });
    }
}

#[inline(always)]
fn add(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

#[inline(always)]
fn subtract(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] - b[lane])
}

#[inline(always)]
pub(super) fn scaled(a: Lanes, factor: f32) -> Lanes {
    a.map(|value| value * factor)
}
