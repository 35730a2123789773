//! The sum of absolute differences after Hadamard transforms of 4×4 samples: a quick guess at what a residual costs.

use crate::plane::Plane;

/// Differences side by side: of two blocks of 4×4 samples.
type Lanes = [i16; 8];

/// The sum for a block of `w` × `h` samples at a place that both planes share. Samples have at most 10 bits.
pub(super) fn satd(
    source: &Plane,
    prediction: &Plane,
    (x, y): (usize, usize),
    (w, h): (usize, usize),
) -> f32 {
    let mut sum = 0;
    for line in (y..y + h).step_by(4) {
        let start = line * source.stride + x;
        sum += strip((&source.data[start..], &prediction.data[start..]), source.stride, w);
    }
    // As if the transforms were orthonormal.
    sum as f32 / 4.0
}
/// The sum of absolute coefficients in four rows of `w` samples.
fn strip((source, prediction): (&[u16], &[u16]), stride: usize, w: usize) -> u32 {
    let mut rows = [(source, prediction); 4];
    for (line, row) in rows.iter_mut().enumerate() {
        let part = line * stride..line * stride + w;
        *row = (&source[part.clone()], &prediction[part]);
    }
    let mut sum = 0;
    for x in (0..w).step_by(8) {
        let differences = rows.map(|(source, prediction)| difference(&source[x..], &prediction[x..]));
        sum += hadamard(differences);
    }
    sum
}

/// The first differences; those beyond four are zero if there are no eight.
#[inline(always)]
fn difference(source: &[u16], prediction: &[u16]) -> Lanes {
    if let (Some(a), Some(b)) = (source.first_chunk::<8>(), prediction.first_chunk::<8>()) {
        return std::array::from_fn(|lane| a[lane] as i16 - b[lane] as i16);
    }
    let mut lanes = [0; 8];
    for (to, (a, b)) in lanes.iter_mut().zip(source.iter().zip(prediction)) {
        *to = *a as i16 - *b as i16;
    }
    lanes
}

/// The sum of absolute coefficients of two blocks of 4×4 differences, side by side.
#[inline(always)]
fn hadamard([a, b, c, d]: [Lanes; 4]) -> u32 {
    let (a, b) = butterfly(a, b);
    let (c, d) = butterfly(c, d);
    let (upper, lower) = (butterfly(a, c), butterfly(b, d));
    let largest = [pairs(upper), pairs(lower)];
    // The sum of |a + b| and |a - b| is twice the larger of |a| and |b|.
    (0..8).map(|lane| 2 * (u32::from(largest[0][lane]) + u32::from(largest[1][lane]))).sum()
}

#[inline(always)]
fn butterfly(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
    (std::array::from_fn(|lane| a[lane] + b[lane]), std::array::from_fn(|lane| a[lane] - b[lane]))
}

/// Half of the sums of absolute coefficients of two rows, before whose transform they are given.
#[inline(always)]
fn pairs((a, b): (Lanes, Lanes)) -> [u16; 8] {
    let (even, odd) = unzip(a, b);
    let (sums, differences) = butterfly(even, odd);
    let (even, odd) = unzip(sums, differences);
    std::array::from_fn(|lane| even[lane].max(-even[lane]).max(odd[lane].max(-odd[lane])) as u16)
}

/// The even and the odd lanes.
#[inline(always)]
fn unzip(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
    ([a[0], a[2], a[4], a[6], b[0], b[2], b[4], b[6]], [a[1], a[3], a[5], a[7], b[1], b[3], b[5], b[7]])
}

/// The sum of squared differences.
pub(super) fn sse(source: &Plane, other: &Plane, (x, y): (usize, usize), (w, h): (usize, usize)) -> f32 {
    let mut sum = 0u64;
    for line in y..y + h {
        let start = line * source.stride + x;
        let rows = source.data[start..start + w].iter().zip(&other.data[start..start + w]);
        let of_row: u32 = rows.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum();
        sum += u64::from(of_row);
    }
    sum as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_difference_is_one_coefficient_of_each_square() {
        let mut planes = [Plane::new(8, 8, 8, 8).unwrap(), Plane::new(8, 8, 8, 8).unwrap()];
        planes[0].data.fill(13);
        planes[1].data.fill(10);
        assert_eq!(satd(&planes[0], &planes[1], (0, 0), (8, 8)), 4.0 * 3.0 * 16.0 / 4.0);
        assert_eq!(sse(&planes[0], &planes[1], (4, 0), (4, 8)), 9.0 * 32.0);
    }
}
