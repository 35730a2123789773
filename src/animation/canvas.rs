//! What a viewer shows: pieces painted on a canvas one after the other, each disposed of before the next.

use image::RgbaImage;

use crate::animation::clock::Delay;
use crate::animation::region::{Color, Region};

/// What becomes of a piece when its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disposal {
    /// It stays.
    Keep,
    /// Its region becomes clear.
    Clear,
    /// What was there before comes back.
    Restore,
}

/// One frame as files store it.
pub(crate) struct Piece {
    /// Its place on the canvas; parts of it may lie outside.
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) pixels: RgbaImage,
    /// It is laid over what is there, rather than put in its place.
    pub(crate) blends: bool,
    pub(crate) disposal: Disposal,
    /// How long it is shown.
    pub(crate) delay: Delay,
}

/// The canvas, clear at first. A pixel that is clear has no color.
pub(crate) struct Canvas {
    shown: RgbaImage,
    /// As it was before the last piece, where that asks for it.
    before: Option<RgbaImage>,
    /// What the last piece leaves to be cleared.
    leaving: Option<Region>,
}

impl Canvas {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { shown: RgbaImage::new(width, height), before: None, leaving: None }
    }

    /// Disposes of the last piece and paints the next; the canvas as it is then shown.
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

    /// The part of the canvas that a piece covers.
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
                    (true, _) => over(*from, *to),
                };
            }
        }
    }
}

/// One color over another, both with straight alpha, rounded to the nearest.
fn over(above: Color, below: Color) -> Color {
    let wide = |color: Color| color.map(u32::from);
    let ([.., above_alpha], [.., below_alpha]) = (wide(above), wide(below));
    // Weights in 255ths of 255ths.
    let (ours, theirs) = (above_alpha * 255, below_alpha * (255 - above_alpha));
    let sum = (ours + theirs).max(1);
    let mut out = [0; 4];
    for (out, (above, below)) in out.iter_mut().zip(wide(above).into_iter().zip(wide(below))) {
        *out = ((above * ours + below * theirs + sum / 2) / sum) as u8;
    }
    out[3] = ((sum + 127) / 255) as u8;
    out
}
