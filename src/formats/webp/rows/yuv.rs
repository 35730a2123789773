//! Converts the planes of a lossy WebP to RGB, row by row, as libwebp does it.

use image_webp::vp8::Frame;

/// The pixels of the rows of a frame.
pub(super) struct YuvRows {
    frame: Frame,
    y: usize,
    /// Chroma between two rows, in quarters.
    between: Vec<u16>,
    /// U and V for each pixel of a row.
    chroma: [Vec<u8>; 2],
}

impl YuvRows {
    pub(super) fn new(frame: Frame) -> Self {
        Self { frame, y: 0, between: Vec::new(), chroma: Default::default() }
    }

    pub(super) fn size(&self) -> (u32, u32) {
        (self.frame.width.into(), self.frame.height.into())
    }

    /// Writes red, green and blue of the pixels of the next row, which have `N` bytes each. False after the last row.
    pub(super) fn next_row<const N: usize>(&mut self, row: &mut [u8]) -> bool {
        let (width, height) = (usize::from(self.frame.width), usize::from(self.frame.height));
        if self.y == height {
            return false;
        }
        // Planes consist of whole macroblocks.
        let stride = width.next_multiple_of(16);
        let (near, far) = neighbors(self.y, height.div_ceil(2));
        for (plane, chroma) in [&self.frame.ubuf, &self.frame.vbuf].into_iter().zip(&mut self.chroma) {
            let row = |y: usize| &plane[y * stride / 2..][..width.div_ceil(2)];
            self.between.clear();
            self.between.extend(row(near).iter().zip(row(far)).map(|(near, far)| mixed(*near, *far)));
            upsample(&self.between, width, chroma);
        }
        let luma = &self.frame.ybuf[self.y * stride..][..width];
        let [u, v] = &self.chroma;
        for (((pixel, y), u), v) in row.as_chunks_mut::<N>().0.iter_mut().zip(luma).zip(u).zip(v) {
            pixel[..3].copy_from_slice(&rgb(*y, *u, *v));
        }
        self.y += 1;
        true
    }
}

/// Of `count` rows of chroma, the one that row `y` is in, and the next nearest.
fn neighbors(y: usize, count: usize) -> (usize, usize) {
    let near = y / 2;
    (near, if y % 2 == 1 { (near + 1).min(count - 1) } else { near.saturating_sub(1) })
}

/// Three quarters of one and a quarter of the other, in quarters.
#[inline(always)]
fn mixed(near: u8, far: u8) -> u16 {
    3 * u16::from(near) + u16::from(far)
}

/// The chroma of each pixel of a row from that of each second, in quarters.
fn upsample(between: &[u16], width: usize, out: &mut Vec<u8>) {
    let [first, .., last] = between else {
        out.clear();
        out.resize(width, ((between[0] * 4 + 8) >> 4) as u8);
        return;
    };
    out.clear();
    out.push(((first * 4 + 8) >> 4) as u8);
    for pair in between.windows(2) {
        let (left, right) = (pair[0], pair[1]);
        out.extend([((3 * left + right + 8) >> 4) as u8, ((3 * right + left + 8) >> 4) as u8]);
    }
    out.push(((last * 4 + 8) >> 4) as u8);
    out.truncate(width);
}

/// The conversion of ITU-R BT.601 with limited range, with factors and rounding of libwebp (`src/dsp/yuv.h`).
#[inline(always)]
fn rgb(y: u8, u: u8, v: u8) -> [u8; 3] {
    let part = |value: u8, factor: i32| (i32::from(value) * factor) >> 8;
    let clamp = |value: i32| (value >> 6).clamp(0, 255) as u8;
    let luma = part(y, 19_077);
    [
        clamp(luma + part(v, 26_149) - 14_234),
        clamp(luma - part(u, 6_419) - part(v, 13_320) + 8_708),
        clamp(luma + part(u, 33_050) - 17_685),
    ]
}
