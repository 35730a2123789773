//! Rectangles of a canvas, and the changed region between two canvases of the same size.

use image::RgbaImage;

/// Red, green, blue and straight alpha.
pub(crate) type Color = [u8; 4];

/// A rectangle of a canvas, in pixels. It lies within the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Region {
    /// The whole canvas.
    pub(crate) fn whole(canvas: &RgbaImage) -> Self {
        Self { left: 0, top: 0, width: canvas.width(), height: canvas.height() }
    }

    /// The first pixel.
    pub(crate) const POINT: Self = Self { left: 0, top: 0, width: 1, height: 1 };

    /// The smallest rectangle that contains both.
    pub(crate) fn with(self, other: Self) -> Self {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        Self {
            left,
            top,
            width: (self.left + self.width).max(other.left + other.width) - left,
            height: (self.top + self.height).max(other.top + other.height) - top,
        }
    }

    /// The same region with even left and top, as WebP requires.
    pub(crate) fn even(self) -> Self {
        self.with(Self { left: self.left & !1, top: self.top & !1, width: 1, height: 1 })
    }

    pub(crate) fn holds(self, x: u32, y: u32) -> bool {
        x.wrapping_sub(self.left) < self.width && y.wrapping_sub(self.top) < self.height
    }

    /// The places of the pixels, row by row.
    pub(crate) fn places(self) -> impl Iterator<Item = (u32, u32)> {
        let columns = self.left..self.left + self.width;
        (self.top..self.top + self.height).flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    /// The pixels of the region, row by row.
    pub(crate) fn pixels(self, canvas: &RgbaImage) -> impl Iterator<Item = Color> {
        let columns = self.left as usize..(self.left + self.width) as usize;
        colors(canvas)
            .chunks_exact(canvas.width().max(1) as usize)
            .skip(self.top as usize)
            .take(self.height as usize)
            .flat_map(move |row| row.get(columns.clone()).unwrap_or_default())
            .copied()
    }

    /// Makes the region transparent.
    pub(crate) fn clear(self, canvas: &mut RgbaImage) {
        let columns = self.left as usize..(self.left + self.width) as usize;
        let width = canvas.width().max(1) as usize;
        let rows = canvas.as_chunks_mut::<4>().0.chunks_exact_mut(width);
        for row in rows.skip(self.top as usize).take(self.height as usize) {
            row.get_mut(columns.clone()).unwrap_or_default().fill([0; 4]);
        }
    }
}

/// The pixels of a canvas, row by row.
pub(crate) fn colors(canvas: &RgbaImage) -> &[Color] {
    canvas.as_chunks().0
}

/// The smallest rectangle with all pixels for which `differs` is true. `differs` must be false for equal pixels.
pub(crate) fn region_of(
    before: &RgbaImage,
    after: &RgbaImage,
    differs: impl Fn(Color, Color) -> bool,
) -> Option<Region> {
    let width = before.width().max(1) as usize;
    let rows = colors(before).chunks_exact(width).zip(colors(after).chunks_exact(width));
    let mut found: Option<Region> = None;
    for (y, (before, after)) in rows.enumerate().filter(|(_, (before, after))| before != after) {
        let differs = |(before, after): (&Color, &Color)| differs(*before, *after);
        let Some(first) = before.iter().zip(after).position(differs) else { continue };
        let last = before.iter().zip(after).rposition(differs).unwrap_or(first);
        let row = Region { left: first as u32, top: y as u32, width: (last - first + 1) as u32, height: 1 };
        found = Some(found.map_or(row, |found| found.with(row)));
    }
    found
}

/// Reverts changes of at most `tolerance` in every channel of an opaque pixel, since they are not worth a byte.
pub(crate) fn revert_small_changes(before: &RgbaImage, after: &mut RgbaImage, tolerance: u8) {
    if tolerance == 0 {
        return;
    }
    for (before, after) in colors(before).iter().zip(after.as_chunks_mut::<4>().0) {
        let near = before.iter().zip(after.iter()).all(|(a, b)| a.abs_diff(*b) <= tolerance);
        if near && before[3] == u8::MAX && after[3] == u8::MAX {
            *after = *before;
        }
    }
}

/// The tolerance per channel for a quality of 1 to 100: 0 at 100, 2 of 255 at 80.
pub(crate) fn tolerance_for(quality: u8) -> u8 {
    (100 - quality.min(100)) / 8
}
