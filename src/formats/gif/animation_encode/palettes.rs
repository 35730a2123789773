//! Chooses the colors of frames: one palette for all frames that it fits, and local palettes for the others.

use image::RgbaImage;

use crate::animation::color_set::ColorSet;
use crate::animation::frame_plan::{Step, is_kept};
use crate::animation::region::Color;
use crate::error::Result;
use crate::pixels::palette::{self, ranked};

/// The number of sampled pixels for a palette if there are too many colors. When there are more, every second one is
/// dropped.
const SAMPLES: usize = 1 << 18;

/// A mean squared error over three channels that is hardly visible. A frame with less needs no palette of its own.
const MAX_MEAN_SQUARED_ERROR: u64 = 3 * 4 * 4;

/// The colors that a frame needs.
pub(crate) enum FrameColors {
    /// These colors and, with `clear`, a transparent index.
    Colors { colors: Vec<Color>, clear: bool },
    /// More colors than a palette holds.
    More,
}

impl FrameColors {
    /// At most `limit` indices.
    pub(crate) fn of(step: &Step<'_>, limit: usize) -> Self {
        let (mut painted, mut all) = (ColorSet::new(limit), ColorSet::new(limit));
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
        let room =
            |set: &ColorSet, clear: bool| !set.is_over() && set.colors.len() + usize::from(clear) <= limit;
        if room(&painted, clear || kept) {
            return Self::Colors { colors: painted.colors, clear: clear || kept };
        }
        match room(&all, clear) {
            true => Self::Colors { colors: all.colors, clear },
            false => Self::More,
        }
    }
}

/// Collects the colors of all frames for one palette.
pub(crate) struct Shared {
    limit: usize,
    /// The colors of the frames that fit together, in order of appearance.
    exact: Vec<Color>,
    samples: Vec<Color>,
    /// One in this many pixels is sampled.
    stride: usize,
    seen: usize,
    /// The number of frames, and of those with too many colors.
    pub(crate) frames: usize,
    pub(crate) reduced_frames: usize,
}

impl Shared {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            exact: Vec::new(),
            samples: Vec::new(),
            stride: 1,
            seen: 0,
            frames: 0,
            reduced_frames: 0,
        }
    }

    pub(crate) fn add(&mut self, step: &Step<'_>) {
        self.frames += 1;
        match FrameColors::of(step, self.limit) {
            FrameColors::Colors { colors, .. } => {
                let mut union = ColorSet::of(&self.exact);
                colors.iter().for_each(|color| union.add(*color));
                if !union.is_over() && union.colors.len() <= self.limit {
                    self.exact = union.colors;
                }
            }
            FrameColors::More => {
                self.reduced_frames += 1;
                painted(step).for_each(|color| self.sample(color));
            }
        }
    }

    fn sample(&mut self, color: Color) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            return;
        }
        self.samples.push(color);
        if self.samples.len() == SAMPLES {
            let mut odd = false;
            self.samples.retain(|_| {
                odd = !odd;
                odd
            });
            self.stride *= 2;
        }
    }

    /// The palette: chosen from samples of the frames with too many colors, or exact if there are none.
    pub(crate) fn palette(&self) -> Result<Vec<Color>> {
        match self.samples.is_empty() {
            true => Ok(self.exact.clone()),
            false => choose(&self.samples, self.limit),
        }
    }
}

/// The colors that a step adds to the canvas.
pub(crate) fn painted(step: &Step<'_>) -> impl Iterator<Item = Color> {
    let pixels = step.region.pixels(step.before).zip(step.region.pixels(step.after));
    pixels.filter(|(before, after)| before != after).map(|(_, after)| after)
}

/// Chooses colors for opaque pixels. One of the `limit` indices is left for transparency.
pub(crate) fn choose(pixels: &[Color], limit: usize) -> Result<Vec<Color>> {
    let (width, height) = (pixels.len() as u32, 1);
    let image = RgbaImage::from_raw(width, height, pixels.as_flattened().to_vec()).unwrap_or_default();
    let chosen = palette::choose(&image, limit - 1);
    Ok(chosen.into_iter().map(|[r, g, b, _]| [r, g, b, u8::MAX]).collect())
}

