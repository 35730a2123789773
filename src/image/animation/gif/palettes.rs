//! The colours of frames: one palette for as many of them as it can serve, and own ones where they need others.

use image::RgbaImage;

use super::super::super::palette::{self, ranked};
use super::super::paint::Paint;
use super::super::region::Colour;
use super::plan::{Step, is_kept};
use crate::error::Result;

/// Pixels that a palette is chosen by where there are too many colours; every second is dropped when there are more.
const SAMPLES: usize = 1 << 18;

/// A mean square error of three channels that can hardly be seen: a frame that is served so well needs no palette of
/// its own.
const UNSEEN: u64 = 3 * 4 * 4;

/// What a frame needs of a palette.
pub(super) enum Need {
    /// These colours, and with `clear` an index without colour.
    Colours { colours: Vec<Colour>, clear: bool },
    /// More colours than a palette may hold.
    More,
}

impl Need {
    /// At most `limit` indices.
    pub(super) fn of(step: &Step<'_>, limit: usize) -> Self {
        let (mut painted, mut all) = (Paint::new(limit), Paint::new(limit));
        let (mut clear, mut kept) = (false, false);
        for (before, after) in step.region.pixels(step.before).zip(step.region.pixels(step.after)) {
            match after[3] {
                0 => clear = true,
                _ => {
                    all.add(after);
                    match is_kept(before, after) {
                        true => kept = true,
                        false => painted.add(after),
                    }
                }
            }
        }
        let room = |paint: &Paint, clear: bool| {
            !paint.is_over() && paint.colours.len() + usize::from(clear) <= limit
        };
        if room(&painted, clear || kept) {
            return Self::Colours { colours: painted.colours, clear: clear || kept };
        }
        match room(&all, clear) {
            true => Self::Colours { colours: all.colours, clear },
            false => Self::More,
        }
    }
}

/// Collects what all frames need, for one palette.
pub(super) struct Shared {
    limit: usize,
    /// The colours of the frames that all fit together, first come, first served.
    exact: Vec<Colour>,
    samples: Vec<Colour>,
    /// Every so many pixels one is a sample.
    stride: usize,
    seen: usize,
    /// Frames in all, and those that need too many colours.
    pub(super) frames: usize,
    pub(super) rich: usize,
}

impl Shared {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, exact: Vec::new(), samples: Vec::new(), stride: 1, seen: 0, frames: 0, rich: 0 }
    }

    pub(super) fn add(&mut self, step: &Step<'_>) {
        self.frames += 1;
        match Need::of(step, self.limit) {
            Need::Colours { colours, .. } => {
                let mut union = Paint::of(&self.exact);
                colours.iter().for_each(|colour| union.add(*colour));
                if !union.is_over() && union.colours.len() <= self.limit {
                    self.exact = union.colours;
                }
            }
            Need::More => {
                self.rich += 1;
                painted(step).for_each(|colour| self.sample(colour));
            }
        }
    }

    fn sample(&mut self, colour: Colour) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            return;
        }
        self.samples.push(colour);
        if self.samples.len() == SAMPLES {
            let mut odd = false;
            self.samples.retain(|_| {
                odd = !odd;
                odd
            });
            self.stride *= 2;
        }
    }

    /// The palette: chosen by the frames that need too many colours where there are such, else exact.
    pub(super) fn palette(&self) -> Result<Vec<Colour>> {
        match self.samples.is_empty() {
            true => Ok(self.exact.clone()),
            false => choose(&self.samples, self.limit),
        }
    }
}

/// The colours that a step puts on the canvas.
pub(super) fn painted(step: &Step<'_>) -> impl Iterator<Item = Colour> {
    let pixels = step.region.pixels(step.before).zip(step.region.pixels(step.after));
    pixels.filter(|(before, after)| before != after).map(|(_, after)| after)
}

/// Chooses colours for opaque pixels, leaving one of `limit` for what is clear.
pub(super) fn choose(pixels: &[Colour], limit: usize) -> Result<Vec<Colour>> {
    let (width, height) = (pixels.len() as u32, 1);
    let image = RgbaImage::from_raw(width, height, pixels.as_flattened().to_vec()).unwrap_or_default();
    let chosen = palette::choose(&image, limit - 1);
    Ok(chosen.into_iter().map(|[r, g, b, _]| [r, g, b, u8::MAX]).collect())
}

