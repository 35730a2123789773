//! Intra prediction of a 4 × 4 luma subblock by all ten modes (RFC 6386, section 12.3).

pub(crate) const B_DC_PRED: usize = 0;
pub(crate) const B_TM_PRED: usize = 1;
pub(crate) const B_VE_PRED: usize = 2;
pub(crate) const B_HE_PRED: usize = 3;
pub(crate) const B_LD_PRED: usize = 4;
pub(crate) const B_RD_PRED: usize = 5;
pub(crate) const B_VR_PRED: usize = 6;
pub(crate) const B_VL_PRED: usize = 7;
pub(crate) const B_HD_PRED: usize = 8;
pub(crate) const B_HU_PRED: usize = 9;
/// How many modes a subblock has.
pub(crate) const MODES: usize = 10;

/// The pixels around a subblock, called E in RFC 6386: four on the left from the bottom up, the corner, then eight above.
pub(crate) type Edge = [u8; 13];

/// The prediction of each mode, in raster order.
#[inline]
pub(crate) fn predict(edge: &Edge) -> [[u8; 16]; MODES] {
    let e: [u16; 13] = edge.map(u16::from);
    let (left, corner, top) = ([e[3], e[2], e[1], e[0]], e[4], [e[5], e[6], e[7], e[8]]);
    // `avg2[i]` is the rounded mean of E[i] and E[i + 1]; `avg3[i]` weighs E[i - 1], E[i] and E[i + 1] by 1, 2, 1.
    let avg2: [u8; 13] = std::array::from_fn(|i| ((e[i] + e[(i + 1).min(12)] + 1) >> 1) as u8);
    let avg3: [u8; 13] = std::array::from_fn(|i| {
        let (before, after) = (e[i.saturating_sub(1)], e[(i + 1).min(12)]);
        ((before + 2 * e[i] + after + 2) >> 2) as u8
    });
    // The bottom left pixel and the last one above have one neighbor, which counts three times.
    let bottom_left = ((e[1] + 3 * e[0] + 2) >> 2) as u8;
    let top_right = ((e[11] + 3 * e[12] + 2) >> 2) as u8;
    let dc = ((left.iter().sum::<u16>() + top.iter().sum::<u16>() + 4) >> 3) as u8;
    let true_motion = |x: usize, y: usize| {
        let sum = left[y] as i16 + top[x] as i16 - corner as i16;
        sum.clamp(0, 255) as u8
    };
    let mut modes = [[0; 16]; MODES];
    modes[B_DC_PRED] = [dc; 16];
    modes[B_TM_PRED] = raster(true_motion);
    modes[B_VE_PRED] = raster(|x, _| avg3[5 + x]);
    modes[B_HE_PRED] = raster(|_, y| if y == 3 { bottom_left } else { avg3[3 - y] });
    modes[B_LD_PRED] = raster(|x, y| if x + y == 6 { top_right } else { avg3[6 + x + y] });
    modes[B_RD_PRED] = raster(|x, y| avg3[4 + x - y]);
    modes[B_VR_PRED] = [
        avg2[4], avg2[5], avg2[6], avg2[7], avg3[4], avg3[5], avg3[6], avg3[7], avg3[3], avg2[4], avg2[5],
        avg2[6], avg3[2], avg3[4], avg3[5], avg3[6],
    ];
    modes[B_VL_PRED] = [
        avg2[5], avg2[6], avg2[7], avg2[8], avg3[6], avg3[7], avg3[8], avg3[9], avg2[6], avg2[7], avg2[8],
        avg3[10], avg3[7], avg3[8], avg3[9], avg3[11],
    ];
    modes[B_HD_PRED] = [
        avg2[3], avg3[4], avg3[5], avg3[6], avg2[2], avg3[3], avg2[3], avg3[4], avg2[1], avg3[2], avg2[2],
        avg3[3], avg2[0], avg3[1], avg2[1], avg3[2],
    ];
    modes[B_HU_PRED] = [
        avg2[2],
        avg3[2],
        avg2[1],
        avg3[1],
        avg2[1],
        avg3[1],
        avg2[0],
        bottom_left,
        avg2[0],
        bottom_left,
        edge[0],
        edge[0],
        edge[0],
        edge[0],
        edge[0],
        edge[0],
    ];
    modes
}

#[inline]
fn raster(pixel: impl Fn(usize, usize) -> u8) -> [u8; 16] {
    std::array::from_fn(|i| pixel(i % 4, i / 4))
}
