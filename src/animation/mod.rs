//! What the readers and writers of animations share: a canvas, the time of frames, the region that changes, a set of colors.

pub(crate) mod canvas;
pub(crate) mod clock;
pub(crate) mod color_set;
pub(crate) mod region;

use image::RgbaImage;

use crate::animation::clock::Delay;
use crate::error::Result;
use crate::image::Warning;

/// What the visitor of frames is handed: a canvas as it is shown, and for how long.
pub(crate) type Show<'a> = dyn FnMut(RgbaImage, Delay) -> Result<()> + 'a;

/// Says something once.
pub(crate) fn note(warnings: &mut Vec<Warning>, new: Warning) {
    if warnings.iter().all(|warning| warning.code != new.code) {
        warnings.push(new);
    }
}
