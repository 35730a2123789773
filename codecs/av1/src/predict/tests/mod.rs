//! Predictors through their interface: cases worked out by hand, and directional prediction against the formulas of the
//! specification, sample by sample.

mod directional;

use super::{
    CflBlock, CflLuma, EdgeFilter, IntraBcBlock, IntraBlock, IntraMode, IntraPredictor, edge_samples,
    predict_intrabc, predict_palette,
};
use crate::plane::Plane;

/// A block of 4 × 4 at (4, 4) with all its neighbors, at 8 bits.
const BLOCK: IntraBlock = IntraBlock {
    x: 4,
    y: 4,
    log2_w: 2,
    log2_h: 2,
    above: 8,
    left: 8,
    mode: IntraMode::Dc,
    angle_delta: 0,
    filter_intra: None,
    edge_filter: EdgeFilter::Off,
    bit_depth: 8,
};

/// A plane whose samples are a function of their position.
fn plane(sample: impl Fn(usize, usize) -> u16) -> Plane {
    let mut plane = Plane::padded(64, 64, 0, 0).unwrap();
    for y in 0..64 {
        for x in 0..64 {
            plane.data[y * plane.stride + x] = sample(x, y);
        }
    }
    plane
}

fn predicted(mut plane: Plane, block: IntraBlock) -> Vec<Vec<u16>> {
    IntraPredictor::new().predict(&mut plane, &block);
    plane.block_rows(block.x, block.y, 1 << block.log2_w, 1 << block.log2_h).map(|row| row.to_vec()).collect()
}

#[test]
fn dc_is_the_rounded_mean_of_what_is_there() {
    let gradient = || plane(|x, y| (10 * x + y) as u16);
    // Above: 43, 53, 63, 73; to the left: 34, 35, 36, 37.
    let first = |block| predicted(gradient(), block)[3][3];
    assert_eq!(first(BLOCK), (232 + 142 + 4) / 8);
    assert_eq!(first(IntraBlock { left: 0, ..BLOCK }), (232 + 2) / 4);
    assert_eq!(first(IntraBlock { above: 0, ..BLOCK }), (142 + 2) / 4);
    assert_eq!(first(IntraBlock { above: 0, left: 0, ..BLOCK }), 128);
    // Beyond the samples that are there the last is repeated.
    assert_eq!(first(IntraBlock { above: 2, left: 0, ..BLOCK }), (43 + 53 + 53 + 53 + 2) / 4);
    let wide = IntraBlock { log2_w: 4, ..BLOCK };
    let above: u16 = (4..20).map(|x| 10 * x + 3).sum();
    assert_eq!(first(IntraBlock { above: 16, ..wide }), (above + 142 + 10) / 20);
}

#[test]
fn missing_edges_are_one_from_the_middle() {
    let block = |mode, above, left| IntraBlock { mode, above, left, bit_depth: 10, ..BLOCK };
    let flat = || plane(|_, _| 700);
    assert_eq!(predicted(flat(), block(IntraMode::V, 0, 0))[0], [511; 4]);
    assert_eq!(predicted(flat(), block(IntraMode::H, 0, 0))[0], [513; 4]);
    assert_eq!(predicted(flat(), block(IntraMode::V, 0, 4))[0], [700; 4]);
    assert_eq!(predicted(flat(), block(IntraMode::H, 4, 0))[0], [700; 4]);
}

#[test]
fn paeth_takes_the_nearest_of_three() {
    let mut source = plane(|_, _| 0);
    let stride = source.stride;
    source.data[3 * stride + 3..][..5].copy_from_slice(&[50, 60, 50, 20, 90]);
    for (y, left) in [50, 80, 10, 55].into_iter().enumerate() {
        source.data[(4 + y) * stride + 3] = left;
    }
    let rows = predicted(source, IntraBlock { mode: IntraMode::Paeth, ..BLOCK });
    // Left and corner are both 50: base is the sample above.
    assert_eq!(rows[0], [60, 50, 20, 90]);
    // base = above + 30; 80 is the nearest to 90 and to 80, the corner to 50; of equals, left comes first.
    assert_eq!(rows[1], [80, 80, 50, 90]);
    // base = above - 40: 20, 10, -20, 50.
    assert_eq!(rows[2], [10, 10, 10, 50]);
    assert_eq!(rows[3], [60, 55, 20, 90]);
}

#[test]
fn smooth_modes_weigh_near_edges_most() {
    let source = || {
        plane(|x, y| {
            if y < 4 {
                200
            } else if x < 4 {
                100
            } else {
                0
            }
        })
    };
    let rows = |mode| predicted(source(), IntraBlock { mode, ..BLOCK });
    let down =
        [255, 149, 85, 64].map(|weight: u32| ((weight * 200 + (256 - weight) * 100 + 128) >> 8) as u16);
    assert_eq!(rows(IntraMode::SmoothV), down.map(|sample| vec![sample; 4]).to_vec());
    let across =
        [255, 149, 85, 64].map(|weight: u32| ((weight * 100 + (256 - weight) * 200 + 128) >> 8) as u16);
    assert_eq!(rows(IntraMode::SmoothH), vec![across.to_vec(); 4]);
    let middle = (149_u32 * 200 + 107 * 100 + 85 * 100 + 171 * 200 + 256) >> 9;
    assert_eq!(u32::from(rows(IntraMode::Smooth)[1][2]), middle);
}

