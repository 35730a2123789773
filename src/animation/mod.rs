//! What the readers and writers of animations share: a canvas, the time of frames, the region that changes, a set of colors.

pub(crate) mod canvas;
pub(crate) mod clock;
pub(crate) mod color_set;
pub(crate) mod reader;
pub(crate) mod region;

use image::RgbaImage;

use crate::animation::clock::Delay;
use crate::error::Result;
use crate::warning::Warning;

/// What the visitor of frames is handed: a canvas as it is shown, and for how long.
pub(crate) type Show<'a> = dyn FnMut(RgbaImage, Delay) -> Result<()> + 'a;

/// What is known of the whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Animation {
    /// Width and height of the canvas in pixels.
    pub(crate) size: (u32, u32),
    /// How often it plays; 0 is for ever.
    pub(crate) plays: u32,
    /// Bytes that the file may have.
    pub(crate) max_bytes: u64,
}

/// The warning where an animation does not keep all of its colors.
pub(crate) const COLORS_REDUCED: &str = "colors_reduced";

/// Says something once.
pub(crate) fn note(warnings: &mut Vec<Warning>, new: Warning) {
    if warnings.iter().all(|warning| warning.code != new.code) {
        warnings.push(new);
    }
}
