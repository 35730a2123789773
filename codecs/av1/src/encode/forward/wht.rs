//! The forward Walsh–Hadamard transform of lossless blocks: the steps of section 7.13.2.10 of the AV1 specification, backwards.

/// Transforms 4×4 residuals, row by row. The results are levels: the quantizer of lossless blocks scales them by what the inverse
/// transform shifts out.
pub(crate) fn wht(residual: [i32; 16]) -> [i32; 16] {
    let mut block = residual;
    for x in 0..4 {
        let column = forward([0, 1, 2, 3].map(|y| block[4 * y + x]));
        (0..4).for_each(|y| block[4 * y + x] = column[y]);
    }
    for row in block.chunks_exact_mut(4) {
        let values = forward([row[0], row[1], row[2], row[3]]);
        row.copy_from_slice(&values);
    }
    block
}

fn forward([mut a, b, c, mut d]: [i32; 4]) -> [i32; 4] {
    d -= c;
    a += b;
    let e = (a - d) >> 1;
    let (b, c) = (e - b, e - c);
    d += b;
    a -= c;
    [a, c, d, b]
}
