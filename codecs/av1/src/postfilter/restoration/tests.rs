//! Loop restoration and upscaling of whole planes: what must not change, and which samples a stripe reads.

use super::{Restoration, RestorationUnit, units_in};
use crate::plane::Plane;
use crate::postfilter::{Cdef, FrameShape, PostFilters, apply};

fn plane(width: usize, height: usize, sample: impl Fn(usize, usize) -> u16) -> Plane {
    let mut plane = Plane::padded(width, height, 0, 0).unwrap();
    let stride = plane.stride;
    for (y, row) in plane.data.chunks_mut(stride).enumerate() {
        row.iter_mut().enumerate().for_each(|(x, to)| *to = sample(x, y));
    }
    plane
}

fn shape(width: usize, coded_width: usize, height: usize) -> FrameShape {
    let units = |side: usize| 2 * side.div_ceil(8);
    let (mi_cols, mi_rows) = (units(coded_width), units(height));
    FrameShape { width, coded_width, height, mi_cols, mi_rows, ss_x: 0, ss_y: 0, bit_depth: 10 }
}

fn restored(plane: Plane, shape: FrameShape, units: &[RestorationUnit]) -> Plane {
    let restoration = Restoration { unit_size: 64, units };
    let filters =
        PostFilters { shape, deblock: None, cdef: None, restoration: [Some(restoration), None, None] };
    let mut planes = [plane];
    apply(&mut planes, &filters).unwrap();
    let [plane] = planes;
    plane
}

const WIENER: RestorationUnit = RestorationUnit::Wiener { vertical: [5, -23, 47], horizontal: [3, -7, 15] };
const SELF_GUIDED: RestorationUnit = RestorationUnit::SelfGuided { set: 3, xqd: [-32, 31] };

fn noise(x: usize, y: usize) -> u16 {
    ((x * 7919 + y * 104_729 + x * y * 31) % 601) as u16
}

#[test]
fn units_of_less_than_half_a_size_join_the_last() {
    assert_eq!([1, 95, 96, 128, 160].map(|size| units_in(size, 64)), [1, 1, 2, 2, 3]);
}

#[test]
fn flat_planes_and_filters_without_effect_change_nothing() {
    let shape = shape(90, 90, 150);
    for unit in [WIENER, SELF_GUIDED, RestorationUnit::SelfGuided { set: 10, xqd: [0, 95] }] {
        let flat = restored(plane(90, 150, |_, _| 333), shape, &[unit; 2]);
        assert!((0..150).all(|y| flat.row(y).iter().all(|&sample| sample == 333)), "{unit:?}");
    }
    let nothing = [
        RestorationUnit::None,
        RestorationUnit::Wiener { vertical: [0; 3], horizontal: [0; 3] },
        // All weight is on the samples themselves.
        RestorationUnit::SelfGuided { set: 0, xqd: [0, 127] },
    ];
    for unit in nothing {
        let same = restored(plane(90, 150, noise), shape, &[unit, unit]);
        let changed = (0..150).flat_map(|y| same.row(y).iter().enumerate().map(move |(x, &s)| (x, y, s)));
        let differences = changed.filter(|&(x, y, sample)| sample.abs_diff(noise(x, y)) > 2).count();
        assert_eq!(differences, 0, "{unit:?}");
    }
}

#[test]
fn each_unit_has_its_own_filter() {
    let shape = shape(130, 130, 64);
    let result = restored(plane(130, 64, noise), shape, &[RestorationUnit::None, WIENER]);
    assert!((0..64).all(|y| (0..64).all(|x| result.row(y)[x] == noise(x, y))));
    assert!((0..64).all(|y| (64..130).any(|x| result.row(y)[x] != noise(x, y))));
}

#[test]
fn stripes_read_two_rows_of_the_next_before_cdef() {
    // The second stripe begins at row 56. Its third row is not read by the first, which repeats the second.
    let with = |row: usize| {
        restored(
            plane(64, 100, |x, y| if y == row { 900 } else { noise(x, y) }),
            shape(64, 64, 100),
            &[WIENER; 2],
        )
    };
    let (first, second, third) = (with(56), with(57), with(58));
    let stripe = |plane: &Plane| plane.data[..56 * plane.stride].to_vec();
    assert!(stripe(&first) != stripe(&third));
    assert!(stripe(&second) != stripe(&third));
    let other = restored(plane(64, 100, noise), shape(64, 64, 100), &[WIENER; 2]);
    assert!(stripe(&other) == stripe(&third));
    // CDEF changes these rows, but not for the stripe above.
    let shape = FrameShape { bit_depth: 8, ..shape(64, 64, 100) };
    let small = |x: usize, y: usize| noise(x, y) % 12 + 90;
    let active: Vec<bool> = (0..13 * 8).map(|block| block / 8 >= 7).collect();
    let cdef = Cdef { damping: 5, y: [[9, 4]; 8], uv: [[0; 2]; 8], index: &[0; 2], active: &active };
    let restoration = Restoration { unit_size: 64, units: &[WIENER; 2] };
    let run = |cdef| {
        let mut planes = [plane(64, 100, small)];
        let restoration = [Some(restoration), None, None];
        apply(&mut planes, &PostFilters { shape, deblock: None, cdef, restoration }).unwrap();
        let [plane] = planes;
        plane
    };
    let [with, without] = [run(Some(cdef)), run(None)];
    assert!(with.data[..56 * with.stride] == without.data[..56 * with.stride]);
    assert_ne!(with.row(56), without.row(56));
}

#[test]
fn upscaling_keeps_a_flat_plane_and_the_middle_of_a_ramp() {
    let shape = shape(128, 64, 8);
    let flat = restored(plane(64, 8, |_, _| 500), shape, &[RestorationUnit::None]);
    assert_eq!((flat.width, flat.row(3)), (128, [500; 128].as_slice()));
    let ramp = restored(plane(64, 8, |x, _| 8 * x as u16), shape, &[RestorationUnit::None]);
    for x in 16..112 {
        // Samples lie in the middle of halves: 4 × x - 2.
        assert!(ramp.row(0)[x].abs_diff(4 * x as u16 - 2) <= 1, "{x}: {}", ramp.row(0)[x]);
    }
}
