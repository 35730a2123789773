//! Light to fewer or more pixels: Lanczos3 in floating point, since 16 bits would cut off what is brighter than white.
//!
//! Every sum is taken in one order, and the sine is `libm`'s, so that the result is the same on every machine. What the
//! filter's negative lobes add beyond the darkest and the brightest light of the picture is cut off: a picture without
//! highlights gets none.

use image::{ImageBuffer, Pixel};

use crate::image::resize::Target;

type Light<P> = ImageBuffer<P, Vec<f32>>;

/// The reach of the filter, in pixels of the smaller of both pictures.
const LOBES: f64 = 3.0;

/// Resizes, color weighted by alpha.
pub(crate) fn apply<P: Pixel<Subpixel = f32>>(mut source: Light<P>, target: Target) -> Light<P> {
    if P::HAS_ALPHA {
        source.pixels_mut().for_each(|pixel| weigh(pixel.channels_mut()));
    }
    let (width, height) = (source.width() as usize, source.height() as usize);
    let (to_width, to_height) = (target.width as usize, target.height as usize);
    let columns = taps(width, (target.part.left, target.part.width), to_width);
    let rows = taps(height, (target.part.top, target.part.height), to_height);
    let channels = usize::from(P::CHANNEL_COUNT);
    let (darkest, brightest) =
        source.iter().fold((f32::MAX, f32::MIN), |(low, high), &light| (low.min(light), high.max(light)));

    // What lies between the two steps is then never more than the larger of both pictures.
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
        pixel.channels_mut().iter_mut().for_each(|light| *light = light.clamp(darkest, brightest));
        if P::HAS_ALPHA {
            unweigh(pixel.channels_mut());
        }
    }
    out
}

/// Every row of `width` pixels with as many pixels as there are taps.
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

/// As many rows as there are taps, of `row_size` numbers each.
fn down(source: &[f32], row_size: usize, rows: &[Taps]) -> Vec<f32> {
    let mut out = vec![0.0; row_size * rows.len()];
    for (taps, sums) in rows.iter().zip(out.chunks_exact_mut(row_size)) {
        for (weight, row) in taps.weights.iter().zip(source[taps.first * row_size..].chunks_exact(row_size)) {
            sums.iter_mut().zip(row).for_each(|(sum, light)| *sum += weight * light);
        }
    }
    out
}

/// The pixels that one new pixel is made of: from the first on, with weights that add up to 1.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

fn taps(size: usize, (start, length): (f64, f64), to_size: usize) -> Vec<Taps> {
    let step = length / to_size as f64;
    // Where pixels become fewer, the filter is stretched over all that become one.
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

/// The filter of Lanczos with three lobes.
fn lanczos(x: f64) -> f64 {
    let sinc = |x: f64| {
        let angle = x * std::f64::consts::PI;
        if angle == 0.0 { 1.0 } else { libm::sin(angle) / angle }
    };
    if x.abs() < LOBES { sinc(x) * sinc(x / LOBES) } else { 0.0 }
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
