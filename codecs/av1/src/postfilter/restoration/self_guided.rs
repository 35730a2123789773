//! The self-guided filter (sections 7.17.2 and 7.17.3): a mix of the samples and of two smoothed versions of them.

use super::stripe::Stripe;
use super::{Area, MARGIN, MAX_SIDE};
use crate::coverage;
use crate::plane::Plane;

/// Rows and columns of box sums: one more on each side than samples.
const BOXES: usize = MAX_SIDE + 2;
/// Columns of an area with its margins.
const COLUMNS: usize = MAX_SIDE + 2 * MARGIN;

/// `Sgr_Params`: radius and strength of the first and the second version.
const PARAMETERS: [[u32; 4]; 16] = [
    [2, 12, 1, 4],
    [2, 15, 1, 6],
    [2, 18, 1, 8],
    [2, 21, 1, 9],
    [2, 24, 1, 10],
    [2, 29, 1, 11],
    [2, 36, 1, 12],
    [2, 45, 1, 13],
    [2, 56, 1, 14],
    [2, 68, 1, 15],
    [0, 0, 1, 5],
    [0, 0, 1, 8],
    [0, 0, 1, 11],
    [0, 0, 1, 14],
    [2, 30, 0, 0],
    [2, 75, 0, 0],
];

/// `SGRPROJ_RST_BITS`: fractional bits of the versions.
const RESULT_BITS: u32 = 4;
/// `SGRPROJ_PRJ_BITS`: fractional bits of their weights.
const PROJECTION_BITS: u32 = 7;
/// `SGRPROJ_MTABLE_BITS`.
const STRENGTH_BITS: u32 = 20;
/// `SGRPROJ_SGR_BITS`: fractional bits of `A`.
const SCALE_BITS: u32 = 8;
/// `SGRPROJ_RECIP_BITS`.
const RECIPROCAL_BITS: u32 = 12;

/// `a2` of section 7.17.3 for each `z`, of which 255 and above are the same.
const SCALES: [u16; 256] = scales();

const fn scales() -> [u16; 256] {
    let mut table = [0; 256];
    let mut z = 0;
    while z < 256 {
        table[z] = match z {
            0 => 1,
            255 => 256,
            _ => (((z << SCALE_BITS) + z / 2) / (z + 1)) as u16,
        };
        z += 1;
    }
    table
}

/// The arrays `A` and `B`: what a sample is multiplied by, and what is added.
struct Boxes {
    scale: Vec<[u32; BOXES]>,
    offset: Vec<[u32; BOXES]>,
}

/// The filter with the arrays that it works on.
pub(super) struct SelfGuided {
    boxes: Boxes,
    versions: [Vec<[i32; MAX_SIDE]>; 2],
    bit_depth: u8,
}

impl SelfGuided {
    pub(super) fn new(bit_depth: u8) -> Self {
        let rows = || vec![[0; BOXES]; BOXES];
        Self {
            boxes: Boxes { scale: rows(), offset: rows() },
            versions: [vec![[0; MAX_SIDE]; MAX_SIDE], vec![[0; MAX_SIDE]; MAX_SIDE]],
            bit_depth,
        }
    }

    /// Filters an area of the plane, whose samples before are in the stripe.
    pub(super) fn filter(&mut self, plane: &mut Plane, stripe: &Stripe, area: Area, set: u8, xqd: [i8; 2]) {
        let [first_radius, first_strength, second_radius, second_strength] =
            PARAMETERS[usize::from(set & 15)];
        coverage::count("restoration", usize::from(first_radius > 0) + 2 * usize::from(second_radius > 0));
        let [w0, w1] = xqd.map(i32::from);
        let w2 = (1 << PROJECTION_BITS) - w0 - w1;
        if first_radius > 0 {
            self.boxes.sum::<2>(stripe, area, first_strength, self.bit_depth);
            self.boxes.smooth_odd_rows(&mut self.versions[0], stripe, area);
        }
        if second_radius > 0 {
            self.boxes.sum::<1>(stripe, area, second_strength, self.bit_depth);
            self.boxes.smooth(&mut self.versions[1], stripe, area);
        }
        // A version that does not exist is the samples themselves.
        let own = w1 + if first_radius == 0 { w0 } else { 0 } + if second_radius == 0 { w2 } else { 0 };
        let w0 = if first_radius == 0 { 0 } else { w0 };
        let w2 = if second_radius == 0 { 0 } else { w2 };
        let largest = (1 << self.bit_depth) - 1;
        let shift = RESULT_BITS + PROJECTION_BITS;
        let versions = self.versions[0].iter().zip(&self.versions[1]);
        for (row, (first, second)) in plane.block_rows(area.x, area.y, area.w, area.h).zip(versions) {
            for ((sample, first), second) in row.iter_mut().zip(first).zip(second) {
                let value = ((own * i32::from(*sample)) << RESULT_BITS) + w0 * first + w2 * second;
                *sample = ((value + (1 << (shift - 1))) >> shift).clamp(0, largest) as u16;
            }
        }
    }
}

