//! Converts pixels to the planes of a picture: YCbCr of BT.601, full range, or red, green and blue (ITU-T H.273, 8.3).

use filepress_av1::{Error, Picture, RowsMut};

use crate::formats::avif::encode::layout::Layout;
use crate::formats::avif::encode::sample::Sample;
use crate::formats::avif::encode::transparent_area;

/// The maximum of YCbCr.
const TOP: f32 = 1023.0;
/// The chroma value for gray.
const MIDDLE: f32 = 512.0;

/// The weights of red, green and blue in luma.
const LUMA: [f32; 3] = [0.299, 0.587, 0.114];

/// The pictures of an AVIF.
pub(crate) struct Planes {
    pub(crate) colors: Picture,
    pub(crate) alpha: Option<Picture>,
}

impl Planes {
    /// Of pixels with one to four channels. Gray pixels may be RGB: a layout without color uses the red channel.
    pub(crate) fn new<T: Sample>(
        mut samples: Vec<T>,
        size: (usize, usize),
        channels: usize,
        layout: Layout,
    ) -> Result<Self, Error> {
        let scale = f32::from((1u16 << layout.config().bit_depth) - 1) / T::TOP;
        let line = size.0 * channels;
        let channel = |samples: &[T], at: usize, rows: RowsMut<'_>| {
            for (row, out) in samples.chunks_exact(line).zip(rows) {
                for (pixel, out) in row.chunks_exact(channels).zip(out) {
                    *out = (pixel[at].level() * scale).round() as u16;
                }
            }
        };
        let mut alpha = None;
        if channels.is_multiple_of(2) {
            alpha = Some(Picture::filled(size, layout.alpha().config(), |planes| {
                planes.into_iter().for_each(|rows| channel(&samples, channels - 1, rows));
            })?);
            if !layout.is_lossless() {
                transparent_area::smooth(&mut samples, size.0, channels);
            }
        }
        let colors = Picture::filled(size, layout.config(), |planes| match layout {
            // With the identity matrix, the planes are green, blue and red (H.273, table 4).
            Layout::LosslessRgb => {
                planes.into_iter().zip([1, 2, 0]).for_each(|(rows, at)| channel(&samples, at, rows));
            }
            Layout::Gray | Layout::LosslessGray => {
                planes.into_iter().for_each(|rows| channel(&samples, 0, rows));
            }
            Layout::Ycbcr420 => fill_ycbcr(&samples, line, channels, 2, planes),
            Layout::Ycbcr444 => fill_ycbcr(&samples, line, channels, 1, planes),
        })?;
        Ok(Self { colors, alpha })
    }
}

/// Fills the planes from red, green and blue. Each chroma sample is the mean of `shared` pixels in each direction.
fn fill_ycbcr<T: Sample>(
    samples: &[T],
    line: usize,
    channels: usize,
    shared: usize,
    planes: Vec<RowsMut<'_>>,
) {
    let Ok([luma, blue, red]) = <[RowsMut<'_>; 3]>::try_from(planes) else { return };
    let width = line / channels;
    let mut rows = samples.chunks_exact(line).zip(luma);
    let mut sums = vec![[0.0; 2]; width.div_ceil(shared)];
    for (blue, red) in blue.zip(red) {
        sums.fill([0.0; 2]);
        let mut height = 0;
        for (row, luma) in rows.by_ref().take(shared) {
            height += 1;
            let pixels = row.chunks(channels * shared).zip(luma.chunks_mut(shared));
            for ((pixels, luma), sum) in pixels.zip(&mut sums) {
                for (pixel, luma) in pixels.chunks_exact(channels).zip(luma) {
                    let [r, g, b, ..] = pixel else { continue };
                    let [r, g, b] = [r, g, b].map(|level| level.level() * (TOP / T::TOP));
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

fn chroma(difference: f32, share: f32) -> u16 {
    (difference * (0.5 / (1.0 - share)) + MIDDLE).round().min(TOP) as u16
}
