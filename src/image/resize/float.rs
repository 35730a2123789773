//! Lanczos3 in floating point for linear light, since 16-bit integers would clip values above white.
//!
//! Sums have a fixed order, so that every machine gets the same result. Overshoots of the filter's negative lobes are clipped to the range of the source: a picture without highlights gets none.

use filepress_resample::{LOBES, lanczos};
use image::{ImageBuffer, Pixel};

use crate::image::resize::Target;

type Light<P> = ImageBuffer<P, Vec<f32>>;

/// Resizes with color that is premultiplied where pixels are mixed.
pub(crate) fn apply<P: Pixel<Subpixel = f32>>(mut source: Light<P>, target: Target) -> Light<P> {
    let is_weighed = P::HAS_ALPHA && target.interpolates();
    if is_weighed {
        source.pixels_mut().for_each(|pixel| weigh(pixel.channels_mut()));
    }
    let (width, height) = (source.width() as usize, source.height() as usize);
    let (to_width, to_height) = (target.width as usize, target.height as usize);
    let columns = taps(width, (target.part.left, target.part.width), to_width);
    let rows = taps(height, (target.part.top, target.part.height), to_height);
    let channels = usize::from(P::CHANNEL_COUNT);
    let colors = channels - usize::from(P::HAS_ALPHA);
    let lights = source.chunks_exact(channels).flat_map(|pixel| &pixel[..colors]);
    let (darkest, brightest) =
        lights.fold((f32::MAX, f32::MIN), |(low, high), &light| (low.min(light), high.max(light)));

    // In this order the intermediate picture is never larger than the larger of both.
    let sums = match to_width * height <= width * to_height {
        true => {
            let narrow = across(source.as_raw(), width, &columns, channels);
            drop(source);
            down(&narrow, to_width * channels, &rows)
        }
        false => {
            let low = down(source.as_raw(), width * channels, &rows);
            drop(source);
            across(&low, width, &columns, channels)
        }
    };
    let mut out = Light::<P>::from_raw(target.width, target.height, sums)
        .unwrap_or_else(|| Light::new(target.width, target.height));
    for pixel in out.pixels_mut() {
        pixel
            .channels_mut()
            .iter_mut()
            .take(colors)
            .for_each(|light| *light = light.clamp(darkest, brightest));
        if is_weighed {
            unweigh(pixel.channels_mut());
        }
    }
    out
}

/// Resizes every row of `width` pixels to as many pixels as there are taps.
fn across(source: &[f32], width: usize, columns: &[Taps], channels: usize) -> Vec<f32> {
    let rows = source.chunks_exact(width * channels);
    let mut out = vec![0.0; rows.len() * columns.len() * channels];
    for (row, out) in rows.zip(out.chunks_exact_mut(columns.len() * channels)) {
        for (taps, pixel) in columns.iter().zip(out.chunks_exact_mut(channels)) {
            let from = row[taps.first * channels..].chunks_exact(channels);
            for (weight, light) in taps.weights.iter().zip(from) {
                pixel.iter_mut().zip(light).for_each(|(sum, light)| *sum += weight * light);
            }
        }
    }
    out
}

/// Resizes the columns to as many rows as there are taps; a row has `row_size` numbers.
fn down(source: &[f32], row_size: usize, rows: &[Taps]) -> Vec<f32> {
    let mut out = vec![0.0; row_size * rows.len()];
    for (taps, sums) in rows.iter().zip(out.chunks_exact_mut(row_size)) {
        for (weight, row) in taps.weights.iter().zip(source[taps.first * row_size..].chunks_exact(row_size)) {
            sums.iter_mut().zip(row).for_each(|(sum, light)| *sum += weight * light);
        }
    }
    out
}

/// The source pixels of one output pixel: the first index, and weights that sum to 1.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

fn taps(size: usize, (start, length): (f64, f64), to_size: usize) -> Vec<Taps> {
    let step = length / to_size as f64;
    // When scaling down, the filter is stretched over all source pixels of an output pixel.
    let stretch = step.max(1.0);
    let reach = LOBES * stretch;
    (0..to_size)
        .map(|place| {
            let center = start + (place as f64 + 0.5) * step;
            let first = ((center - reach) as usize).min(size - 1);
            let last = ((center + reach) as usize + 1).clamp(first + 1, size);
            let weights: Vec<f64> =
                (first..last).map(|at| lanczos((at as f64 + 0.5 - center) / stretch)).collect();
            let sum: f64 = weights.iter().sum();
            Taps { first, weights: weights.iter().map(|weight| (weight / sum) as f32).collect() }
        })
        .collect()
}

/// The bytes of the taps of one direction, at most.
pub(crate) fn tap_bytes(from: u32, to: u32) -> u64 {
    let step = (f64::from(from) / f64::from(to.max(1))).max(1.0);
    let window = ((2.0 * LOBES * step) as u64 + 2).min(from.into());
    // Those of a window are made in twice the precision.
    u64::from(to) * (4 * window + size_of::<Taps>() as u64) + 8 * window
}

/// Multiplies color by the alpha in the last channel.
fn weigh(channels: &mut [f32]) {
    if let Some((alpha, colors)) = channels.split_last_mut() {
        colors.iter_mut().for_each(|color| *color *= *alpha);
    }
}

/// Divides color by the alpha in the last channel.
fn unweigh(channels: &mut [f32]) {
    if let Some((alpha, colors)) = channels.split_last_mut() {
        *alpha = alpha.clamp(0.0, 1.0);
        if *alpha > 0.0 {
            colors.iter_mut().for_each(|color| *color /= *alpha);
        }
    }
}