impl Boxes {
    /// Computes `A` and `B` from sums over boxes of `RADIUS` samples on each side. With a radius of 2 only odd rows are needed.
    fn sum<const RADIUS: usize>(&mut self, stripe: &Stripe, area: Area, strength: u32, bit_depth: u8) {
        let count = ((2 * RADIUS + 1) * (2 * RADIUS + 1)) as u32;
        let scaled = count * count * strength;
        let multiplier = ((1 << STRENGTH_BITS) + scaled / 2) / scaled;
        let reciprocal = ((1 << RECIPROCAL_BITS) + count / 2) / count;
        let depth = u32::from(bit_depth - 8);
        let round = |value: u32, bits: u32| (value + ((1 << bits) >> 1)) >> bits;
        for row in (0..area.h + 2).step_by(RADIUS) {
            let (sums, squares) = column_sums::<RADIUS>(stripe, area, row);
            let (mut total, mut index) = ([0_u32; BOXES], [0_u32; BOXES]);
            for j in 0..area.w + 2 {
                let columns = j + MARGIN - 1 - RADIUS..=j + MARGIN - 1 + RADIUS;
                let (sum, square) = columns.fold((0, 0), |(a, b), x| (a + sums[x], b + squares[x]));
                let mean = round(sum, depth);
                let variance = (round(square, 2 * depth) * count).saturating_sub(mean * mean);
                total[j] = sum;
                index[j] = round(variance.wrapping_mul(multiplier), STRENGTH_BITS).min(255);
            }
            let (scale, offset) = (&mut self.scale[row], &mut self.offset[row]);
            for j in 0..area.w + 2 {
                scale[j] = u32::from(SCALES[index[j] as usize]);
                let value = ((1 << SCALE_BITS) - scale[j]).wrapping_mul(total[j]).wrapping_mul(reciprocal);
                offset[j] = round(value, RECIPROCAL_BITS);
            }
        }
    }

    /// The second version: each sample by the nine boxes around it.
    fn smooth(&self, version: &mut [[i32; MAX_SIDE]], stripe: &Stripe, area: Area) {
        for (i, to) in version[..area.h].iter_mut().enumerate() {
            let samples = stripe.row(i + MARGIN, area.x + MARGIN, area.w);
            for (j, (to, &sample)) in to.iter_mut().zip(samples).enumerate() {
                let weighted = |rows: &[[u32; BOXES]]| {
                    let near = rows[i][j + 1]
                        + rows[i + 2][j + 1]
                        + rows[i + 1][j]
                        + rows[i + 1][j + 1]
                        + rows[i + 1][j + 2];
                    let corners = rows[i][j] + rows[i][j + 2] + rows[i + 2][j] + rows[i + 2][j + 2];
                    4 * near + 3 * corners
                };
                *to = apply(weighted(&self.scale), weighted(&self.offset), sample, 5);
            }
        }
    }

    /// The first version: even rows by the boxes of the rows above and below, odd rows by those of their own.
    fn smooth_odd_rows(&self, version: &mut [[i32; MAX_SIDE]], stripe: &Stripe, area: Area) {
        for (i, to) in version[..area.h].iter_mut().enumerate() {
            let samples = stripe.row(i + MARGIN, area.x + MARGIN, area.w);
            let across = |row: &[u32; BOXES], j: usize| 6 * row[j + 1] + 5 * (row[j] + row[j + 2]);
            for (j, (to, &sample)) in to.iter_mut().zip(samples).enumerate() {
                let (scale, offset, shift) = if i % 2 == 0 {
                    let both = |rows: &[[u32; BOXES]]| across(&rows[i], j) + across(&rows[i + 2], j);
                    (both(&self.scale), both(&self.offset), 5)
                } else {
                    (across(&self.scale[i + 1], j), across(&self.offset[i + 1], j), 4)
                };
                *to = apply(scale, offset, sample, shift);
            }
        }
    }
}

fn apply(scale: u32, offset: u32, sample: u16, shift: u32) -> i32 {
    let bits = SCALE_BITS + shift - RESULT_BITS;
    ((scale * u32::from(sample) + offset + (1 << (bits - 1))) >> bits) as i32
}

/// Sums over `2 * RADIUS + 1` rows of samples and of their squares, for a row of boxes, of which the first is above the area.
fn column_sums<const RADIUS: usize>(
    stripe: &Stripe,
    area: Area,
    row: usize,
) -> ([u32; COLUMNS], [u32; COLUMNS]) {
    let (mut sums, mut squares) = ([0; COLUMNS], [0; COLUMNS]);
    let first = row + MARGIN - 1 - RADIUS;
    for i in first..=first + 2 * RADIUS {
        let samples = stripe.row(i, area.x, area.w + 2 * MARGIN);
        for ((sum, square), &sample) in sums.iter_mut().zip(&mut squares).zip(samples) {
            *sum += u32::from(sample);
            *square += u32::from(sample) * u32::from(sample);
        }
    }
    (sums, squares)
}
