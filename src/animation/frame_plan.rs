//! Plans what each frame of a file paints: the region that changes, and the disposal of the frame before it that makes
//! this region small.

use std::cmp::Ordering;

use image::RgbaImage;

use crate::animation::canvas::Disposal;
use crate::animation::clock::{Clock, Delay};
use crate::animation::color_set::ColorSet;
use crate::animation::region::{Color, Region, region_of, revert_small_changes};
use crate::error::Result;

/// The maximum delay of a frame, in hundredths of a second.
const MAX_DELAY: u32 = u16::MAX as u32;

/// A frame to write.
pub(crate) struct Step<'a> {
    /// The canvas before and after the frame. Where frames only paint, pixels that are transparent after it were
    /// transparent before it.
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
    /// Whether a frame can make pixels transparent, or else only paint.
    clears: bool,
    pending: Option<PendingFrame>,
}

struct PendingFrame {
    before: RgbaImage,
    after: RgbaImage,
    region: Region,
    delay: u32,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(
        tolerance: u8,
        limit: usize,
        clears: bool,
        take: &'a mut dyn FnMut(Step<'_>) -> Result<()>,
    ) -> Self {
        Self { take, clock: Clock::new(100), tolerance, limit, clears, pending: None }
    }

    /// Adds the next frame. All transparent pixels are equal; where frames only paint, all others are opaque.
    pub(crate) fn show(&mut self, mut canvas: RgbaImage, delay: Delay) -> Result<()> {
        let delay = self.clock.ticks(delay);
        let (now, later) = (delay.min(MAX_DELAY), delay.saturating_sub(MAX_DELAY));
        match self.pending.take() {
            None => {
                let before = RgbaImage::new(canvas.width(), canvas.height());
                // The first frame covers the canvas, because some viewers take their size from it.
                let region = Region::whole(&canvas);
                self.pending = Some(PendingFrame { before, after: canvas, region, delay: now });
            }
            Some(pending) => {
                revert_small_changes(&pending.after, &mut canvas, self.tolerance);
                self.follow(pending, canvas, now)?;
            }
        }
        self.extend_delay(later)
    }

    /// Extends a delay beyond the maximum of one frame.
    fn extend_delay(&mut self, mut delay: u32) -> Result<()> {
        while delay > 0 {
            let Some(pending) = self.pending.take() else { return Ok(()) };
            let (now, again) = (delay.min(MAX_DELAY), pending.after.clone());
            self.follow(pending, again, now)?;
            delay -= now;
        }
        Ok(())
    }

    /// Writes the last frame.
    pub(crate) fn end(mut self) -> Result<()> {
        match self.pending.take() {
            Some(pending) => self.release(&pending, Disposal::Keep),
            None => Ok(()),
        }
    }

    fn release(&mut self, pending: &PendingFrame, disposal: Disposal) -> Result<()> {
        (self.take)(Step {
            before: &pending.before,
            after: &pending.after,
            region: pending.region,
            disposal,
            delay: pending.delay as u16,
        })
    }

    fn follow(&mut self, mut pending: PendingFrame, canvas: RgbaImage, delay: u32) -> Result<()> {
        if pending.after == canvas
            && self.clock.can_merge(pending.delay, delay)
            && pending.delay + delay <= MAX_DELAY
        {
            pending.delay += delay;
            self.pending = Some(pending);
            return Ok(());
        }
        let (disposal, cleared) = self.disposal(&pending, &canvas);
        if disposal == Disposal::Clear {
            pending.region = cleared;
        }
        self.release(&pending, disposal)?;
        let before = match disposal {
            Disposal::Keep => pending.after,
            Disposal::Restore => pending.before,
            Disposal::Clear => {
                cleared.clear(&mut pending.after);
                pending.after
            }
        };
        let region = region_of(&before, &canvas, |a, b| a != b).unwrap_or(Region::POINT);
        self.pending = Some(PendingFrame { before, after: canvas, region, delay });
        Ok(())
    }

    /// The disposal of the kept frame after which the least has to be painted, and the region that is cleared if it is
    /// disposed of.
    fn disposal(&self, pending: &PendingFrame, next: &RgbaImage) -> (Disposal, Region) {
        let vanished = region_of(&pending.after, next, |shown, next| shown[3] > next[3]);
        let cleared = vanished.map_or(pending.region, |vanished| pending.region.with(vanished));
        // Outside this region nothing changes, whatever happens to the kept frame.
        let changes = region_of(&pending.after, next, |shown, next| shown != next);
        let region = changes.map_or(cleared, |changes| cleared.with(changes));
        let mut costs = [Disposal::Keep, Disposal::Restore, Disposal::Clear]
            .map(|kind| DisposalCost::new(kind, self.limit));
        let before = region.pixels(&pending.before).zip(region.pixels(&pending.after));
        for ((x, y), ((before, shown), next)) in region.places().zip(before.zip(region.pixels(next))) {
            let below = if cleared.holds(x, y) { [0; 4] } else { shown };
            for (cost, under) in costs.iter_mut().zip([shown, before, below]) {
                cost.add(under, next);
            }
        }
        let best = costs
            .iter()
            .filter(|cost| self.clears || cost.is_possible)
            .reduce(|best, cost| if cost.is_better_than(best) { cost } else { best });
        (best.map_or(Disposal::Clear, |cost| cost.disposal), cleared)
    }
}

/// What has to be painted after a disposal.
struct DisposalCost {
    disposal: Disposal,
    /// No remaining pixel would have to become more transparent.
    is_possible: bool,
    colors: ColorSet,
    pixels: usize,
    /// How often neighboring pixels differ in color, or in whether they change.
    color_changes: usize,
    last: Option<Color>,
}

impl DisposalCost {
    fn new(disposal: Disposal, limit: usize) -> Self {
        Self {
            disposal,
            is_possible: true,
            colors: ColorSet::new(limit),
            pixels: 0,
            color_changes: 0,
            last: None,
        }
    }

    fn add(&mut self, under: Color, next: Color) {
        let painted = Some(next).filter(|next| under != *next);
        self.is_possible &= under[3] <= next[3];
        self.color_changes += usize::from(painted != self.last);
        self.last = painted;
        if let Some(color) = painted {
            self.colors.add(color);
            self.pixels += 1;
        }
    }

    /// Whether it fits into one frame's colors and the other does not; otherwise, whether it has fewer pixels and fewer
    /// color changes, which determine the size after LZW.
    fn is_better_than(&self, other: &Self) -> bool {
        match self.colors.level().cmp(&other.colors.level()) {
            Ordering::Less => true,
            Ordering::Equal => self.pixels < other.pixels && self.color_changes < other.color_changes,
            Ordering::Greater => false,
        }
    }
}

/// Whether a step leaves a pixel unchanged, so that it can be transparent.
pub(crate) fn is_kept(before: Color, after: Color) -> bool {
    before == after && after[3] > 0
}
