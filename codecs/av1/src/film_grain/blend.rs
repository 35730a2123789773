//! Noise added to rows of samples (section 7.18.3.5).

use super::FilmGrain;
use super::scaling::Scaling;

/// What samples with grain are limited to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    least: i32,
    most_luma: i32,
    most_chroma: i32,
}

impl Range {
    pub(super) fn new(grain: &FilmGrain, bit_depth: u8) -> Self {
        let scale = bit_depth - 8;
        if !grain.clip {
            let most = (256 << scale) - 1;
            return Self { least: 0, most_luma: most, most_chroma: most };
        }
        let most_chroma = if grain.identity_matrix { 235 } else { 240 };
        Self { least: 16 << scale, most_luma: 235 << scale, most_chroma: most_chroma << scale }
    }
}

/// Adds noise to a row of luma.
pub(super) fn luma_row(samples: &mut [u16], noise: &[i16], scaling: &Scaling, range: &Range) {
    for (sample, &noise) in samples.iter_mut().zip(noise) {
        let value = i32::from(*sample) + scaling.of_sample(*sample, noise);
        *sample = value.clamp(range.least, range.most_luma) as u16;
    }
}

/// Adds noise to a row of chroma, beside the row of luma without noise.
pub(super) fn chroma_row(
    samples: &mut [u16],
    luma: &[u16],
    noise: &[i16],
    ss_x: usize,
    scaling: &Scaling,
    range: &Range,
) {
    let last = luma.len().saturating_sub(1);
    for (x, (sample, &noise)) in samples.iter_mut().zip(noise).enumerate() {
        let at = (x << ss_x).min(last);
        let mean = if ss_x == 1 { (luma[at] + luma[(at + 1).min(last)] + 1) >> 1 } else { luma[at] };
        let value = i32::from(*sample) + scaling.of_chroma_sample(mean, *sample, noise);
        *sample = value.clamp(range.least, range.most_chroma) as u16;
    }
}
