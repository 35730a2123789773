//! Deblocking of whole planes: cases worked out by hand.

use super::{Deblock, level};
use crate::plane::Plane;
use crate::postfilter::{FrameShape, PostFilters, apply};
use crate::transform::TxSize;

const SIDE: usize = 64;

/// Filters a plane of luma with one transform size and level.
fn deblocked(sample: impl Fn(usize, usize) -> u16, size: TxSize, level: u8, bit_depth: u8) -> Plane {
    let mut plane = Plane::padded(SIDE, SIDE, 0, 0).unwrap();
    for (y, row) in plane.data.chunks_mut(SIDE).enumerate() {
        row.iter_mut().enumerate().for_each(|(x, to)| *to = sample(x, y));
    }
    let units = SIDE / 4;
    let shape = FrameShape {
        width: SIDE,
        coded_width: SIDE,
        height: SIDE,
        mi_cols: units,
        mi_rows: units,
        ss_x: 0,
        ss_y: 0,
        bit_depth,
    };
    let (tx, levels) = (vec![size; units * units], vec![[level; 4]; units * units]);
    let deblock = Deblock { tx: [&tx, &tx], levels: &levels, sharpness: 0, planes: [true, false, false] };
    let filters = PostFilters { shape, deblock: Some(deblock), cdef: None, restoration: [None; 3] };
    let mut planes = [plane];
    apply(&mut planes, &filters).unwrap();
    let [plane] = planes;
    plane
}

#[test]
fn a_step_at_a_small_transform_is_narrowed() {
    // |p0 - q0| = 4; 3 × 4 = 12: 16 >> 3 and 15 >> 3, and half of the first farther away.
    for (turned, scale) in [(false, 0), (true, 0), (false, 4)] {
        let step = |x: usize, y: usize| if (if turned { y } else { x }) < 8 { 100 } else { 104 } << scale;
        let plane = deblocked(step, TxSize::Tx4x4, 32, 8 + scale);
        let across: Vec<u16> =
            (4..12).map(|at| if turned { plane.row(at)[9] } else { plane.row(9)[at] }).collect();
        let expected = match scale {
            0 => [100, 100, 101, 101, 102, 103, 104, 104],
            // 3 × 64 = 192: 196 >> 3 = 24, 195 >> 3 = 24, 12 or, rounded up, 13.
            _ => [1600, 1600, 1612, 1624, 1640, 1652, 1664, 1664],
        };
        assert_eq!(across, expected);
    }
}

#[test]
fn a_step_between_flat_blocks_becomes_a_ramp() {
    let step = |x: usize, _| if x < 16 { 100 } else { 116 };
    let plane = deblocked(step, TxSize::Tx8x8, 63, 8);
    // Eight taps: with each sample one eighth of 16 more.
    assert_eq!(plane.row(20)[12..20], [100, 102, 104, 106, 110, 112, 114, 116]);
    let plane = deblocked(step, TxSize::Tx16x16, 63, 8);
    assert_eq!(plane.row(20)[9..23], [100, 101, 102, 103, 104, 105, 107, 109, 111, 112, 113, 114, 115, 116]);
}

#[test]
fn what_is_flat_or_a_real_edge_or_inside_a_block_stays() {
    let edge = |x: usize, _| if x < 16 { 20 } else { 220 };
    for plane in [deblocked(edge, TxSize::Tx4x4, 20, 8), deblocked(edge, TxSize::Tx64x64, 63, 8)] {
        assert_eq!(plane.row(5)[12..20], [20, 20, 20, 20, 220, 220, 220, 220]);
    }
    assert!(deblocked(|_, _| 77, TxSize::Tx8x8, 63, 8).data.iter().all(|&sample| sample == 77));
}

#[test]
fn levels_are_changed_by_block_segment_and_reference() {
    assert_eq!(level(30, 0, None, None), 30);
    assert_eq!(level(30, -40, None, Some(1)), 1);
    assert_eq!(level(30, 10, Some(-60), None), 0);
    assert_eq!(level(40, 0, None, Some(-3)), 34);
    assert_eq!(level(63, 63, Some(255), Some(63)), 63);
}
