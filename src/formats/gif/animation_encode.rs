//! GIF89a, moving or still, made small: frames hold what changes, and a clear index or the color that is there where
//! nothing does, whichever LZW takes less for; they share one palette where it serves them.
//!
//! Frames are shown twice: first for their colors, then to be written. Where none has more colors than a palette may
//! hold, every pixel is exact.

mod frame_plan;
mod lzw;
mod palettes;

use image::RgbaImage;

use crate::animation::canvas::Disposal;
use crate::animation::color_set::{MOST, Paint};
use crate::animation::region::{Color, colors, tolerance_for};
use crate::animation::{Animation, COLORS_REDUCED, Show, note};
use crate::error::{Error, ErrorCode, Result};
use crate::pixels::palette;
use crate::warning::Warning;
use frame_plan::{Plan, Step, is_kept};
use lzw::Cell;
use palettes::{Mixer, Need, Shared};

/// Alpha from here on is opaque; GIF knows nothing between.
const OPAQUE_FROM: u8 = 128;

/// Codes what `play` shows, which is called twice and has to show the same; all frames have the size of the animation.
pub(crate) fn encode(
    animation: Animation,
    quality: u8,
    play: &mut dyn FnMut(&mut Show<'_>) -> Result<()>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let limit = palette::colors_for(quality);
    let mut softened = false;
    let mut pass = |take: &mut dyn FnMut(Step<'_>) -> Result<()>| {
        let mut plan = Plan::new(tolerance_for(quality), limit, take);
        play(&mut |mut canvas, delay| {
            softened |= threshold_alpha(&mut canvas);
            plan.show(canvas, delay)
        })?;
        plan.end()
    };
    let mut shared = Shared::new(limit);
    pass(&mut |step| {
        shared.add(&step);
        Ok(())
    })?;
    let mut writer = Writer::new(animation, &shared, limit)?;
    pass(&mut |step| writer.write(&step))?;
    if shared.rich > 0 {
        let message = format!("GIF holds 256 colors; those of the output were reduced to {limit}.");
        note(warnings, Warning::new(COLORS_REDUCED, message));
    }
    if softened {
        let message = "GIF knows no half-transparent pixels; they were made opaque or clear.";
        note(warnings, Warning::new("alpha_flattened", message));
    }
    writer.out.push(TRAILER);
    Ok(writer.out)
}

/// Makes every pixel opaque or clear, all clear ones alike; tells whether one was neither before.
fn threshold_alpha(image: &mut RgbaImage) -> bool {
    let mut softened = false;
    for pixel in image.as_chunks_mut::<4>().0 {
        softened |= !matches!(pixel[3], 0 | u8::MAX);
        match pixel[3] >= OPAQUE_FROM {
            true => pixel[3] = u8::MAX,
            false => *pixel = [0; 4],
        }
    }
    softened
}

const TRAILER: u8 = 0x3B;

/// Colors of a palette, the index that is clear, and the index that each pixel may have.
struct Picture {
    /// `None`: those of the whole file.
    palette: Option<Vec<Color>>,
    clear: Option<u8>,
    cells: Vec<Cell>,
}

struct Writer {
    out: Vec<u8>,
    most: u64,
    limit: usize,
    shared: Vec<Color>,
    /// Entries of the palette of the file, which is filled up to a power of two.
    room: usize,
    mixer: Mixer,
    is_still: bool,
}

impl Writer {
    fn new(animation: Animation, shared: &Shared, limit: usize) -> Result<Self> {
        let is_still = shared.frames == 1;
        let palette = if is_still && shared.rich > 0 { Vec::new() } else { shared.palette()? };
        let short = |side: u32| {
            u16::try_from(side)
                .map_err(|_| Error::new(ErrorCode::OutputTooLarge, "GIF holds at most 65535 pixels a side."))
        };
        let mut out = b"GIF89a".to_vec();
        out.extend(short(animation.size.0)?.to_le_bytes());
        out.extend(short(animation.size.1)?.to_le_bytes());
        // The first entry that is left over can be clear.
        let room = if palette.is_empty() { 0 } else { table_size((palette.len() + 1).min(MOST)) };
        let flags = if room == 0 { 0 } else { 0x80 | table_bits(room) << 4 | table_bits(room) };
        out.extend([flags, 0, 0]);
        push_table(&mut out, &palette, room);
        // Played once where nothing is said; what is said is the number of repeats.
        if animation.plays != 1 {
            let repeats = u16::try_from(animation.plays.saturating_sub(1)).unwrap_or(u16::MAX);
            out.extend_from_slice(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01");
            out.extend(repeats.to_le_bytes());
            out.push(0);
        }
        let mixer = Mixer::new(&palette);
        Ok(Self { out, most: animation.max_bytes, limit, shared: palette, room, mixer, is_still })
    }

    fn write(&mut self, step: &Step<'_>) -> Result<()> {
        let mut best: Option<Vec<u8>> = None;
        for picture in self.pictures(step)? {
            let mut coded = Vec::new();
            self.push_picture(&mut coded, step, &picture);
            if best.as_ref().is_none_or(|best| coded.len() < best.len()) {
                best = Some(coded);
            }
        }
        self.out.append(&mut best.unwrap_or_default());
        let size = self.out.len() as u64;
        if size > self.most {
            let message =
                format!("The output has grown to {size} bytes; limits.maxMemoryBytes allows {}.", self.most);
            return Err(Error::too_much_memory(message, size, self.most));
        }
        Ok(())
    }

    /// The ways to write a step, of which the shortest is taken.
    fn pictures(&mut self, step: &Step<'_>) -> Result<Vec<Picture>> {
        match Need::of(step, self.limit) {
            Need::Colors { colors, clear } => {
                let shared = self.exact(step, &colors, clear, true);
                // The palette of a still picture is just what it needs.
                let own = match shared.is_some() && self.is_still {
                    true => None,
                    false => self.exact(step, &colors, clear, false),
                };
                Ok(shared.into_iter().chain(own).collect())
            }
            Need::More if self.is_still => self.diffused(step).map(|picture| vec![picture]),
            Need::More => self.mixed(step).map(|picture| vec![picture]),
        }
    }

    /// With every color as it is; `None` where the shared palette lacks one, or an index for what is clear.
    fn exact(&self, step: &Step<'_>, colors: &[Color], clear: bool, shared: bool) -> Option<Picture> {
        let paint = Paint::of(if shared { &self.shared } else { colors });
        if !colors.iter().all(|color| paint.index(*color).is_some()) {
            return None;
        }
        let room = if shared { self.room } else { table_size(colors.len() + usize::from(clear)) };
        let clear = match clear {
            true => Some(unused(&paint, colors, room)?),
            false => None,
        };
        let mut last = ([0; 4], None);
        let cells = pixels(step).map(|(before, after)| {
            if last.0 != after {
                last = (after, paint.index(after).filter(|index| Some(*index) != clear));
            }
            let index = if after[3] == 0 { None } else { last.1 };
            match (clear, index) {
                (Some(clear), Some(index)) if is_kept(before, after) => [clear, index],
                (_, Some(index)) => [index; 2],
                (clear, None) => [clear.unwrap_or_default(); 2],
            }
        });
        let cells = cells.collect();
        Some(Picture { palette: (!shared).then(|| colors.to_vec()), clear, cells })
    }

    /// A still picture of too many colors: the best palette, with error diffusion. What is clear takes part as the
    /// color before it, so that no color of the palette is wasted on it.
    fn diffused(&self, step: &Step<'_>) -> Result<Picture> {
        let mut opaque = step.after.clone();
        let mut last = colors(step.after).iter().find(|color| color[3] > 0).copied().unwrap_or_default();
        let mut clears = false;
        for pixel in opaque.as_chunks_mut::<4>().0 {
            clears |= pixel[3] == 0;
            if pixel[3] > 0 { last = *pixel } else { *pixel = last }
        }
        let reduced = palette::quantize(&opaque, self.limit - usize::from(clears));
        let clear = clears.then_some(reduced.colors.len() as u8);
        let cells = colors(step.after).iter().zip(reduced.indices);
        let cells =
            cells.map(|(pixel, index)| [clear.filter(|_| pixel[3] == 0).unwrap_or(index); 2]).collect();
        Ok(Picture { palette: Some(reduced.colors), clear, cells })
    }

    /// A frame of too many colors: the shared palette where it serves, else an own one, mixed by position.
    fn mixed(&mut self, step: &Step<'_>) -> Result<Picture> {
        let mut own = None;
        if self.shared.len() == MOST || !self.mixer.serves(palettes::painted(step)) {
            own = Some(palettes::choose(&palettes::painted(step).collect::<Vec<_>>(), self.limit)?);
        }
        let mut own_mixer = own.as_ref().map(|palette| Mixer::new(palette));
        let mixer = own_mixer.as_mut().unwrap_or(&mut self.mixer);
        let clear = own.as_ref().unwrap_or(&self.shared).len() as u8;
        let cells =
            step.region.places().zip(pixels(step)).map(|((x, y), (before, after))| match before == after {
                true => [clear; 2],
                false => [mixer.index(after, x, y); 2],
            });
        let cells = cells.collect();
        Ok(Picture { palette: own, clear: Some(clear), cells })
    }

    /// A graphic control extension where there is something to control, an image descriptor, a palette and the pixels.
    fn push_picture(&self, out: &mut Vec<u8>, step: &Step<'_>, picture: &Picture) {
        let disposal = match step.disposal {
            Disposal::Keep if self.is_still => 0,
            Disposal::Keep => 1,
            Disposal::Clear => 2,
            Disposal::Restore => 3,
        };
        let flags = disposal << 2 | u8::from(picture.clear.is_some());
        if flags != 0 || step.delay != 0 {
            let [low, high] = step.delay.to_le_bytes();
            out.extend([0x21, 0xF9, 4, flags, low, high, picture.clear.unwrap_or_default(), 0]);
        }
        out.push(0x2C);
        for number in [step.region.left, step.region.top, step.region.width, step.region.height] {
            out.extend((number as u16).to_le_bytes());
        }
        match &picture.palette {
            Some(palette) => {
                let room = table_size(palette.len() + usize::from(picture.clear.is_some()));
                out.push(0x80 | table_bits(room));
                push_table(out, palette, room);
            }
            None => out.push(0),
        }
        let highest = picture.cells.as_flattened().iter().max().copied().unwrap_or_default();
        lzw::compress(&picture.cells, (8 - highest.leading_zeros()).max(2), out);
    }
}

/// The pixels of a step, before and after.
fn pixels(step: &Step<'_>) -> impl Iterator<Item = (Color, Color)> {
    step.region.pixels(step.before).zip(step.region.pixels(step.after))
}

/// An index that none of `colors` has: behind the palette, or that of another color.
fn unused(palette: &Paint, colors: &[Color], room: usize) -> Option<u8> {
    let length = palette.colors.len();
    if length < room {
        return Some(length as u8);
    }
    (0..=u8::MAX).zip(&palette.colors).find(|(_, color)| !colors.contains(color)).map(|(index, _)| index)
}

/// The entries of a table for so many colors: a power of two, 2 to 256.
fn table_size(colors: usize) -> usize {
    colors.clamp(2, MOST).next_power_of_two()
}

/// How the size of a table is written down.
fn table_bits(size: usize) -> u8 {
    size.trailing_zeros() as u8 - 1
}

fn push_table(out: &mut Vec<u8>, palette: &[Color], room: usize) {
    out.extend(palette.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]));
    out.resize(out.len() + 3 * room.saturating_sub(palette.len()), 0);
}
