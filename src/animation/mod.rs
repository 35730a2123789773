//! What the readers and writers of animations share: the canvas, frame durations, changed regions, disposals, and color sets.

pub(crate) mod canvas;
pub(crate) mod clock;
pub(crate) mod color_set;
pub(crate) mod frame_plan;
pub(crate) mod reader;
pub(crate) mod region;

use image::RgbaImage;

use crate::animation::clock::Delay;
use crate::error::{Error, Result};
use crate::warning::Warning;

/// Called with each composed canvas and its duration.
pub(crate) type Show<'a> = dyn FnMut(RgbaImage, Delay) -> Result<()> + 'a;

/// The properties of an animation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Animation {
    /// Width and height of the canvas in pixels.
    pub(crate) size: (u32, u32),
    /// The number of plays; 0 means forever.
    pub(crate) plays: u32,
    /// The limit on the bytes of the file.
    pub(crate) max_bytes: u64,
    /// Whether the file gets a color profile: then color stays color.
    pub(crate) has_profile: bool,
}

impl Animation {
    /// Refuses a file that has grown over the limit.
    pub(crate) fn check_length(&self, length: usize) -> Result<()> {
        let (length, most) = (length as u64, self.max_bytes);
        if length <= most {
            return Ok(());
        }
        let message = format!("The output has grown to {length} bytes; limits.maxMemoryBytes allows {most}.");
        Err(Error::too_much_memory(message, length, most))
    }
}

/// The warning for an animation that loses colors.
pub(crate) const COLORS_REDUCED: &str = "colors_reduced";

/// Adds a warning once.
pub(crate) fn note(warnings: &mut Vec<Warning>, new: Warning) {
    if warnings.iter().all(|warning| warning.code != new.code) {
        warnings.push(new);
    }
}
