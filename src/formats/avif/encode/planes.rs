//! Converts pixels to the planes of a picture: YCbCr of BT.601, full range, or red, green and blue (ITU-T H.273, 8.3).

use filepress_av1::{Error, Picture, RowsMut};
use filepress_ycbcr::Subsampler;

use crate::formats::avif::encode::layout::Layout;
use crate::formats::avif::encode::sample::Sample;
use crate::formats::avif::encode::transparent_area;

/// The maximum of YCbCr.
const TOP: f32 = 1023.0;
/// What a step of 8 bits is.
const STEP: f32 = TOP / 255.0;
/// What zero is in luma, which is 128 of 255 there, and in chroma.
const CENTER: f32 = 128.0 * STEP;
const MIDDLE: f32 = 512.0;

/// The weights of red, green and blue in luma.
const LUMA: [f32; 3] = [0.299, 0.587, 0.114];
/// How much of the difference in light that subsampled chroma makes is made up for by luma: photos need the fewest bytes with it
/// (`make bench-avif`).
const LUMA_ADJUSTMENT: f32 = 1.0;

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
            Layout::Ycbcr420 => fill_subsampled(&samples, line, channels, planes),
            Layout::Ycbcr444 => fill_ycbcr(&samples, line, channels, planes),
        })?;
        Ok(Self { colors, alpha })
    }
}

/// Fills the planes from red, green and blue.
fn fill_ycbcr<T: Sample>(samples: &[T], line: usize, channels: usize, planes: Vec<RowsMut<'_>>) {
    let Ok([luma, blue, red]) = <[RowsMut<'_>; 3]>::try_from(planes) else { return };
    let mut rows = [0, 1, 2].map(|_| vec![0.0; line / channels]);
    for (pixels, ((luma, blue), red)) in samples.chunks_exact(line).zip(luma.zip(blue).zip(red)) {
        let [y, cb, cr] = &mut rows;
        convert(pixels, channels, [y, cb, cr]);
        quantize(luma, y, CENTER);
        quantize(blue, cb, MIDDLE);
        quantize(red, cr, MIDDLE);
    }
}

/// The same with half as much chroma in each direction.
fn fill_subsampled<T: Sample>(samples: &[T], line: usize, channels: usize, planes: Vec<RowsMut<'_>>) {
    let Ok([mut luma, mut blue, mut red]) = <[RowsMut<'_>; 3]>::try_from(planes) else { return };
    let mut subsampler = Subsampler::new(line / channels, 2, LUMA_ADJUSTMENT);
    let mut pixels = samples.chunks_exact(line);
    let mut chroma = [blue.next(), red.next()];
    while let [Some(blue_row), Some(red_row)] = &mut chroma {
        let made = match pixels.next() {
            Some(pixels) => subsampler.push(|rows| convert(pixels, channels, rows)),
            None => subsampler.repeat(),
        };
        let Some(made) = made else { continue };
        for (to, from) in luma.by_ref().take(2).zip(made.luma.chunks_exact(made.stride)) {
            quantize(to, from, CENTER);
        }
        quantize(blue_row, made.chroma[0], MIDDLE);
        quantize(red_row, made.chroma[1], MIDDLE);
        chroma = [blue.next(), red.next()];
    }
}

/// Luma and chroma of a row of pixels, as for 8 bits: -128 to 127.
fn convert<T: Sample>(pixels: &[T], channels: usize, [luma, blue, red]: [&mut [f32]; 3]) {
    let planes = luma.iter_mut().zip(blue).zip(red);
    for (pixel, ((luma, blue), red)) in pixels.chunks_exact(channels).zip(planes) {
        let [r, g, b, ..] = pixel else { continue };
        let [r, g, b] = [r, g, b].map(|level| level.level() * (255.0 / T::TOP));
        let y = LUMA[0] * r + LUMA[1] * g + LUMA[2] * b;
        *luma = y - 128.0;
        *blue = (b - y) * (0.5 / (1.0 - LUMA[2]));
        *red = (r - y) * (0.5 / (1.0 - LUMA[0]));
    }
}

/// Samples of 10 bits. `zero` is what zero becomes.
fn quantize(to: &mut [u16], from: &[f32], zero: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = (from * STEP + zero).round().min(TOP) as u16;
    }
}
