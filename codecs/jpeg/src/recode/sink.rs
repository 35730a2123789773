//! Takes the blocks of a file, and builds the picture of them.

use super::chroma::Chroma;
use crate::coefficients::{Block, QuantTable};
use crate::decode::{BlockDecoder, BlockSink};
use crate::encode::{COSINES, PictureBuilder, Prepared, ROUNDING, SCALE, Sampling};
use crate::error::Error;
use crate::lanes::beyond;
use crate::zigzag::ZIGZAG;

/// A component of the file.
pub(super) struct Source {
    pub(super) quant: QuantTable,
    /// Pixels for each sample of chroma across and down, and by how much it is reduced.
    pub(super) own: (usize, usize),
    pub(super) reductions: (usize, usize),
}

pub(super) struct Sink {
    picture: PictureBuilder,
    routes: Vec<Route>,
}

/// How the blocks of a component become those of the picture.
enum Route {
    /// As they are: the steps between raw coefficients.
    Coefficients(Box<[f32; 64]>),
    Samples(Box<Chroma>),
}

impl Sink {
    /// `size` is that of the picture, across and down.
    pub(super) fn new(
        picture: PictureBuilder,
        size: (u16, u16),
        sampling: Sampling,
        sources: &[Source],
    ) -> Result<Self, Error> {
        let mut routes = Vec::new();
        for (number, Source { quant, own, reductions }) in sources.iter().enumerate() {
            let steps = |factors: [f32; 64]| std::array::from_fn(|k| f32::from(quant[k]) * factors[k]);
            routes.push(match (number, *reductions) {
                (0, _) => Route::Coefficients(Box::new(steps([SCALE as f32; 64]))),
                (_, (1, 1)) => {
                    let factors = sharpened(*own).map(|factor| factor * SCALE as f32);
                    Route::Coefficients(Box::new(steps(factors)))
                }
                (_, reductions) => {
                    let (stride, steps) = (picture.stride(number), steps(blurred(*own)));
                    Route::Samples(Box::new(Chroma::new(steps, size, stride, sampling, reductions)?))
                }
            });
        }
        Ok(Self { picture, routes })
    }

    /// Takes a block in zigzag order.
    #[inline]
    pub(super) fn take(&mut self, number: usize, at: (usize, usize), block: &Block) {
        match self.routes.get_mut(number) {
            Some(Route::Samples(chroma)) => chroma.take(at.0, at.1, block),
            // Blocks beyond the picture are not in all scans.
            Some(Route::Coefficients(steps))
                if beyond(block, &[0; 64]) == 0 || !self.picture.shows(number, at) =>
            {
                self.picture.push_flat(number, at, plain(raw(block[0], steps[0])));
            }
            Some(Route::Coefficients(steps)) => {
                let raw = std::array::from_fn(|k| raw(block[k], steps[k]));
                self.picture.push_block(number, at, &raw);
            }
            None => {}
        }
    }

    /// No block is to come of this row.
    pub(super) fn close_row(&mut self, number: usize, row: usize) -> Result<(), Error> {
        match self.routes.get_mut(number) {
            Some(Route::Samples(chroma)) => {
                chroma.close_row(row, |samples| self.picture.push_samples(number, samples))
            }
            _ => self.picture.close_row(number, row),
        }
    }

    pub(super) fn finish(self) -> Result<Prepared, Error> {
        self.picture.finish()
    }
}

impl BlockSink for Sink {
    #[inline]
    fn block(&mut self, component: usize, column: usize, row: usize, decoder: BlockDecoder<'_, '_>) {
        let mut block = [0; 64];
        decoder.decode(&mut block);
        self.take(component, (row, column), &block);
    }
}

/// A raw coefficient, as far as it can be stored.
#[inline(always)]
fn raw(coefficient: i16, step: f32) -> i16 {
    let most = f32::from(i16::MAX);
    // The sum has the whole number in its lowest bits.
    ((f32::from(coefficient) * step).clamp(-most, most) + ROUNDING).to_bits() as i16
}

/// The DC of a block without AC coefficients: as a decoder shows it, in whole samples.
#[inline(always)]
fn plain(dc: i16) -> i16 {
    const SAMPLE: i32 = 8 * SCALE;
    let rounded = (i32::from(dc) + SAMPLE / 2).div_euclid(SAMPLE) * SAMPLE;
    rounded.clamp(-128 * SAMPLE, 127 * SAMPLE) as i16
}

/// By how much the decoder's upsampling weakens the coefficients of chroma, in the means of the pixels of each sample: the cosine of
/// a frequency where weights are 3/4, and 1/8 for each neighbor. `own` are the pixels of a sample across and down.
fn blurred(own: (usize, usize)) -> [f32; 64] {
    let kept = |pixels: usize, frequency: u8| match pixels {
        1 => 1.0,
        _ => 0.75 + 0.25 * cosine(frequency),
    };
    ZIGZAG.map(|natural| kept(own.0, natural % 8) * kept(own.1, natural / 8))
}

/// What is left of them when chroma is sharpened once, as the encoder does: what it takes from pixels loses as much, and fewer bits
/// for it are a gain.
fn sharpened(own: (usize, usize)) -> [f32; 64] {
    blurred(own).map(|kept| kept * (2.0 - kept))
}

/// cos(k π / 8) of the frequencies of a block.
fn cosine(frequency: u8) -> f32 {
    match usize::from(frequency) * 2 {
        sixteenths @ 0..=7 => 2.0 * COSINES[sixteenths],
        8 => 0.0,
        sixteenths => -2.0 * COSINES[(16 - sixteenths) % 8],
    }
}
