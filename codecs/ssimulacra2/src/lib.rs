//! How much a coded picture differs from the one that was coded, to the eye: SSIMULACRA2.
//!
//! A port of the crate `ssimulacra2` 0.5.1 (BSD-2-Clause, © 2022 the rav1e contributors) that gives the same scores: the
//! crate keeps some forty planes of floats, 150 bytes a pixel; here both pictures are read row by row, and at every
//! scale only the rows are kept that the blur reaches over. The picture that many are
//! compared with can be made ready once, which takes 48 bytes a pixel.
//!
//! Pixels are taken as sRGB at 8 bits. Transparent ones are judged over black and over white, and the lower score counts: what
//! hides before one background shows before the other.
//!
//! The same numbers come out on every machine: operations are those of IEEE 754 in a fixed order.

mod blur;
mod known;
mod lanes;
mod levels;
mod light;
mod scale;
mod side;
mod weights;
mod xyb;

use known::{Known, Preparation};
use lanes::Lanes;
use levels::{Level, levels, push};
use light::{Light, Picture};
use scale::Scale;

/// Bytes a pixel that a picture takes which is ready, for each background.
pub const READY_BYTES_PER_PIXEL: u64 = known::BYTES * 4 / 3;

/// The picture that others are compared with.
pub struct Reference {
    size: (usize, usize),
    light: Light,
    kept: Kept,
}

/// What is kept of it.
enum Kept {
    Pixels {
        rgba: Vec<u8>,
        backgrounds: &'static [u8],
    },
    /// All scales before each of the backgrounds.
    Ready(Vec<(u8, Vec<Known>)>),
}

impl Reference {
    /// Takes red, green, blue and alpha of each pixel, row by row; with `has_alpha`, some may be transparent. With
    /// `ready`, it is made ready for many comparisons, which takes [`READY_BYTES_PER_PIXEL`], twice that with alpha.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>, has_alpha: bool, ready: bool) -> Self {
        let size = (width as usize, height as usize);
        let light = Light::new();
        let backgrounds: &[u8] = if has_alpha { &[0, u8::MAX] } else { &[0] };
        let kept = match ready {
            false => Kept::Pixels { rgba, backgrounds },
            true => Kept::Ready(
                backgrounds
                    .iter()
                    .map(|&over| (over, prepare(&light, Picture::new(size, &rgba), over)))
                    .collect(),
            ),
        };
        Self { size, light, kept }
    }

    /// The score of a coded picture of the same size: 100 is identical, 90 hardly to be told apart, 50 of medium quality.
    pub fn score(&self, rgba: &[u8]) -> f64 {
        let coded = Picture::new(self.size, rgba);
        let scores: Vec<f64> = match &self.kept {
            Kept::Pixels { rgba, backgrounds } => {
                let reference = Picture::new(self.size, rgba);
                backgrounds.iter().map(|&over| self.beside(coded, reference, over)).collect()
            }
            Kept::Ready(ready) => {
                ready.iter().map(|(over, known)| self.beside_known(coded, known, *over)).collect()
            }
        };
        scores.into_iter().fold(f64::MAX, f64::min)
    }

    fn beside(&self, coded: Picture, reference: Picture, over: u8) -> f64 {
        let mut levels = levels(coded.compared(), |_, width, height| Scale::new(width, height, None));
        for y in 0..coded.compared().1 {
            push(&mut levels, [coded, reference].map(|picture| picture.row(&self.light, y, over)));
        }
        finish(levels.into_iter().map(|step| step.level))
    }

    fn beside_known(&self, coded: Picture, known: &[Known], over: u8) -> f64 {
        let level = |number: usize, width, height| Scale::new(width, height, known.get(number));
        let mut levels = levels(coded.compared(), level);
        for y in 0..coded.compared().1 {
            push(&mut levels, [coded.row(&self.light, y, over)]);
        }
        finish(levels.into_iter().map(|step| step.level))
    }
}

fn finish<'a>(scales: impl Iterator<Item = Scale<'a>>) -> f64 {
    let differences: Vec<_> = scales.map(Scale::finish).collect();
    weights::score(&differences)
}

fn prepare(light: &Light, picture: Picture, over: u8) -> Vec<Known> {
    let mut levels = levels(picture.compared(), |_, width, height| Preparation::new(width, height));
    for y in 0..picture.compared().1 {
        push(&mut levels, [picture.row(light, y, over)]);
    }
    levels.into_iter().map(|step| step.level.finish()).collect()
}

impl Level<2> for Scale<'_> {
    fn push(&mut self, [coded, reference]: &[Vec<Lanes>; 2]) {
        Scale::push(self, coded, reference);
    }
}

impl Level<1> for Scale<'_> {
    fn push(&mut self, [coded]: &[Vec<Lanes>; 1]) {
        Scale::push(self, coded, &[]);
    }
}

impl Level<1> for Preparation {
    fn push(&mut self, [row]: &[Vec<Lanes>; 1]) {
        Preparation::push(self, row);
    }
}
