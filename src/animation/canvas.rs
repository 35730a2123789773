//! The canvas of an animation that is read: frames are blended onto it in order, and each is disposed of before the next.
//! The disposals of a GIF or PNG that is written are chosen in `frame_plan.rs`.

use image::RgbaImage;

use crate::animation::clock::Delay;
use crate::animation::region::{Color, Region};

/// The disposal of a frame: what happens to its region before the next frame is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disposal {
    /// The region stays.
    Keep,
    /// The region becomes transparent.
    Clear,
    /// The region is restored to what it was before the frame.
    Restore,
}

/// A frame as stored in a file.
pub(crate) struct Piece {
    /// Its offset on the canvas; parts of the frame may lie outside.
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) pixels: RgbaImage,
    /// Whether it is blended onto the canvas (true) or replaces the region (false).
    pub(crate) blends: bool,
    pub(crate) disposal: Disposal,
    /// How long it is shown.
    pub(crate) delay: Delay,
}

/// The canvas, transparent at first. Fully transparent pixels have the color 0.
pub(crate) struct Canvas {
    shown: RgbaImage,
    /// The canvas before the last frame, if that has to be restored.
    before: Option<RgbaImage>,
    /// The region of the last frame, if that has to be cleared.
    leaving: Option<Region>,
}

impl Canvas {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { shown: RgbaImage::new(width, height), before: None, leaving: None }
    }

    /// Disposes of the last frame and draws the next. Returns the canvas.
    pub(crate) fn show(&mut self, piece: &Piece) -> &RgbaImage {
        if let Some(region) = self.leaving.take() {
            region.clear(&mut self.shown);
        }
        if let Some(before) = self.before.take() {
            self.shown = before;
        }
        match piece.disposal {
            Disposal::Keep => {}
            Disposal::Clear => self.leaving = self.within(piece),
            Disposal::Restore => self.before = Some(self.shown.clone()),
        }
        if let Some(region) = self.within(piece) {
            self.paint(piece, region);
        }
        &self.shown
    }

    /// The part of the canvas that a frame covers.
    fn within(&self, piece: &Piece) -> Option<Region> {
        let width = self.shown.width().checked_sub(piece.left)?.min(piece.pixels.width());
        let height = self.shown.height().checked_sub(piece.top)?.min(piece.pixels.height());
        (width > 0 && height > 0).then_some(Region { left: piece.left, top: piece.top, width, height })
    }

    fn paint(&mut self, piece: &Piece, region: Region) {
        let columns = self.shown.width() as usize;
        let from = piece.pixels.as_chunks::<4>().0.chunks_exact(piece.pixels.width() as usize);
        let to = self.shown.as_chunks_mut::<4>().0.chunks_exact_mut(columns).skip(region.top as usize);
        for (from, to) in from.zip(to) {
            for (from, to) in from.iter().zip(to.iter_mut().skip(region.left as usize)) {
                *to = match (piece.blends, from[3]) {
                    (false, 0) => [0; 4],
                    (true, 0) => *to,
                    (false, _) | (true, u8::MAX) => *from,
                    (true, _) => blend(*from, *to),
                };
            }
        }
    }
}

/// Blends one color onto another (straight alpha), rounded to nearest.
fn blend(above: Color, below: Color) -> Color {
    let wide = |color: Color| color.map(u32::from);
    let ([.., above_alpha], [.., below_alpha]) = (wide(above), wide(below));
    // Weights in units of 1/255².
    let (ours, theirs) = (above_alpha * 255, below_alpha * (255 - above_alpha));
    let sum = (ours + theirs).max(1);
    let mut out = [0; 4];
    for (out, (above, below)) in out.iter_mut().zip(wide(above).into_iter().zip(wide(below))) {
        *out = ((above * ours + below * theirs + sum / 2) / sum) as u8;
    }
    out[3] = ((sum + 127) / 255) as u8;
    out
}
