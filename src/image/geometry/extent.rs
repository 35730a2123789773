//! Rectangles whose edges can be inside pixels.

use std::cmp::Ordering;

use crate::options::Position;
use crate::pixels::part::Part;

/// A rectangle whose edges can be inside pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Extent {
    /// The largest part of the shape of (width, height), at a position; without one all, which is stretched. A part of that very size
    /// begins at a whole pixel if this does: it can be cut out.
    pub(crate) fn shaped(self, (width, height): (u32, u32), position: Option<Position>) -> Self {
        let Some(Position { x, y }) = position else { return self };
        let (wide, high) = (f64::from(width), f64::from(height));
        // As many columns to a row, multiplied by both heights: products of whole sides are exact.
        let (own, wanted) = (self.width * high, wide * self.height);
        let shown = match own.total_cmp(&wanted) {
            Ordering::Equal => (self.width, self.height),
            Ordering::Greater => (wanted / high, self.height),
            Ordering::Less => (self.width, self.width * high / wide),
        };
        let (left, top) = ((self.width - shown.0) * x, (self.height - shown.1) * y);
        let whole = |offset: f64| if shown == (wide, high) { offset.round() } else { offset };
        Self { left: self.left + whole(left), top: self.top + whole(top), width: shown.0, height: shown.1 }
    }
}

impl From<Part> for Extent {
    fn from(part: Part) -> Self {
        let [left, top, width, height] = [part.left, part.top, part.width, part.height].map(f64::from);
        Self { left, top, width, height }
    }
}
