//! Rectangles whose edges can be inside pixels.

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
    /// The largest part of the shape of (width, height), at a position; without one all, which is stretched.
    pub(crate) fn shaped(self, (width, height): (u32, u32), position: Option<Position>) -> Self {
        let (across, down) = (self.width, self.height);
        let shape = f64::from(width) / f64::from(height);
        let shown = match position {
            None => (across, down),
            Some(_) if (across / down - shape).abs() < f64::EPSILON => (across, down),
            Some(_) if across / down > shape => (shape * down, down),
            Some(_) => (across, across / shape),
        };
        let Position { x, y } = position.unwrap_or_default();
        let (left, top) = (self.left + (across - shown.0) * x, self.top + (down - shown.1) * y);
        Self { left, top, width: shown.0, height: shown.1 }
    }
}

impl From<Part> for Extent {
    fn from(part: Part) -> Self {
        let [left, top, width, height] = [part.left, part.top, part.width, part.height].map(f64::from);
        Self { left, top, width, height }
    }
}
