//! The Walsh–Hadamard transform of the sixteen luma DCs of an intra16 macroblock: the Y2 block (RFC 6386, section 14.3).

/// The forward transform, at half the scale of [`inverse`].
pub(crate) fn forward(dcs: &[i16; 16]) -> [i16; 16] {
    let mut rows = [0; 16];
    for row in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|i| i32::from(dcs[4 * row + i]));
        let (a0, a1, a2, a3) = (c0 + c2, c1 + c3, c1 - c3, c0 - c2);
        rows[4 * row..4 * row + 4].copy_from_slice(&[a0 + a1, a3 + a2, a3 - a2, a0 - a1]);
    }
    let mut out = [0; 16];
    for column in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|i| rows[column + 4 * i]);
        let (a0, a1, a2, a3) = (c0 + c2, c1 + c3, c1 - c3, c0 - c2);
        for (i, value) in [a0 + a1, a3 + a2, a3 - a2, a0 - a1].into_iter().enumerate() {
            out[column + 4 * i] = (value >> 1) as i16;
        }
    }
    out
}

/// The luma DCs, exactly as every decoder computes them.
pub(crate) fn inverse(y2: &[i16; 16]) -> [i16; 16] {
    let mut columns = [0; 16];
    for column in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|i| i32::from(y2[column + 4 * i]));
        let (a0, a1, a2, a3) = (c0 + c3, c1 + c2, c1 - c2, c0 - c3);
        for (i, value) in [a0 + a1, a3 + a2, a0 - a1, a3 - a2].into_iter().enumerate() {
            columns[column + 4 * i] = value;
        }
    }
    let mut out = [0; 16];
    for row in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|i| columns[4 * row + i]);
        let rounded = c0 + 3;
        let (a0, a1, a2, a3) = (rounded + c3, c1 + c2, c1 - c2, rounded - c3);
        for (i, value) in [a0 + a1, a3 + a2, a0 - a1, a3 - a2].into_iter().enumerate() {
            out[4 * row + i] = (value >> 3) as i16;
        }
    }
    out
}
