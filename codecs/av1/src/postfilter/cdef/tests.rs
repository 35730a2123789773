//! CDEF of whole planes: what must not change, and a case worked out by hand.

use super::Cdef;
use crate::plane::Plane;
use crate::postfilter::{FrameShape, PostFilters, apply};

const SIDE: usize = 64;

fn filtered(sample: impl Fn(usize, usize) -> u16, y: [u8; 2], index: i8, active: bool) -> Plane {
    let mut plane = Plane::padded(SIDE, SIDE, 0, 0).unwrap();
    for (y, row) in plane.data.chunks_mut(SIDE).enumerate() {
        row.iter_mut().enumerate().for_each(|(x, to)| *to = sample(x, y));
    }
    let shape = FrameShape {
        width: SIDE,
        coded_width: SIDE,
        height: SIDE,
        mi_cols: SIDE / 4,
        mi_rows: SIDE / 4,
        ss_x: 0,
        ss_y: 0,
        bit_depth: 8,
    };
    let cdef = Cdef { damping: 3, y: [y; 8], uv: [[0; 2]; 8], index: &[index], active: &[active; 64] };
    let filters = PostFilters { shape, deblock: None, cdef: Some(cdef), restoration: [None; 3] };
    let mut planes = [plane];
    apply(&mut planes, &filters).unwrap();
    let [plane] = planes;
    plane
}

#[test]
fn flat_areas_and_blocks_without_filtering_stay() {
    assert!(filtered(|_, _| 90, [15, 4], 0, true).data.iter().all(|&sample| sample == 90));
    let noise = |x: usize, y: usize| ((x * x * 37 + y * y * 101 + x * y * 7) % 23 + 100) as u16;
    let before = filtered(noise, [0, 0], 0, true).data;
    assert!(filtered(noise, [15, 4], -1, true).data == before);
    assert!(filtered(noise, [15, 4], 0, false).data == before);
    assert!(filtered(noise, [15, 4], 0, true).data != before);
}

#[test]
fn a_lone_sample_moves_toward_its_neighbors_by_the_taps() {
    // At damping 3 a strength of 4 counts 4 - (3 >> 1) = 3 of a difference of 3.
    let lone = |x: usize, y: usize| if (x, y) == (20, 20) { 103 } else { 100 };
    let plane = filtered(lone, [0, 4], 0, true);
    // Secondary taps of direction 0, two times 2 and two times 1 in each of two directions: 12 × -3 = -36; (8 - 36 - 1) >> 4 = -2.
    assert_eq!(plane.row(20)[20], 101);
    // Of the others, a weight of 2 of 3 is too little: (8 + 6) >> 4 = 0.
    assert_eq!(plane.data.iter().filter(|&&sample| sample != 100).count(), 1);
}

#[test]
fn samples_are_read_as_they_were_before_the_rows_above_changed() {
    // A picture and the same with another first band: rows that do not read that band are the same.
    let noise = |x: usize, y: usize| ((x * x * 37 + y * y * 101 + x * y * 7) % 9 + 100) as u16;
    let other = |x: usize, y: usize| if y < 4 { 50 } else { noise(x, y) };
    let [first, second] = [filtered(noise, [3, 2], 0, true), filtered(other, [3, 2], 0, true)];
    assert!(first.data[8 * SIDE..] == second.data[8 * SIDE..]);
}
