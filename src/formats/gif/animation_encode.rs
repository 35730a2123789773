//! Writes small GIF89a files, still and animated. Frames cover only the area that changes. Unchanged pixels within it
//! become transparent or keep their color, whichever LZW compresses better. Frames share one palette if it fits them.
//!
//! The frames are passed twice: first to collect their colors, then to be written. If no frame has more colors than a
//! palette holds, every pixel is exact.

mod lzw;
mod palettes;

use image::RgbaImage;

use crate::animation::canvas::Disposal;
use crate::animation::color_set::{ColorSet, MAX_COLORS};
use crate::animation::frame_plan::{Plan, Step, is_kept};
use crate::animation::region::{Color, colors, tolerance_for};
use crate::animation::{Animation, COLORS_REDUCED, Show, note};
use crate::error::{Error, ErrorCode, Result};
use crate::formats::Encoding;
use crate::pixels::palette;
use crate::warning::Warning;
use lzw::IndexChoice;
use palettes::{FrameColors, OrderedDither, Shared};

/// Alpha values from this one on become opaque: GIF has no partial transparency.
const OPAQUE_FROM: u8 = 128;

/// Encodes the frames that `play` passes on. `play` is called twice and must pass the same frames, all of the size of
/// the animation.
pub(crate) fn encode(
    animation: Animation,
    encoding: Encoding,
    play: &mut dyn FnMut(&mut Show<'_>) -> Result<()>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let limit = encoding.palette_limit();
    let tolerance = tolerance_for(encoding.quality().unwrap_or(100));
    let mut softened = false;
    let mut pass = |take: &mut dyn FnMut(Step<'_>) -> Result<()>| {
        let mut plan = Plan::new(tolerance, limit, false, take);
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
    let mut writer = Writer::new(animation, &shared, limit, encoding.dither())?;
    pass(&mut |step| writer.write(&step))?;
    if shared.reduced_frames > 0 && encoding.colors().is_none() {
        let message = format!("GIF has at most 256 colors; the output was reduced to {limit}.");
        note(warnings, Warning::new(COLORS_REDUCED, message));
    }
    if softened {
        let message = "GIF has no partial transparency; pixels were made opaque or clear.";
        note(warnings, Warning::new("alpha_flattened", message));
    }
    writer.out.push(TRAILER);
    Ok(writer.out)
}

/// Makes every pixel opaque or transparent, all transparent ones equal. Returns whether a pixel was partly transparent.
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

/// The colors of a palette, the transparent index, and the indices that each pixel may have.
struct Picture {
    /// `None`: the global palette.
    palette: Option<Vec<Color>>,
    clear: Option<u8>,
    choices: Vec<IndexChoice>,
}

struct Writer {
    out: Vec<u8>,
    animation: Animation,
    limit: usize,
    /// The strength of dithering, 0 to 1.
    strength: f32,
    shared: Vec<Color>,
    /// The entries of the global palette, filled up to a power of two.
    room: usize,
    dither: OrderedDither,
    is_still: bool,
}

impl Writer {
    fn new(animation: Animation, shared: &Shared, limit: usize, strength: f32) -> Result<Self> {
        let is_still = shared.frames == 1;
        let palette = if is_still && shared.reduced_frames > 0 { Vec::new() } else { shared.palette()? };
        let short = |side: u32| {
            u16::try_from(side)
                .map_err(|_| Error::new(ErrorCode::OutputTooLarge, "GIF allows at most 65535 pixels a side."))
        };
        let mut out = b"GIF89a".to_vec();
        out.extend(short(animation.size.0)?.to_le_bytes());
        out.extend(short(animation.size.1)?.to_le_bytes());
        // The first unused entry can be the transparent one.
        let room = if palette.is_empty() { 0 } else { table_size((palette.len() + 1).min(MAX_COLORS)) };
        let flags = if room == 0 { 0 } else { 0x80 | table_bits(room) << 4 | table_bits(room) };
        out.extend([flags, 0, 0]);
        push_table(&mut out, &palette, room);
        // Without the extension, the animation is played once. The extension contains the number of repeats.
        if animation.plays != 1 {
            let repeats = u16::try_from(animation.plays.saturating_sub(1)).unwrap_or(u16::MAX);
            out.extend_from_slice(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01");
            out.extend(repeats.to_le_bytes());
            out.push(0);
        }
        let dither = OrderedDither::new(&palette, strength);
        Ok(Self { out, animation, limit, strength, shared: palette, room, dither, is_still })
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
        self.animation.check_length(self.out.len())
    }

    /// The ways to write a step. The shortest is used.
    fn pictures(&mut self, step: &Step<'_>) -> Result<Vec<Picture>> {
        match FrameColors::of(step, self.limit) {
            FrameColors::Colors { colors, clear } => {
                let shared = self.exact(step, &colors, clear, true);
                // A still picture's palette has exactly its colors.
                let own = match shared.is_some() && self.is_still {
                    true => None,
                    false => self.exact(step, &colors, clear, false),
                };
                Ok(shared.into_iter().chain(own).collect())
            }
            FrameColors::More if self.is_still => self.error_diffused(step).map(|picture| vec![picture]),
            FrameColors::More => self.ordered_dithered(step).map(|picture| vec![picture]),
        }
    }

    /// With exact colors. `None` if the shared palette lacks a color or a transparent index.
    fn exact(&self, step: &Step<'_>, colors: &[Color], clear: bool, shared: bool) -> Option<Picture> {
        let set = ColorSet::of(if shared { &self.shared } else { colors });
        if !colors.iter().all(|color| set.index(*color).is_some()) {
            return None;
        }
        let room = if shared { self.room } else { table_size(colors.len() + usize::from(clear)) };
        let clear = match clear {
            true => Some(unused(&set, colors, room)?),
            false => None,
        };
        let mut last = ([0; 4], None);
        let choices = pixels(step).map(|(before, after)| {
            if last.0 != after {
                last = (after, set.index(after).filter(|index| Some(*index) != clear));
            }
            let index = if after[3] == 0 { None } else { last.1 };
            match (clear, index) {
                (Some(clear), Some(index)) if is_kept(before, after) => [clear, index],
                (_, Some(index)) => [index; 2],
                (clear, None) => [clear.unwrap_or_default(); 2],
            }
        });
        let choices = choices.collect();
        Some(Picture { palette: (!shared).then(|| colors.to_vec()), clear, choices })
    }

    /// A still picture with too many colors: the best palette, with error diffusion. Transparent pixels get the color
    /// before them, so that they use no palette entry.
    fn error_diffused(&self, step: &Step<'_>) -> Result<Picture> {
        let mut opaque = step.after.clone();
        let mut last = colors(step.after).iter().find(|color| color[3] > 0).copied().unwrap_or_default();
        let mut clears = false;
        for pixel in opaque.as_chunks_mut::<4>().0 {
            clears |= pixel[3] == 0;
            if pixel[3] > 0 { last = *pixel } else { *pixel = last }
        }
        let reduced = palette::quantize(&opaque, self.limit - usize::from(clears), self.strength, 0.0);
        let clear = clears.then_some(reduced.colors.len() as u8);
        let choices = colors(step.after).iter().zip(reduced.indices);
        let choices =
            choices.map(|(pixel, index)| [clear.filter(|_| pixel[3] == 0).unwrap_or(index); 2]).collect();
        Ok(Picture { palette: Some(reduced.colors), clear, choices })
    }

    /// A frame with too many colors: the shared palette if it is close enough, otherwise a local one, with ordered
    /// dithering.
    fn ordered_dithered(&mut self, step: &Step<'_>) -> Result<Picture> {
        let mut own = None;
        if self.shared.len() == MAX_COLORS || !self.dither.is_close_enough(palettes::painted(step)) {
            own = Some(palettes::choose(&palettes::painted(step).collect::<Vec<_>>(), self.limit)?);
        }
        let mut own_dither = own.as_ref().map(|palette| OrderedDither::new(palette, self.strength));
        let dither = own_dither.as_mut().unwrap_or(&mut self.dither);
        let clear = own.as_ref().unwrap_or(&self.shared).len() as u8;
        let choices =
            step.region.places().zip(pixels(step)).map(|((x, y), (before, after))| match before == after {
                true => [clear; 2],
                false => [dither.index(after, x, y); 2],
            });
        let choices = choices.collect();
        Ok(Picture { palette: own, clear: Some(clear), choices })
    }

    /// A graphic control extension if needed, an image descriptor, a palette and the pixels.
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
        let highest = picture.choices.as_flattened().iter().max().copied().unwrap_or_default();
        lzw::compress(&picture.choices, (8 - highest.leading_zeros()).max(2), out);
    }
}

/// The pixels of a step, before and after it.
fn pixels(step: &Step<'_>) -> impl Iterator<Item = (Color, Color)> {
    step.region.pixels(step.before).zip(step.region.pixels(step.after))
}

/// An index that is not in `colors`: after the palette, or that of an unused color.
fn unused(palette: &ColorSet, colors: &[Color], room: usize) -> Option<u8> {
    let length = palette.colors.len();
    if length < room {
        return Some(length as u8);
    }
    (0..=u8::MAX).zip(&palette.colors).find(|(_, color)| !colors.contains(color)).map(|(index, _)| index)
}

/// The number of entries of a color table for this many colors: a power of two, 2 to 256.
fn table_size(colors: usize) -> usize {
    colors.clamp(2, MAX_COLORS).next_power_of_two()
}

/// The size of the table as the file stores it.
fn table_bits(size: usize) -> u8 {
    size.trailing_zeros() as u8 - 1
}

fn push_table(out: &mut Vec<u8>, palette: &[Color], room: usize) {
    out.extend(palette.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]));
    out.resize(out.len() + 3 * room.saturating_sub(palette.len()), 0);
}