/// Finds the colours of a palette that come nearest, and mixes two of them by position where one is not near enough:
/// the same pixel gets the same colour in every frame, so that nothing flickers.
pub(super) struct Mixer {
    /// By their green, with their indices.
    colours: Vec<(Colour, u8)>,
    /// The last answers, by a part of the colour.
    known: Vec<Option<(Colour, Mix)>>,
}

/// Two indices, and how many of 64 pixels get the second.
#[derive(Clone, Copy)]
struct Mix {
    one: u8,
    other: u8,
    share: u8,
    error: u32,
}

const KNOWN: usize = 1 << 12;

impl Mixer {
    pub(super) fn new(palette: &[Colour]) -> Self {
        let order = ranked(palette.iter().map(|colour| u32::from(colour[1])));
        let colours = order.into_iter().map(|index| (palette[usize::from(index)], index)).collect();
        Self { colours, known: vec![None; KNOWN] }
    }

    /// The index for a pixel at a place.
    pub(super) fn index(&mut self, colour: Colour, x: u32, y: u32) -> u8 {
        let mix = self.mix(colour);
        if threshold(x, y) < mix.share { mix.other } else { mix.one }
    }

    /// Whether colours are met so well by this palette that no other is needed.
    pub(super) fn serves(&mut self, colours: impl Iterator<Item = Colour>) -> bool {
        let (mut sum, mut count) = (0, 0);
        for colour in colours {
            sum += u64::from(self.mix(colour).error);
            count += 1;
        }
        sum <= count * UNSEEN
    }

    fn mix(&mut self, colour: Colour) -> Mix {
        let [r, g, b, _] = colour.map(u32::from);
        let place = ((r << 16 | g << 8 | b).wrapping_mul(0x9E37_79B1) >> 20) as usize % KNOWN;
        match self.known[place] {
            Some((known, mix)) if known == colour => mix,
            _ => {
                let mix = self.find(colour);
                self.known[place] = Some((colour, mix));
                mix
            }
        }
    }

    fn find(&self, colour: Colour) -> Mix {
        let wanted = colour.map(i32::from);
        let (one, index, error) = self.nearest(wanted);
        // The colour on the other side, as far away.
        let mut mirrored = wanted;
        for (mirrored, one) in mirrored.iter_mut().zip(one) {
            *mirrored = (2 * *mirrored - one).clamp(0, 255);
        }
        let (other, second, _) = self.nearest(mirrored);
        let (mut along, mut length) = (0, 0);
        for channel in 0..3 {
            let way = other[channel] - one[channel];
            along += way * (wanted[channel] - one[channel]);
            length += way * way;
        }
        let share = if length == 0 { 0 } else { (along * 64 / length).clamp(0, 32) };
        Mix { one: index, other: second, share: share as u8, error }
    }

    /// The nearest colour, its index, and the square of how far off it is.
    fn nearest(&self, wanted: [i32; 4]) -> ([i32; 4], u8, u32) {
        let mut best = ([0; 4], 0, i32::MAX);
        let start = self.colours.partition_point(|(colour, _)| i32::from(colour[1]) < wanted[1]);
        let (below, above) = self.colours.split_at(start);
        let mut judge = |(colour, index): &(Colour, u8)| {
            let colour = colour.map(i32::from);
            let [r, g, b] = [0, 1, 2].map(|channel: usize| colour[channel] - wanted[channel]);
            let error = r * r + g * g + b * b;
            if error < best.2 {
                best = (colour, *index, error);
            }
            // Those farther on in this direction differ at least so much in green.
            g * g < best.2
        };
        let _ = above.iter().all(&mut judge);
        let _ = below.iter().rev().all(&mut judge);
        (best.0, best.1, best.2 as u32)
    }
}

/// A number below 64 that differs from those of the neighbours: Bayer's matrix of 8 × 8.
fn threshold(x: u32, y: u32) -> u8 {
    let across = x ^ y;
    (0..3).fold(0, |sum, bit| {
        let pair = (across >> bit & 1) << 1 | (y >> bit & 1);
        sum << 2 | pair as u8
    })
}
