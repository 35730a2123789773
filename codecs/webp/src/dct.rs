//! The 4 × 4 DCT of VP8 (RFC 6386, section 14.3). The inverse is exact: every decoder computes the same. The forward transform
//! is the encoder's own choice and has libwebp's rounding constants (`LICENSE-libwebp`).

use crate::lanes::{Blocks, Lanes};

/// The coefficients of the residual: source minus prediction.
#[inline(always)]
pub(crate) fn forward(source: &Blocks, prediction: &Blocks) -> Blocks {
    let mut rows = [Lanes::ZERO; 16];
    for row in 0..4 {
        let [d0, d1, d2, d3] = std::array::from_fn(|x| source[4 * row + x].sub(prediction[4 * row + x]));
        let (a0, a1, a2, a3) = (d0.add(d3), d1.add(d2), d1.sub(d2), d0.sub(d3));
        rows[4 * row] = a0.add(a1).shl::<3>();
        rows[4 * row + 1] = Lanes::dot::<9>([a2, a3], [2217, 5352], 1812);
        rows[4 * row + 2] = a0.sub(a1).shl::<3>();
        rows[4 * row + 3] = Lanes::dot::<9>([a3, a2], [2217, -5352], 937);
    }
    let mut out = [Lanes::ZERO; 16];
    let rounding = Lanes::splat(7);
    for column in 0..4 {
        let [r0, r1, r2, r3] = line(&rows, column, 4);
        let (a0, a1, a2, a3) = (r0.add(r3), r1.add(r2), r1.sub(r2), r0.sub(r3));
        out[column] = a0.add(a1).add(rounding).shr::<4>();
        out[4 + column] = Lanes::dot::<16>([a2, a3], [2217, 5352], 12000).add(a3.is_nonzero());
        out[8 + column] = a0.sub(a1).add(rounding).shr::<4>();
        out[12 + column] = Lanes::dot::<16>([a3, a2], [2217, -5352], 51000);
    }
    out
}

/// The reconstruction: prediction plus the inverse transform, clamped to 0..=255.
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
            let i = 4 * row + column;
            out[i] = value.shr::<3>().add(prediction[i]).clamp();
        }
    }
    out
}

#[inline(always)]
fn line(blocks: &Blocks, first: usize, stride: usize) -> [Lanes; 4] {
    std::array::from_fn(|i| blocks[first + i * stride])
}

#[inline(always)]
fn butterfly([c0, c1, c2, c3]: [Lanes; 4]) -> [Lanes; 4] {
    let (a, b) = (c0.add(c2), c0.sub(c2));
    let c = mul_sin(c1).sub(mul_cos(c3));
    let d = mul_cos(c1).add(mul_sin(c3));
    [a.add(d), b.add(c), b.sub(c), a.sub(d)]
}

/// Times √2 cos(π/8): 85627 / 65536, of which 65536 / 65536 is the addition.
#[inline(always)]
fn mul_cos(a: Lanes) -> Lanes {
    a.mul_q15(20091).shr::<1>().add(a)
}

/// Times √2 sin(π/8): 35468 / 65536.
#[inline(always)]
fn mul_sin(a: Lanes) -> Lanes {
    a.mul_q15(17734)
}
