//! Animated WebP (RFC 9649, section 2.7). Each frame contains the region that changes, encoded as a still WebP.
//!
//! No frame is disposed of: if blending cannot produce a pixel, the frame replaces the region.

use image::{DynamicImage, RgbaImage};

use crate::animation::clock::{Clock, Delay};
use crate::animation::color_set::ColorSet;
use crate::animation::region::{Region, region_of, revert_small_changes, tolerance_for};
use crate::animation::{Animation, Show};
use crate::error::{Error, ErrorCode, Result};
use crate::formats::webp::metadata as webp;
use crate::formats::webp::metadata::{ALPHA_FLAG, ANIMATION_FLAG, Chunks};
use crate::formats::{Encoding, encode};
use crate::pixels::alpha;

const NO_BLENDING: u8 = 0b10;
/// The offset of the flags in a file, and of the duration in the header of a frame.
const FLAGS: usize = 20;
const DURATION: usize = 12;
/// The maximum duration of a frame in milliseconds.
const MAX_DURATION: u32 = (1 << 24) - 1;

/// Encodes the frames that `play` passes on. All have this size.
pub(crate) fn encode(
    animation: Animation,
    encoding: Encoding,
    play: &mut dyn FnMut(&mut Show<'_>) -> Result<()>,
) -> Result<Vec<u8>> {
    let mut writer = Writer::new(animation.size, animation.plays, encoding).ok_or_else(too_long)?;
    play(&mut |canvas, delay| {
        writer.show(canvas, delay)?;
        animation.check_length(writer.out.len())
    })?;
    webp::close(writer.out).ok_or_else(too_long)
}

struct Writer {
    out: Vec<u8>,
    encoding: Encoding,
    clock: Clock,
    tolerance: u8,
    shown: Option<RgbaImage>,
    /// The offset of the last frame's header, and its duration in milliseconds.
    last: (usize, u32),
}

impl Writer {
    fn new(size: (u32, u32), plays: u32, encoding: Encoding) -> Option<Self> {
        let mut out = webp::HEADER.to_vec();
        let mut description = [ANIMATION_FLAG, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        description[4..7].copy_from_slice(&u24(size.0 - 1));
        description[7..].copy_from_slice(&u24(size.1 - 1));
        webp::push(&mut out, b"VP8X", &description)?;
        // A transparent background, and the number of plays.
        let [low, high] = u16::try_from(plays).unwrap_or(u16::MAX).to_le_bytes();
        webp::push(&mut out, b"ANIM", &[0, 0, 0, 0, low, high])?;
        let tolerance = encoding.quality().map_or(0, tolerance_for);
        Some(Self { out, encoding, clock: Clock::new(1000), tolerance, shown: None, last: (0, 0) })
    }

    fn show(&mut self, mut canvas: RgbaImage, delay: Delay) -> Result<()> {
        let delay = self.clock.ticks(delay).min(MAX_DURATION);
        let region = match &self.shown {
            None => Region::whole(&canvas),
            Some(shown) => {
                revert_small_changes(shown, &mut canvas, self.tolerance);
                match region_of(shown, &canvas, |a, b| a != b) {
                    Some(region) => region.even(),
                    None if self.clock.can_merge(self.last.1, delay)
                        && self.last.1 + delay <= MAX_DURATION =>
                    {
                        return self.extend_duration(delay).ok_or_else(too_long);
                    }
                    None => Region::POINT,
                }
            }
        };
        let (coded, blends) = self.shortest(&canvas, region)?;
        self.push(&coded, region, delay, blends).ok_or_else(too_long)?;
        self.shown = Some(canvas);
        Ok(())
    }

    /// Extends the duration of the last frame.
    fn extend_duration(&mut self, delay: u32) -> Option<()> {
        self.last.1 += delay;
        let at = self.last.0 + DURATION;
        self.out.get_mut(at..at + 3)?.copy_from_slice(&u24(self.last.1));
        Some(())
    }

    /// The region as a file, and whether it is blended. If a palette could hold its colors, it is also encoded
    /// losslessly, which is often smaller.
    fn shortest(&self, canvas: &RgbaImage, region: Region) -> Result<(Vec<u8>, bool)> {
        let target: Vec<_> = region.pixels(canvas).collect();
        let mut best = (self.code(&target, region, self.encoding)?, false);
        if self.encoding.quality().is_some() && ColorSet::of(&target).is_over() {
            return Ok(best);
        }
        let mut try_lossless = |pixels: &[_], blends| {
            let coded = self.code(pixels, region, self.encoding.without_loss())?;
            if coded.len() < best.0.len() {
                best = (coded, blends);
            }
            Ok::<_, Error>(())
        };
        if self.encoding.quality().is_some() {
            try_lossless(&target, false)?;
        }
        // Unchanged pixels can be transparent if all changed pixels are opaque.
        let Some(shown) = &self.shown else { return Ok(best) };
        let changes = || region.pixels(shown).zip(&target);
        if changes().all(|(before, after)| before == *after || after[3] == u8::MAX) {
            let clear: Vec<_> =
                changes().map(|(before, after)| if before == *after { [0; 4] } else { *after }).collect();
            try_lossless(&clear, true)?;
        }
        Ok(best)
    }

    fn code(&self, pixels: &[[u8; 4]], region: Region, encoding: Encoding) -> Result<Vec<u8>> {
        let (width, height) = (region.width, region.height);
        let raw = pixels.as_flattened().to_vec();
        let image = RgbaImage::from_raw(width, height, raw).unwrap_or_default();
        let image = alpha::without_opaque(DynamicImage::ImageRgba8(image));
        encode::encode(image, encoding, true, &mut Vec::new())
    }

    fn push(&mut self, coded: &[u8], region: Region, delay: u32, blends: bool) -> Option<()> {
        let mut frame = Vec::with_capacity(coded.len());
        for number in [region.left / 2, region.top / 2, region.width - 1, region.height - 1, delay] {
            frame.extend(u24(number));
        }
        frame.push(if blends { 0 } else { NO_BLENDING });
        for chunk in Chunks::new(coded) {
            let has_alpha = match &chunk.kind {
                b"ALPH" => true,
                // After a signature and two sides of 14 bits.
                b"VP8L" => chunk.data.get(4).is_some_and(|bits| bits & 0x10 != 0),
                b"VP8 " => false,
                _ => continue,
            };
            if has_alpha && let Some(flags) = self.out.get_mut(FLAGS) {
                *flags |= ALPHA_FLAG;
            }
            webp::push(&mut frame, &chunk.kind, chunk.data)?;
        }
        self.last = (self.out.len() + 8, delay);
        webp::push(&mut self.out, b"ANMF", &frame)
    }
}

/// A 24-bit number.
fn u24(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}

fn too_long() -> Error {
    Error::new(ErrorCode::EncodeFailed, "The WebP would be longer than its format allows.")
}
