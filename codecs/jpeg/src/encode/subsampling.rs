//! Pictures whose chroma has fewer samples than luma: chroma is subsampled, and luma makes up for what that changes.
//!
//! A pixel gets the chroma that the decoder interpolates for it instead of its own. With the same luma it would emit another amount of
//! light, because samples are no linear measure of it: most of all beside borders between saturated colors. Luma is changed so that the
//! light stays about the same (known as luma adjustment).

use super::downsample::{Downsampler, MARGIN, Pixels, ROWS, shifted};
use super::plane::Plane;
use super::try_alloc::filled;
use super::tuning::Tuning;
use crate::Error;
use crate::lanes::Floats;

/// How much red and blue exceed luma, for each step of Cr and of Cb, and how much of red and of blue is missing in green then
/// (ITU-T T.871, clause 7).
const RED: f32 = 1.402;
const BLUE: f32 = 1.772;
const GREEN: [f32; 2] = [0.299 / 0.587, 0.114 / 0.587];
/// What red, green and blue add to the lightness that is seen, about as in the color space XYB.
const LIGHT: [f32; 3] = [0.3, 0.64, 0.06];
/// Darker samples change light as those do that have half of this, as a display is never black.
const BLACK: f32 = 10.0;
/// Samples that are adjusted together.
const LANES: usize = Floats::COUNT;
/// The sum of squared differences between their chroma and what is shown of it that makes no difference.
const SAME: f32 = 2.0;

/// Subsamples rows of MCUs.
pub(crate) struct Subsampler {
    /// Pixels for each sample of chroma, across and down.
    sampling: (usize, usize),
    downsampler: Downsampler,
    chroma_weight: f32,
    luma_adjustment: f32,
    /// Samples of luma in a row.
    stride: usize,
    luma: Vec<f32>,
    chroma: [Vec<f32>; 2],
    /// A row of chroma between those of samples, and what the decoder shows of Cb and Cr in a row of pixels.
    between: Vec<f32>,
    shown: [Vec<f32>; 2],
}

impl Subsampler {
    /// For rows of `stride` pixels.
    pub(crate) fn new(stride: usize, sampling: (usize, usize), tuning: &Tuning) -> Result<Self, Error> {
        let samples = stride / sampling.0;
        let chroma = || filled(0.0, ROWS * samples);
        Ok(Self {
            sampling,
            downsampler: Downsampler::new(samples, sampling, tuning.sharpening)?,
            chroma_weight: tuning.chroma_weight,
            luma_adjustment: tuning.luma_adjustment,
            stride,
            luma: filled(0.0, 8 * sampling.1 * stride)?,
            chroma: [chroma()?, chroma()?],
            between: filled(0.0, samples + 2)?,
            shown: [filled(0.0, stride)?, filled(0.0, stride)?],
        })
    }

    /// The samples of the MCUs that begin at row `first` of these planes of pixels, which have `kept` rows.
    pub(crate) fn run(&mut self, planes: [&Plane; 3], first: usize, kept: usize) -> [&[f32]; 3] {
        let [luma, cb, cr] = planes;
        for ((chroma, primary), to) in [(cb, BLUE), (cr, RED)].into_iter().zip(&mut self.chroma) {
            let pixels = Pixels { luma, chroma, primary, base: 128.0 + self.chroma_weight };
            self.downsampler.subsample(&pixels, first, kept, to);
        }
        for row in 0..8 * self.sampling.1 {
            self.show(row);
            let pixels = planes.map(|plane| plane.row(first + row));
            let to = &mut self.luma[row * self.stride..][..self.stride];
            adjust(pixels, [&self.shown[0], &self.shown[1]], self.luma_adjustment, to);
        }
        let samples = self.stride / self.sampling.0;
        let [cb, cr] = self.chroma.each_ref().map(|chroma| &chroma[MARGIN * samples..][..8 * samples]);
        [&self.luma, cb, cr]
    }