#[test]
fn recursive_filtering_keeps_a_flat_area() {
    for mode in 0..5 {
        let block = IntraBlock { log2_w: 4, log2_h: 3, filter_intra: Some(mode), above: 16, ..BLOCK };
        assert_eq!(predicted(plane(|_, _| 77), block), vec![vec![77; 16]; 8], "{mode}");
    }
    // The first sample of mode 0: -6 × corner + 10 × above + 12 × left.
    let block = IntraBlock { filter_intra: Some(0), ..BLOCK };
    let rows = predicted(plane(|x, y| if y < 4 { 100 } else { 10 * x as u16 }), block);
    assert_eq!(rows[0][0], (1000 - 600 + 12 * 30 + 8) / 16);
}

#[test]
fn palette_colors_follow_the_map() {
    let mut plane = plane(|_, _| 1);
    let map = [0, 1, 2, 9, 1, 0, 0, 9];
    predict_palette(&mut plane, (4, 4), (3, 2), &[500, 600], &map, 4);
    let rows: Vec<_> = plane.block_rows(3, 4, 5, 2).map(|row| row.to_vec()).collect();
    assert_eq!(rows, [[1, 500, 600, 500, 1], [1, 600, 500, 500, 1]]);
}

#[test]
fn chroma_follows_the_luma_differences() {
    let luma = plane(|x, _| if x < 4 { 40 } else { 80 });
    let block = |ss_x, ss_y| CflBlock {
        x: 0,
        y: 0,
        log2_w: 3,
        log2_h: 2,
        ss_x,
        ss_y,
        max_luma_w: 64,
        max_luma_h: 64,
    };
    let mut cfl = CflLuma::new();
    let chroma = |cfl: &CflLuma, alpha| {
        let mut chroma = plane(|_, _| 100);
        cfl.predict(&mut chroma, 0, 0, alpha, 8);
        chroma.row(3)[..8].to_vec()
    };
    // The mean is 60: -20 and 20, times alpha / 8.
    cfl.load(&luma, &block(0, 0));
    assert_eq!(chroma(&cfl, 4), [90, 90, 90, 90, 110, 110, 110, 110]);
    assert_eq!(chroma(&cfl, -1), [103, 103, 103, 103, 97, 97, 97, 97]);
    // Subsampled, two of eight columns are dark: the mean is 70.
    cfl.load(&luma, &block(1, 1));
    assert_eq!(chroma(&cfl, 8), [70, 70, 110, 110, 110, 110, 110, 110]);
    // Only the first four luma columns are decoded: all are the same.
    cfl.load(&luma, &CflBlock { max_luma_w: 4, ..block(1, 0) });
    assert_eq!(chroma(&cfl, 16), [100; 8]);
}

#[test]
fn block_copies_interpolate_half_samples() {
    let block =
        |mv, ss_x, ss_y| IntraBcBlock { x: 32, y: 32, w: 4, h: 2, mv, ss_x, ss_y, limit_x: 64, limit_y: 64 };
    let copied = |block: IntraBcBlock| {
        let mut plane = plane(|x, y| (4 * x + 100 * y) as u16);
        predict_intrabc(&mut plane, &block);
        plane.block_rows(32, 32, 4, 2).map(|row| row.to_vec()).collect::<Vec<_>>()
    };
    // 8 rows up and 16 columns back.
    assert_eq!(copied(block((-64, -128), 0, 0))[1], [2564, 2568, 2572, 2576]);
    assert_eq!(copied(block((-64, -128), 1, 1))[1], [2996, 3000, 3004, 3008]);
    // Half a sample to the right and down.
    assert_eq!(copied(block((-64, -120), 1, 0))[0], [2498, 2502, 2506, 2510]);
    assert_eq!(copied(block((-72, -120), 1, 1))[0], [2848, 2852, 2856, 2860]);
    // Far outside, the nearest sample is repeated.
    assert_eq!(copied(block((-(1 << 20), 1 << 20), 0, 0)), [[252; 4]; 2]);
}

#[test]
fn edges_end_where_decoding_has() {
    assert_eq!(edge_samples(false, true, 8, 8, 64), 0);
    assert_eq!(edge_samples(true, false, 8, 8, 64), 8);
    assert_eq!(edge_samples(true, true, 8, 8, 64), 16);
    assert_eq!(edge_samples(true, true, 8, 8, 20), 12);
}
