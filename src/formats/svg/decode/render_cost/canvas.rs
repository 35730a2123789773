//! The pixels of a layer.

use resvg::tiny_skia::{IntRect, Rect};

/// A layer's pixels.
pub(super) struct Canvas {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Layers are clipped to this.
    pub(super) bounds: IntRect,
}

impl Canvas {
    /// A layer may be five times as wide and as high.
    pub(super) fn new(width: u32, height: u32) -> Option<Self> {
        let start = |side: u32| i32::try_from(side).unwrap_or(i32::MAX).saturating_mul(-2);
        let bounds = IntRect::from_xywh(
            start(width),
            start(height),
            width.saturating_mul(5),
            height.saturating_mul(5),
        )?;
        Some(Self { width: f64::from(width), height: f64::from(height), bounds })
    }

    pub(super) fn area(&self) -> f64 {
        self.width * self.height
    }

    /// The part of a box on the canvas.
    pub(super) fn covered(&self, area: Rect) -> f64 {
        let width = f64::from(area.right()).min(self.width) - f64::from(area.left()).max(0.0);
        let height = f64::from(area.bottom()).min(self.height) - f64::from(area.top()).max(0.0);
        // At least one pixel, which a line touches.
        if width < 0.0 || height < 0.0 { 0.0 } else { width.max(1.0) * height.max(1.0) }
    }
}
