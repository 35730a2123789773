//! The inverse transforms of each size as matrices.
//!
//! Sizes 2 and 4 are means of the samples of the transform of size 8, whose coefficients are those of `portable`. Others
//! take as many coefficients as they have samples, at most 8: √2 cos((2x + 1) k π / 2N) × 2¹³, and 2¹³ for DC.

/// A transform of `size` samples.
pub(crate) struct Matrix {
    pub(crate) size: usize,
    /// The coefficients that it takes in each direction.
    pub(crate) taken: usize,
    /// The binary logarithm of the samples that one is the sum of.
    pub(crate) summed: u32,
    /// For each sample of the first half, and the one in the middle, the weights of coefficients. Of the other half, those of odd
    /// coefficients have the other sign.
    pub(crate) weights: &'static [[i32; 8]],
}

#[rustfmt::skip]
static SIZE_1: Matrix = Matrix { size: 1, taken: 1, summed: 0, weights: &[
    [8192, 0, 0, 0, 0, 0, 0, 0],
] };

#[rustfmt::skip]
pub(super) static SIZE_2: Matrix = Matrix { size: 2, taken: 8, summed: 2, weights: &[
    [32768, 29692, 0, -10426, 0, 6967, 0, -5906],
] };

#[rustfmt::skip]
static SIZE_3: Matrix = Matrix { size: 3, taken: 3, summed: 0, weights: &[
    [8192, 10033, 5793, 0, 0, 0, 0, 0],
    [8192, 0, -11586, 0, 0, 0, 0, 0],
] };

#[rustfmt::skip]
pub(super) static SIZE_4: Matrix = Matrix { size: 4, taken: 8, summed: 1, weights: &[
    [16384, 20995, 15137, 7373, 0, -4926, -6270, -4176],
    [16384, 8697, -15137, -17799, 0, 11893, 6270, -1730],
] };

#[rustfmt::skip]
static SIZE_5: Matrix = Matrix { size: 5, taken: 5, summed: 0, weights: &[
    [8192, 11019, 9372, 6810, 3580, 0, 0, 0],
    [8192, 6810, -3580, -11018, -9372, 0, 0, 0],
    [8192, 0, -11584, 0, 11584, 0, 0, 0],
] };

#[rustfmt::skip]
static SIZE_6: Matrix = Matrix { size: 6, taken: 6, summed: 0, weights: &[
    [8192, 11190, 10033, 8192, 5793, 2998, 0, 0],
    [8192, 8192, 0, -8192, -11586, -8192, 0, 0],
    [8192, 2998, -10033, -8192, 5793, 11190, 0, 0],
] };

#[rustfmt::skip]
static SIZE_7: Matrix = Matrix { size: 7, taken: 7, summed: 0, weights: &[
    [8192, 11295, 10438, 9058, 7223, 5027, 2578, 0],
    [8192, 9058, 2578, -5027, -10438, -11295, -7223, 0],
    [8192, 5027, -7223, -11295, -2578, 9058, 10438, 0],
    [8192, 0, -11585, 0, 11585, 0, -11585, 0],
] };

#[rustfmt::skip]
pub(super) static SIZE_8: Matrix = Matrix { size: 8, taken: 8, summed: 0, weights: &[
    [8192, 11363, 10703, 9633, 8192, 6437, 4433, 2260],
    [8192, 9633, 4433, -2259, -8192, -11362, -10704, -6436],
    [8192, 6437, -4433, -11362, -8192, 2261, 10704, 9633],
    [8192, 2260, -10703, -6436, 8192, 9633, -4433, -11363],
] };

#[rustfmt::skip]
static SIZE_10: Matrix = Matrix { size: 10, taken: 8, summed: 0, weights: &[
    [8192, 11443, 11019, 10323, 9373, 8192, 6810, 5260],
    [8192, 10323, 6810, 1812, -3580, -8192, -11018, -11443],
    [8192, 8192, 0, -8192, -11586, -8192, 0, 8192],
    [8192, 5260, -6810, -11443, -3580, 8192, 11018, 1812],
    [8192, 1812, -11019, -5260, 9373, 8192, -6810, -10323],
] };

#[rustfmt::skip]
static SIZE_12: Matrix = Matrix { size: 12, taken: 8, summed: 0, weights: &[
    [8192, 11486, 11190, 10703, 10033, 9191, 8192, 7053],
    [8192, 10703, 8192, 4433, 0, -4433, -8192, -10703],
    [8192, 9191, 2998, -4433, -10033, -11486, -8192, -1512],
    [8192, 7053, -2998, -10703, -10033, -1512, 8192, 11486],
    [8192, 4433, -8192, -10703, 0, 10703, 8192, -4433],
    [8192, 1512, -11190, -4433, 10033, 7053, -8192, -9191],
] };

#[rustfmt::skip]
static SIZE_14: Matrix = Matrix { size: 14, taken: 8, summed: 0, weights: &[
    [8192, 11512, 11295, 10935, 10438, 9810, 9058, 8192],
    [8192, 10935, 9058, 6164, 2578, -1297, -5027, -8192],
    [8192, 9810, 5027, -1297, -7223, -10935, -11295, -8192],
    [8192, 8192, 0, -8192, -11586, -8192, 0, 8192],
    [8192, 6164, -5027, -11512, -7223, 3826, 11295, 8192],
    [8192, 3826, -9058, -9810, 2578, 11512, 5027, -8192],
    [8192, 1297, -11295, -3826, 10438, 6164, -9058, -8192],
] };

/// The transform of a size that scales have: 1 to 8, 10, 12 or 14.
#[inline(always)]
pub(crate) fn matrix(size: usize) -> &'static Matrix {
    match size {
        1 => &SIZE_1,
        2 => &SIZE_2,
        3 => &SIZE_3,
        4 => &SIZE_4,
        5 => &SIZE_5,
        6 => &SIZE_6,
        7 => &SIZE_7,
        8 => &SIZE_8,
        10 => &SIZE_10,
        12 => &SIZE_12,
        _ => &SIZE_14,
    }
}
