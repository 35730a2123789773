//! How much a coded picture differs from the one that was coded, to the eye: SSIMULACRA2.
//!
//! A port of the crate `ssimulacra2` 0.5.1 (BSD-2-Clause, © 2022 the rav1e contributors) that gives the same scores: the
//! crate keeps some forty planes of floats, 150 bytes a pixel; here both pictures are read row by row, and at every
//! scale only the rows are kept that the blur reaches over.
//!
//! Pixels are taken as sRGB at 8 bits; a colour profile is not applied, since both pictures share it. Transparent ones are
//! judged over black and over white, and the lower score counts: what hides before one background shows before the other.

mod blur;
mod scale;
mod weights;
mod xyb;

use image::{DynamicImage, RgbaImage};

use super::{flatten, pixels};
use scale::Scale;
use xyb::Light;

/// Scales that are compared, each half of the one before.
const SCALES: usize = 6;
/// The least width and height that is compared, or made smaller; smaller pictures are continued by their last pixels.
const LEAST_SIDE: u32 = 8;

/// The picture that others are compared with.
pub(super) struct Judge {
    reference: RgbaImage,
    /// What lies behind transparent pixels, as sRGB.
    backgrounds: &'static [u8],
    /// The light of each 8-bit sample.
    light: [f32; 256],
}

impl Judge {
    /// Takes the picture that is coded.
    pub(super) fn new(picture: &DynamicImage) -> Self {
        let backgrounds: &[u8] = if picture.color().has_alpha() { &[0, u8::MAX] } else { &[0] };
        let mut light = [0.0; 256];
        for (sample, light) in light.iter_mut().enumerate() {
            *light = to_light(sample as f32 / 255.0);
        }
        Self { reference: pixels::rgba8(picture.clone()), backgrounds, light }
    }

    /// The score of a coded picture of the same size: 100 is identical, 90 hardly to be told apart, 50 of medium quality.
    pub(super) fn score(&self, coded: DynamicImage) -> f64 {
        let coded = pixels::rgba8(coded);
        let scores = self.backgrounds.iter().map(|background| self.score_before(*background, &coded));
        scores.fold(f64::MAX, f64::min)
    }

    fn score_before(&self, background: u8, coded: &RgbaImage) -> f64 {
        let [width, height] = [coded.width(), coded.height()].map(|side| side.max(LEAST_SIDE));
        let mut levels = levels(width as usize, height as usize);
        for y in 0..height {
            let rows = [&self.reference, coded].map(|picture| self.row(picture, y, width, background));
            push(&mut levels, rows);
        }
        let scales: Vec<_> = levels.into_iter().map(|level| level.scale.finish()).collect();
        weights::score(&scales)
    }

    /// The light of a row before a background.
    fn row(&self, picture: &RgbaImage, y: u32, width: u32, background: u8) -> Vec<Light> {
        let y = y.min(picture.height() - 1);
        let pixels = (0..width).map(|x| picture.get_pixel(x.min(picture.width() - 1), y).0);
        pixels
            .map(|[r, g, b, alpha]| {
                [r, g, b].map(|sample| self.light[usize::from(flatten::over(sample, background, alpha))])
            })
            .collect()
    }
}

/// A scale, and the way down to the next.
struct Level {
    scale: Scale,
    /// Rows that are still to come.
    left: usize,
    /// An even row, whose odd one has not come yet.
    waiting: Option<[Vec<Light>; 2]>,
}

/// The levels of a picture: each half as large as the one before, rounded up, as long as that was large enough.
fn levels(mut width: usize, mut height: usize) -> Vec<Level> {
    let mut levels = Vec::with_capacity(SCALES);
    while levels.len() < SCALES {
        levels.push(Level { scale: Scale::new(width, height), left: height, waiting: None });
        if width.min(height) < LEAST_SIDE as usize {
            break;
        }
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
    }
    levels
}

/// Hands a row of both pictures to the first level, and every second to the next.
fn push(levels: &mut [Level], rows: [Vec<Light>; 2]) {
    let Some((level, smaller)) = levels.split_first_mut() else { return };
    level.scale.push(&rows[0], &rows[1]);
    level.left = level.left.saturating_sub(1);
    let halves = match level.waiting.take() {
        Some(above) => [halved(&above[0], &rows[0]), halved(&above[1], &rows[1])],
        // The last row of an odd number counts twice.
        None if level.left == 0 => rows.map(|row| halved(&row, &row)),
        None => {
            level.waiting = Some(rows);
            return;
        }
    };
    push(smaller, halves);
}

/// The means of four pixels each; the last column of an odd number counts twice.
fn halved(above: &[Light], below: &[Light]) -> Vec<Light> {
    let halves = above.chunks(2).zip(below.chunks(2));
    let mean = |(above, below): (&[Light], &[Light])| {
        let of = |row: &[Light], channel: usize| (row[0][channel], row[row.len() - 1][channel]);
        [0, 1, 2].map(|channel| {
            let ((a, b), (c, d)) = (of(above, channel), of(below, channel));
            (a + b + c + d) * 0.25
        })
    };
    halves.map(mean).collect()
}

/// IEC 61966-2-1.
fn to_light(sample: f32) -> f32 {
    if sample <= 0.040_45 { sample / 12.92 } else { libm::powf((sample + 0.055) / 1.055, 2.4) }
}