    /// Finds what the decoder shows of chroma in a row of pixels: it interpolates between the nearest samples.
    fn show(&mut self, row: usize) {
        let samples = self.stride / self.sampling.0;
        let near = MARGIN + row / self.sampling.1;
        let far = match (self.sampling.1, row % 2) {
            (1, _) => near,
            (_, 0) => near - 1,
            _ => near + 1,
        };
        for (chroma, shown) in self.chroma.iter().zip(&mut self.shown) {
            let rows = [near, far].map(|row| &chroma[row * samples..][..samples]);
            interpolate(rows, &mut self.between, shown);
        }
    }
}

/// Interpolates between the nearest row and the other one, and between the samples of that.
#[inline(never)]
fn interpolate([near, far]: [&[f32]; 2], between: &mut [f32], to: &mut [f32]) {
    let (near_weight, far_weight) = (Floats::splat(0.75), Floats::splat(0.25));
    let rows = near.as_chunks().0.iter().zip(far.as_chunks().0);
    for (to, (near, far)) in between[1..].as_chunks_mut().0.iter_mut().zip(rows) {
        *to = (Floats::of(near) * near_weight + Floats::of(far) * far_weight).values();
    }
    between[0] = between[1];
    between[near.len() + 1] = between[near.len()];
    let windows = between.windows(LANES + 2).step_by(LANES);
    for (to, around) in to.as_chunks_mut::<{ 2 * LANES }>().0.iter_mut().zip(windows) {
        let [left, at, right] = shifted(around);
        let at = at * near_weight;
        let [first, second] = (at + left * far_weight).interleave(at + right * far_weight);
        to[..LANES].copy_from_slice(&first.values());
        to[LANES..].copy_from_slice(&second.values());
    }
}

/// Luma with which pixels emit their light when they get the chroma that is shown.
fn adjust([luma, cb, cr]: [&[f32]; 3], shown: [&[f32]; 2], share: f32, to: &mut [f32]) {
    let [luma, cb, cr, shown_cb, shown_cr] =
        [luma, cb, cr, shown[0], shown[1]].map(|row| row.as_chunks().0.iter().map(Floats::of));
    let to = to.as_chunks_mut().0.iter_mut();
    for (((((to, luma), cb), cr), shown_cb), shown_cr) in
        to.zip(luma).zip(cb).zip(cr).zip(shown_cb).zip(shown_cr)
    {
        let (off_cb, off_cr) = (cb - shown_cb, cr - shown_cr);
        let [a, b, c, d] = (off_cb * off_cb + off_cr * off_cr).values();
        *to = match (a + b) + (c + d) < SAME {
            true => luma.values(),
            false => {
                let lacking = lacking(colors(luma, cb, cr), colors(luma, shown_cb, shown_cr));
                (luma + Floats::splat(share) * lacking).clamp(-128.0, 127.0).values()
            }
        };
    }
}

/// By how much pixels are too dark, in samples.
#[inline(always)]
fn lacking(own: [Floats; 3], shown: [Floats; 3]) -> Floats {
    let (mut light, mut slopes) = (Floats::splat(0.0), Floats::splat(0.0));
    for color in 0..3 {
        // Light is about the square of a sample, so that two samples differ in it by their difference times their sum.
        let (own, shown) = (own[color], shown[color].clamp(0.0, 255.0));
        let slope = (own + shown + Floats::splat(BLACK)) * Floats::splat(LIGHT[color]);
        light = light + (own - shown) * slope;
        slopes = slopes + slope;
    }
    light / slopes
}

/// Red, green and blue of pixels, 0 to 255 where there is such a color.
#[inline(always)]
fn colors(luma: Floats, cb: Floats, cr: Floats) -> [Floats; 3] {
    let (red, blue) = (cr * Floats::splat(RED), cb * Floats::splat(BLUE));
    let luma = luma + Floats::splat(128.0);
    let green = luma - red * Floats::splat(GREEN[0]) - blue * Floats::splat(GREEN[1]);
    [luma + red, green, luma + blue]
}
