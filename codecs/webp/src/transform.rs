//! The transforms of blocks: forward as libwebp approximates them, backward to the bit as every decoder does it
//! (RFC 6386, section 14).

use crate::lanes::{Blocks, Lanes};

/// Coefficients of the difference between a picture and its prediction.
#[inline(always)]
pub(crate) fn forward(picture: &Blocks, prediction: &Blocks) -> Blocks {
    let mut rows = [Lanes::ZERO; 16];
    for row in 0..4 {
        let [d0, d1, d2, d3] =
            [0, 1, 2, 3].map(|column| picture[4 * row + column].sub(prediction[4 * row + column]));
        let (a0, a1, a2, a3) = (d0.add(d3), d1.add(d2), d1.sub(d2), d0.sub(d3));
        rows[4 * row] = a0.add(a1).up::<3>();
        rows[4 * row + 1] = Lanes::rotate::<9>([a2, a3], [2217, 5352], 1812);
        rows[4 * row + 2] = a0.sub(a1).up::<3>();
        rows[4 * row + 3] = Lanes::rotate::<9>([a3, a2], [2217, -5352], 937);
    }
    let mut out = [Lanes::ZERO; 16];
    let half = Lanes::splat(7);
    for column in 0..4 {
        let [r0, r1, r2, r3] = line(&rows, column, 4);
        let (a0, a1, a2, a3) = (r0.add(r3), r1.add(r2), r1.sub(r2), r0.sub(r3));
        out[column] = a0.add(a1).add(half).down::<4>();
        out[4 + column] = Lanes::rotate::<16>([a2, a3], [2217, 5352], 12000).add(a3.is_set());
        out[8 + column] = a0.sub(a1).add(half).down::<4>();
        out[12 + column] = Lanes::rotate::<16>([a3, a2], [2217, -5352], 51000);
    }
    out
}

/// The difference that coefficients stand for, added to the prediction: pixels from 0 to 255.
#[inline(always)]
pub(crate) fn inverse(coefficients: &Blocks, prediction: &Blocks) -> Blocks {
    let mut columns = [Lanes::ZERO; 16];
    for column in 0..4 {
        let values = butterfly(line(coefficients, column, 4));
        for (row, value) in values.into_iter().enumerate() {
            columns[4 * row + column] = value;
        }
    }
    let mut out = [Lanes::ZERO; 16];
    for row in 0..4 {
        let [c0, c1, c2, c3] = line(&columns, 4 * row, 1);
        let values = butterfly([c0.add(Lanes::splat(4)), c1, c2, c3]);
        for (column, value) in values.into_iter().enumerate() {
            let place = 4 * row + column;
            out[place] = value.down::<3>().add(prediction[place]).clamp();
        }
    }
    out
}

#[inline(always)]
fn line(blocks: &Blocks, first: usize, step: usize) -> [Lanes; 4] {
    [0, 1, 2, 3].map(|place| blocks[first + place * step])
}

#[inline(always)]
fn butterfly([c0, c1, c2, c3]: [Lanes; 4]) -> [Lanes; 4] {
    let (a, b) = (c0.add(c2), c0.sub(c2));
    let c = times_sine(c1).sub(times_cosine(c3));
    let d = times_cosine(c1).add(times_sine(c3));
    [a.add(d), b.add(c), b.sub(c), a.sub(d)]
}

/// By √2 cos(π/8), in 65536ths: 85627.
#[inline(always)]
fn times_cosine(a: Lanes) -> Lanes {
    a.scale(20091).down::<1>().add(a)
}

/// By √2 sin(π/8), in 65536ths: 35468.
#[inline(always)]
fn times_sine(a: Lanes) -> Lanes {
    a.scale(17734)
}
