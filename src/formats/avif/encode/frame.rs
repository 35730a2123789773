//! Converts pixels to the planes of a frame: YCbCr of BT.601, full range, 10 bits (ITU-T H.273, 8.3).

use rav1e::prelude::Frame;

use crate::formats::avif::encode::sample::Sample;
use crate::formats::avif::encode::transparent_area;

/// The maximum value.
const TOP: f32 = 1023.0;
/// The chroma value for gray.
const MIDDLE: f32 = 512.0;

/// The weights of red, green and blue in luma.
const LUMA: [f32; 3] = [0.299, 0.587, 0.114];

/// Fills the luma plane from one channel.
fn fill_luma<T: Sample>(
    frame: &mut Frame<u16>,
    samples: &[T],
    line: usize,
    channels: usize,
    channel: fn(&[T]) -> Option<&T>,
) {
    let [plane, ..] = &mut frame.planes;
    let mut plane = plane.mut_slice(Default::default());
    for (row, out) in samples.chunks_exact(line).zip(plane.rows_iter_mut()) {
        for (pixel, out) in row.chunks_exact(channels).zip(out) {
            *out = channel(pixel).map_or(0, |sample| scaled(*sample).round() as u16);
        }
    }
}

/// Fills the frames of color and alpha with pixels of one to four channels.
///
/// Gray pixels may be RGB: a frame without chroma uses the red channel.
pub(crate) fn fill<T: Sample>(
    mut samples: Vec<T>,
    (width, _): (u32, u32),
    channels: usize,
    (colors, alpha): (&mut Frame<u16>, Option<&mut Frame<u16>>),
) {
    let width = width as usize;
    if channels.is_multiple_of(2) {
        transparent_area::smooth(&mut samples, width, channels);
    }
    let line = width * channels;
    if let Some(alpha) = alpha {
        fill_luma(alpha, &samples, line, channels, |pixel| pixel.last());
    }
    let has_chroma = colors.planes[1].cfg.width > 0;
    if !has_chroma || channels < 3 {
        return fill_luma(colors, &samples, line, channels, |pixel| pixel.first());
    }
    let [luma, blue, red] = &mut colors.planes;
    let mut luma = luma.mut_slice(Default::default());
    let mut rows = samples.chunks_exact(line).zip(luma.rows_iter_mut());
    // Each chroma sample is the mean of this many pixels in each direction.
    let shared = 1 << blue.cfg.xdec;
    let mut sums = vec![[0.0; 2]; width.div_ceil(shared)];
    let (mut blue, mut red) = (blue.mut_slice(Default::default()), red.mut_slice(Default::default()));
    let chroma_rows = blue.rows_iter_mut().zip(red.rows_iter_mut());
    // The frame has more rows than the picture, which the encoder pads.
    for (blue, red) in chroma_rows.take((samples.len() / line).div_ceil(shared)) {
        sums.fill([0.0; 2]);
        let mut height = 0;
        for (row, luma) in rows.by_ref().take(shared) {
            height += 1;
            let pixels = row.chunks(channels * shared).zip(luma.chunks_mut(shared));
            for ((pixels, luma), sum) in pixels.zip(&mut sums) {
                for (pixel, luma) in pixels.chunks_exact(channels).zip(luma) {
                    let [r, g, b, ..] = pixel else { continue };
                    let [r, g, b] = [r, g, b].map(|level| scaled(*level));
                    let y = LUMA[0] * r + LUMA[1] * g + LUMA[2] * b;
                    *luma = y.round() as u16;
                    *sum = [sum[0] + (b - y), sum[1] + (r - y)];
                }
            }
        }
        for (column, (sum, (blue, red))) in sums.iter().zip(blue.iter_mut().zip(red)).enumerate() {
            let count = height * shared.min(width - column * shared);
            let [b, r] = sum.map(|sum| sum / count as f32);
            *blue = chroma(b, LUMA[2]);
            *red = chroma(r, LUMA[0]);
        }
    }
}

fn scaled<T: Sample>(sample: T) -> f32 {
    sample.level() * (TOP / T::TOP)
}

fn chroma(difference: f32, share: f32) -> u16 {
    (difference * (0.5 / (1.0 - share)) + MIDDLE).round().min(TOP) as u16
}
