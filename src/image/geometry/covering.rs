//! The geometry of a picture that covers another one in fewer or more pixels: a gain map.

#[cfg(feature = "full")]
use image::metadata::Orientation;

use crate::image::fit::scale;
use crate::image::geometry::{Extent, Geometry};
use crate::pixels::part::{Part, turned_size};

impl Geometry {
    /// The same for a picture that is not turned.
    #[cfg(feature = "full")]
    pub(crate) fn unturned(self) -> Self {
        let (width, height) = turned_size((self.width, self.height), self.orientation);
        Self { width, height, orientation: Orientation::NoTransforms, ..self }
    }

    /// The same for a picture of the size `own` that covers the stored one, as its gain map does, in an output of `size`. Its output has
    /// the ratio of `size`, and about as many pixels less than this one as it has itself.
    pub(crate) fn over(&self, own: (u32, u32), size: (u32, u32)) -> Self {
        let target = self.stored_target_at(size);
        let of_picture = self.shown.shaped(target, self.position);
        let along = |from: f64, length: f64, own: u32, stored: u32| {
            let scale = |side: f64| side * f64::from(own) / f64::from(stored);
            let from = scale(from);
            let length = scale(length).min(f64::from(own) - from);
            let first = (from as u32).min(own - 1);
            let end = ((from + length).ceil() as u32).clamp(first + 1, own);
            (from, length, first, end - first)
        };
        let (left, width, first_column, columns) =
            along(of_picture.left, of_picture.width, own.0, self.stored.0);
        let (top, height, first_row, rows) = along(of_picture.top, of_picture.height, own.1, self.stored.1);
        let shown = Extent { left, top, width, height };
        let stays = target == self.stored && shown == Part::whole(own).into();
        let scaled = |target: u32, own: u32, stored: u32, shown: f64| {
            (f64::from(target) * f64::from(own) / f64::from(stored)).min(shown)
        };
        let least =
            (scaled(target.0, own.0, self.stored.0, width), scaled(target.1, own.1, self.stored.1, height));
        let stored_target = if stays { own } else { shaped_like(target, least) };
        let (width, height) = turned_size(stored_target, self.orientation);
        Self {
            width,
            height,
            orientation: self.orientation,
            part: Part { left: first_column, top: first_row, width: columns, height: rows },
            shown,
            place: Part::whole((width, height)),
            edits: self.edits,
            position: None,
            strategy: None,
            stored: own,
            shrunk_for: None,
        }
    }
}

/// A size with the ratio of `shape` and at least the sides `least`, rounded. As few pixels have only some ratios, up to a quarter more
/// columns are added until the ratio is right within 0.2 %.
fn shaped_like(shape: (u32, u32), least: (f64, f64)) -> (u32, u32) {
    let first = least.0.max(least.1 * f64::from(shape.0) / f64::from(shape.1)).round() as u32;
    let first = first.max(1);
    // A multiple of the shape is exact.
    let last = (first + first / 4 + 8).min(first.div_ceil(shape.0).saturating_mul(shape.0));
    let (across, down) = (u64::from(shape.0), u64::from(shape.1));
    let mut best = (u64::MAX, (first, 1));
    for width in first..=last {
        let height = scale(width, shape.1, shape.0);
        let (wanted, found) = (u64::from(width) * down, u64::from(height) * across);
        let off = wanted.abs_diff(found) * 1000 / wanted;
        if off < best.0 {
            best = (off, (width, height));
        }
        if off <= 2 {
            break;
        }
    }
    best.1
}
