//! Plans what each frame paints: the region that changes, and the disposal of the frame before it that makes this
//! region small.

use std::cmp::Ordering;

use image::RgbaImage;

use crate::animation::canvas::Disposal;
use crate::animation::clock::{Clock, Delay};
use crate::animation::color_set::Paint;
use crate::animation::region::{Color, Region, forget_small_changes, region_of};
use crate::error::Result;

/// The maximum delay of a frame, in hundredths of a second.
const MAX_DELAY: u32 = u16::MAX as u32;

/// A frame to write.
pub(crate) struct Step<'a> {
    /// The canvas before and after the frame. Pixels that are transparent after it were transparent before it.
    pub(crate) before: &'a RgbaImage,
    pub(crate) after: &'a RgbaImage,
    /// The region that the frame covers: all pixels that differ.
    pub(crate) region: Region,
    pub(crate) disposal: Disposal,
    /// In hundredths of a second.
    pub(crate) delay: u16,
}

/// Keeps one frame back, because the next frame decides on its disposal and its delay.
pub(crate) struct Plan<'a> {
    take: &'a mut dyn FnMut(Step<'_>) -> Result<()>,
    clock: Clock,
    /// The maximum difference of a channel at which colors count as equal.
    tolerance: u8,
    /// The number of colors that a frame can have without loss.
    limit: usize,
    held: Option<Held>,
}

struct Held {
    before: RgbaImage,
    after: RgbaImage,
    region: Region,
    delay: u32,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(tolerance: u8, limit: usize, take: &'a mut dyn FnMut(Step<'_>) -> Result<()>) -> Self {
        Self { take, clock: Clock::new(100), tolerance, limit, held: None }
    }

    /// Adds the next frame. Every pixel is opaque or transparent, all transparent ones are equal.
    pub(crate) fn show(&mut self, mut canvas: RgbaImage, delay: Delay) -> Result<()> {
        let delay = self.clock.ticks(delay);
        let (now, later) = (delay.min(MAX_DELAY), delay.saturating_sub(MAX_DELAY));
        match self.held.take() {
            None => {
                let before = RgbaImage::new(canvas.width(), canvas.height());
                // The first frame covers the canvas, because some viewers take their size from it.
                let region = Region::whole(&canvas);
                self.held = Some(Held { before, after: canvas, region, delay: now });
            }
            Some(held) => {
                forget_small_changes(&held.after, &mut canvas, self.tolerance);
                self.follow(held, canvas, now)?;
            }
        }
        self.wait(later)
    }

    /// Extends a delay beyond the maximum of one frame.
    fn wait(&mut self, mut delay: u32) -> Result<()> {
        while delay > 0 {
            let Some(held) = self.held.take() else { return Ok(()) };
            let (now, again) = (delay.min(MAX_DELAY), held.after.clone());
            self.follow(held, again, now)?;
            delay -= now;
        }
        Ok(())
    }

    /// Writes the last frame.
    pub(crate) fn end(mut self) -> Result<()> {
        match self.held.take() {
            Some(held) => self.release(&held, Disposal::Keep),
            None => Ok(()),
        }
    }

    fn release(&mut self, held: &Held, disposal: Disposal) -> Result<()> {
        (self.take)(Step {
            before: &held.before,
            after: &held.after,
            region: held.region,
            disposal,
            delay: held.delay as u16,
        })
    }

    fn follow(&mut self, mut held: Held, canvas: RgbaImage, delay: u32) -> Result<()> {
        if held.after == canvas && self.clock.adds(held.delay, delay) && held.delay + delay <= MAX_DELAY {
            held.delay += delay;
            self.held = Some(held);
            return Ok(());
        }
        let (disposal, cleared) = self.disposal(&held, &canvas);
        if disposal == Disposal::Clear {
            held.region = cleared;
        }
        self.release(&held, disposal)?;
        let before = match disposal {
            Disposal::Keep => held.after,
            Disposal::Restore => held.before,
            Disposal::Clear => {
                cleared.clear(&mut held.after);
                held.after
            }
        };
        let region = region_of(&before, &canvas, |a, b| a != b).unwrap_or(Region::POINT);
        self.held = Some(Held { before, after: canvas, region, delay });
        Ok(())
    }

    /// The disposal of the kept frame after which the least has to be painted, and the region that is cleared if it is
    /// disposed of.
    fn disposal(&self, held: &Held, next: &RgbaImage) -> (Disposal, Region) {
        let vanished = region_of(&held.after, next, |shown, next| shown[3] > next[3]);
        let cleared = vanished.map_or(held.region, |vanished| held.region.with(vanished));
        // Outside this region nothing changes, whatever happens to the kept frame.
        let changes = region_of(&held.after, next, |shown, next| shown != next);
        let region = changes.map_or(cleared, |changes| cleared.with(changes));
        let mut ways =
            [Disposal::Keep, Disposal::Restore, Disposal::Clear].map(|kind| Way::new(kind, self.limit));
        let before = region.pixels(&held.before).zip(region.pixels(&held.after));
        for ((x, y), ((before, shown), next)) in region.places().zip(before.zip(region.pixels(next))) {
            let below = if cleared.holds(x, y) { [0; 4] } else { shown };
            for (way, under) in ways.iter_mut().zip([shown, before, below]) {
                way.add(under, next);
            }
        }
        let best = ways
            .iter()
            .filter(|way| way.leads_there)
            .reduce(|best, way| if way.beats(best) { way } else { best });
        (best.map_or(Disposal::Clear, |way| way.disposal), cleared)
    }
}

/// What has to be painted after a disposal.
struct Way {
    disposal: Disposal,
    /// No remaining pixel would have to become transparent.
    leads_there: bool,
    colors: Paint,
    pixels: usize,
    /// How often neighboring pixels differ in color, or in whether they change.
    turns: usize,
    last: Option<Color>,
}

impl Way {
    fn new(disposal: Disposal, limit: usize) -> Self {
        Self { disposal, leads_there: true, colors: Paint::new(limit), pixels: 0, turns: 0, last: None }
    }

    fn add(&mut self, under: Color, next: Color) {
        let painted = Some(next).filter(|next| under != *next);
        self.leads_there &= under[3] <= next[3];
        self.turns += usize::from(painted != self.last);
        self.last = painted;
        if let Some(color) = painted {
            self.colors.add(color);
            self.pixels += 1;
        }
    }

    /// Whether it fits into one frame's colors and the other does not; otherwise, whether it has fewer pixels and fewer
    /// color changes, which determine the size after LZW.
    fn beats(&self, other: &Self) -> bool {
        match self.colors.fill().cmp(&other.colors.fill()) {
            Ordering::Less => true,
            Ordering::Equal => self.pixels < other.pixels && self.turns < other.turns,
            Ordering::Greater => false,
        }
    }
}

/// Whether a step leaves a pixel unchanged, so that it can be transparent.
pub(crate) fn is_kept(before: Color, after: Color) -> bool {
    before == after && after[3] > 0
}
