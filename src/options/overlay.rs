//! The option `overlay`: a picture that is laid over the output, such as a watermark.

use std::sync::Arc;

use crate::error::Result;
use crate::options::{MAX_SIDE, Position};
use crate::value::{ObjectReader, PixelsOrPercent};

/// A picture that is laid over the output, and its place in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// A file of any image type that is read.
    pub image: Arc<Vec<u8>>,
    /// Where it is. Default: in the middle.
    pub position: Position,
    /// 0 (invisible) to 1 (as it is). Default 1.
    pub opacity: f64,
    /// The distance to the edges that `position` names. A percentage is one of the shorter side of the output. Default 0.
    pub margin: PixelsOrPercent,
    /// The width that it is resized to. A percentage is one of the width of the output. Default: its own width.
    pub width: Option<PixelsOrPercent>,
}

impl Overlay {
    pub(super) fn parse(mut reader: ObjectReader) -> Result<Self> {
        let side = u64::from(MAX_SIDE);
        let place = "\"center\", an edge (\"top\", \"left\") or a corner (\"top left\")";
        let overlay = Self {
            position: reader.string("position", place, Position::parse)?.unwrap_or_default(),
            opacity: reader.number("opacity", 0.0..=1.0)?.unwrap_or(1.0),
            margin: reader.pixels_or_percent("margin", 0..=side)?.unwrap_or(PixelsOrPercent::Pixels(0.0)),
            width: reader.pixels_or_percent("width", 1..=side)?,
            image: Arc::new(reader.bytes("image", "an image file")?),
        };
        reader.finish()?;
        Ok(overlay)
    }

    /// The width in pixels on an output of `canvas` pixels across; `None`: its own.
    pub(crate) fn width_on(&self, canvas: u32) -> Option<u32> {
        self.width.map(|width| (width.of(canvas) as u32).max(1))
    }

    /// The left upper corner of an overlay of (width, height) on an output of the size `canvas`. What is outside is cut off.
    pub(crate) fn corner(&self, (width, height): (u32, u32), canvas: (u32, u32)) -> (i64, i64) {
        let margin = self.margin.of(canvas.0.min(canvas.1)) as i64;
        let start = |length: u32, all: u32, share: f64| {
            let free = i64::from(all) - i64::from(length);
            match share {
                0.0 => margin,
                1.0 => free - margin,
                _ => free.div_euclid(2),
            }
        };
        (start(width, canvas.0, self.position.x), start(height, canvas.1, self.position.y))
    }
}
