//! The second transform: of the sixteen first coefficients of a macroblock that is predicted in one piece
//! (RFC 6386, section 14.3).

/// Forward, by half the scale of what `inverse` takes back.
pub(crate) fn forward(first: &[i16; 16]) -> [i16; 16] {
    let mut rows = [0; 16];
    for row in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|place| i32::from(first[4 * row + place]));
        let (a0, a1, a2, a3) = (c0 + c2, c1 + c3, c1 - c3, c0 - c2);
        rows[4 * row..4 * row + 4].copy_from_slice(&[a0 + a1, a3 + a2, a3 - a2, a0 - a1]);
    }
    let mut out = [0; 16];
    for column in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|place| rows[column + 4 * place]);
        let (a0, a1, a2, a3) = (c0 + c2, c1 + c3, c1 - c3, c0 - c2);
        for (place, value) in [a0 + a1, a3 + a2, a3 - a2, a0 - a1].into_iter().enumerate() {
            out[column + 4 * place] = (value >> 1) as i16;
        }
    }
    out
}

/// As every decoder does it.
pub(crate) fn inverse(coefficients: &[i16; 16]) -> [i16; 16] {
    let mut columns = [0; 16];
    for column in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|place| i32::from(coefficients[column + 4 * place]));
        let (a0, a1, a2, a3) = (c0 + c3, c1 + c2, c1 - c2, c0 - c3);
        for (place, value) in [a0 + a1, a3 + a2, a0 - a1, a3 - a2].into_iter().enumerate() {
            columns[column + 4 * place] = value;
        }
    }
    let mut out = [0; 16];
    for row in 0..4 {
        let [c0, c1, c2, c3] = std::array::from_fn(|place| columns[4 * row + place]);
        let dc = c0 + 3;
        let (a0, a1, a2, a3) = (dc + c3, c1 + c2, c1 - c2, dc - c3);
        for (place, value) in [a0 + a1, a3 + a2, a0 - a1, a3 - a2].into_iter().enumerate() {
            out[4 * row + place] = (value >> 3) as i16;
        }
    }
    out
}
