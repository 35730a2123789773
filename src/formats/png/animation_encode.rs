//! Animated PNG (PNG, third edition, 4.9 and 11.3.6), without loss. Each frame covers only the region that changes; where that takes
//! fewer bytes, it leaves unchanged pixels as they are.
//!
//! The frames are passed twice: first to find the smallest color type that has all their colors, then to be written.

use filepress_png::{FrameColors, FrameForm, Prepared, Settings};

use crate::animation::canvas::Disposal;
use crate::animation::clock::Delay;
use crate::animation::color_set::MAX_COLORS;
use crate::animation::frame_plan::{Plan, Step};
use crate::animation::region::{Color, colors};
use crate::animation::{Animation, Show};
use crate::error::{Error, ErrorCode, Result};
use crate::formats::Encoding;
use crate::formats::png::metadata::{Chunks, SIGNATURE, push};

/// Encodes the frames that `play` passes on. `play` is called twice and must pass the same frames, all of the size of the animation.
pub(crate) fn encode(
    animation: Animation,
    encoding: Encoding,
    play: &mut dyn FnMut(&mut Show<'_>) -> Result<()>,
) -> Result<Vec<u8>> {
    let mut found = FrameColors::new(!animation.has_profile);
    let mut delays = Vec::new();
    play(&mut |canvas, delay| {
        found.add(colors(&canvas));
        delays.push(delay);
        Ok(())
    })?;
    let mut control = (delays.len() as u32).to_be_bytes().to_vec();
    control.extend(animation.plays.to_be_bytes());
    let settings = Settings { effort: encoding.effort(), reduce: false, gray: false };
    let mut writer = Writer { out: Vec::new(), form: found.form(), settings, control, sequence: 0 };
    let mut delays = delays.into_iter();
    let mut write = |step: Step<'_>| {
        writer.write(&step, delays.next().unwrap_or(Delay::NONE))?;
        animation.check_length(writer.out.len())
    };
    let mut plan = Plan::new(0, MAX_COLORS, true, &mut write);
    // Without delays no frames are merged: there are as many steps as delays.
    play(&mut |canvas, _| plan.show(canvas, Delay::NONE))?;
    plan.end()?;
    push(&mut writer.out, b"IEND", &[]).ok_or_else(too_long)?;
    Ok(writer.out)
}

struct Writer {
    out: Vec<u8>,
    form: FrameForm,
    settings: Settings,
    /// The data of `acTL`: the number of frames and of plays.
    control: Vec<u8>,
    sequence: u32,
}

impl Writer {
    fn write(&mut self, step: &Step<'_>, delay: Delay) -> Result<()> {
        let (prepared, blends) = self.shortest(step).ok_or_else(too_long)?;
        let [numerator, denominator] =
            [delay.numerator, delay.denominator].map(|part| u16::try_from(part).unwrap_or(u16::MAX));
        let region = step.region;
        let mut control = Vec::new();
        for number in [self.sequence, region.width, region.height, region.left, region.top] {
            control.extend(number.to_be_bytes());
        }
        control.extend(numerator.to_be_bytes());
        control.extend(denominator.to_be_bytes());
        let disposal = match step.disposal {
            Disposal::Keep => 0,
            Disposal::Clear => 1,
            // Nothing is before the first frame, and not all viewers expect it to be restored.
            Disposal::Restore if self.sequence == 0 => 1,
            Disposal::Restore => 2,
        };
        control.extend([disposal, u8::from(blends)]);
        self.push(prepared, &control).ok_or_else(too_long)
    }

    /// The region, and whether it is blended: whichever promises fewer bytes.
    fn shortest(&mut self, step: &Step<'_>) -> Option<(Prepared, bool)> {
        let target: Vec<_> = step.region.pixels(step.after).collect();
        let prepared = self.prepare(step, &target)?;
        let changes = || step.region.pixels(step.before).zip(&target);
        // Blending keeps what is below transparent pixels, and copies opaque ones and those over nothing.
        let is_possible =
            |(before, after): (Color, &Color)| before == *after || after[3] == u8::MAX || before[3] == 0;
        let clear: Vec<_> =
            changes().map(|(before, after)| if before == *after { [0; 4] } else { *after }).collect();
        if self.form.has_clear() && clear != target && changes().all(is_possible) {
            let blended = self.prepare(step, &clear)?;
            if blended.trial() < prepared.trial() {
                return Some((blended, true));
            }
        }
        Some((prepared, false))
    }

    fn prepare(&mut self, step: &Step<'_>, pixels: &[Color]) -> Option<Prepared> {
        Prepared::new(self.form.picture(step.region.width, step.region.height, pixels), self.settings)
    }

    /// The first frame brings the header and the palette.
    fn push(&mut self, frame: Prepared, control: &[u8]) -> Option<()> {
        self.sequence += 1;
        if !self.out.is_empty() {
            push(&mut self.out, b"fcTL", &[control])?;
            push(&mut self.out, b"fdAT", &[&self.sequence.to_be_bytes(), &frame.rows()])?;
            self.sequence += 1;
            return Some(());
        }
        self.out.extend_from_slice(SIGNATURE);
        let mut is_described = false;
        for chunk in Chunks::new(&frame.encode()) {
            match &chunk.kind {
                b"IEND" => break,
                b"IDAT" if !is_described => {
                    is_described = true;
                    push(&mut self.out, b"acTL", &[&self.control])?;
                    push(&mut self.out, b"fcTL", &[control])?;
                }
                _ => {}
            }
            self.out.extend_from_slice(chunk.whole);
        }
        Some(())
    }
}

fn too_long() -> Error {
    Error::new(ErrorCode::EncodeFailed, "The PNG would be longer than its format allows.")
}