/// Finds the nearest palette colors. If none is near enough, two are mixed by ordered dithering: a pixel gets the same
/// color in every frame, so that nothing flickers.
pub(crate) struct OrderedDither {
    /// Sorted by green, with their indices.
    colors: Vec<(Color, u8)>,
    /// 0 (each pixel gets the nearest color) to 1.
    strength: f32,
    /// A cache of results, indexed by a part of the color.
    cache: Vec<Option<(Color, Mix)>>,
}

/// Two indices, and how many of 64 pixels get the second.
#[derive(Clone, Copy)]
struct Mix {
    one: u8,
    other: u8,
    share: u8,
    error: u32,
}

const CACHE_SIZE: usize = 1 << 12;

impl OrderedDither {
    pub(crate) fn new(palette: &[Color], strength: f32) -> Self {
        let order = ranked(palette.iter().map(|color| u32::from(color[1])));
        let colors = order.into_iter().map(|index| (palette[usize::from(index)], index)).collect();
        Self { colors, strength, cache: vec![None; CACHE_SIZE] }
    }

    /// The index for a pixel at a position.
    pub(crate) fn index(&mut self, color: Color, x: u32, y: u32) -> u8 {
        let mix = self.mix(color);
        if threshold(x, y) < mix.share { mix.other } else { mix.one }
    }

    /// Whether this palette is close enough to these colors.
    pub(crate) fn is_close_enough(&mut self, colors: impl Iterator<Item = Color>) -> bool {
        let (mut sum, mut count) = (0, 0);
        for color in colors {
            sum += u64::from(self.mix(color).error);
            count += 1;
        }
        sum <= count * MAX_MEAN_SQUARED_ERROR
    }

    fn mix(&mut self, color: Color) -> Mix {
        let [r, g, b, _] = color.map(u32::from);
        let place = ((r << 16 | g << 8 | b).wrapping_mul(0x9E37_79B1) >> 20) as usize % CACHE_SIZE;
        match self.cache[place] {
            Some((known, mix)) if known == color => mix,
            _ => {
                let mix = self.find(color);
                self.cache[place] = Some((color, mix));
                mix
            }
        }
    }

    fn find(&self, color: Color) -> Mix {
        let wanted = color.map(i32::from);
        let (one, index, error) = self.nearest(wanted);
        // The color on the opposite side, at the same distance.
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
        let share = share as f32 * self.strength;
        Mix { one: index, other: second, share: share as u8, error }
    }

    /// The nearest color's index, and its squared distance.
    fn nearest(&self, wanted: [i32; 4]) -> ([i32; 4], u8, u32) {
        let mut best = ([0; 4], 0, i32::MAX);
        let start = self.colors.partition_point(|(color, _)| i32::from(color[1]) < wanted[1]);
        let (below, above) = self.colors.split_at(start);
        let mut judge = |(color, index): &(Color, u8)| {
            let color = color.map(i32::from);
            let [r, g, b] = [0, 1, 2].map(|channel: usize| color[channel] - wanted[channel]);
            let error = r * r + g * g + b * b;
            if error < best.2 {
                best = (color, *index, error);
            }
            // Further colors in this direction differ at least this much in green.
            g * g < best.2
        };
        let _ = above.iter().all(&mut judge);
        let _ = below.iter().rev().all(&mut judge);
        (best.0, best.1, best.2 as u32)
    }
}

/// A threshold below 64 that differs from those of the neighbors: Bayer's 8 × 8 matrix.
fn threshold(x: u32, y: u32) -> u8 {
    let across = x ^ y;
    (0..3).fold(0, |sum, bit| {
        let pair = (across >> bit & 1) << 1 | (y >> bit & 1);
        sum << 2 | pair as u8
    })
}
