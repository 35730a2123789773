//! The list of stages between a decoder and an encoder: color → resize → orient → tone map → flatten. Still pictures,
//! pages, the frames of animations and the pictures inside an SVG all go through this list.
//!
//! Each stage is a file. Pixels are turned upright after resizing, which gives the same picture for less work;
//! [`geometry`](super::geometry) translates the requested size into the frame of the stored pixels.

use image::DynamicImage;
use image::metadata::Orientation;

use crate::error::Result;
use crate::formats::Traits;
use crate::image::color_profile::{self, ProfileAction};
#[cfg(feature = "core")]
use crate::image::flatten;
use crate::image::progress::Reporter;
use crate::image::resize;
#[cfg(feature = "full")]
use crate::image::tone_map;
use crate::options::Background;
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
use crate::pixels::orient;
use crate::warning::Warning;

/// The output of a decoder.
pub(crate) enum Decoded {
    /// Gray or RGB.
    Pixels(DynamicImage),
    /// CMYK, which the color stage converts to sRGB by the profile.
    #[cfg(feature = "full")]
    Cmyk(Cmyk),
}

/// The parameters of all stages.
pub(crate) struct Stages<'a> {
    /// What happens to the color profile, and the profile.
    pub(crate) profile: (ProfileAction, Option<&'a [u8]>),
    /// The size in the frame of the stored pixels; `None` keeps it.
    pub(crate) resize: Option<Resizing>,
    /// The orientation that turns the pixels upright.
    pub(crate) orientation: Orientation,
    /// What the output can store, and the background if it has no alpha; `None` keeps the pixel type.
    #[cfg_attr(not(feature = "core"), allow(dead_code))]
    pub(crate) output: Option<(Traits, Background)>,
}

/// The parameters of the resize stage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resizing {
    /// The size of the picture within the decoded pixels.
    pub(crate) extent: (f64, f64),
    /// Width and height in pixels.
    pub(crate) target: (u32, u32),
    /// Whether a source of another shape is cropped evenly at both sides.
    pub(crate) crops: bool,
}

impl Resizing {
    /// Resizes all pixels of a picture.
    #[cfg(feature = "core")]
    pub(crate) fn of((width, height): (u32, u32), target: (u32, u32), crops: bool) -> Self {
        Self { extent: (f64::from(width), f64::from(height)), target, crops }
    }
}

impl Stages<'_> {
    /// Leaves pixels unchanged.
    #[cfg(feature = "core")]
    pub(crate) const KEPT: Self = Self {
        profile: (ProfileAction::Carried, None),
        resize: None,
        orientation: Orientation::NoTransforms,
        output: None,
    };

    /// Runs all stages on a decoded picture and adds each loss to `warnings`. Without `progress`, the picture is a part of the
    /// input, and its stages are not reported.
    pub(crate) fn run(
        &self,
        decoded: Decoded,
        progress: Option<&mut Reporter<'_>>,
        warnings: &mut Vec<Warning>,
    ) -> Result<DynamicImage> {
        let (action, icc) = self.profile;
        let image = match decoded {
            Decoded::Pixels(image) => color_profile::settle(image, icc, action, warnings),
            #[cfg(feature = "full")]
            Decoded::Cmyk(inks) => color_profile::settle_cmyk(&inks, icc, warnings),
        };
        let image = match self.resize {
            Some(Resizing { extent, target, crops }) => {
                if let Some(progress) = progress {
                    progress.resize();
                }
                resize::apply_to(image, extent, target, crops)?
            }
            None => image,
        };
        let image = orient::apply(image, self.orientation);
        #[cfg(feature = "core")]
        if let Some((output, background)) = self.output {
            #[cfg(feature = "full")]
            let image = tone_map::settle(image, output, warnings);
            return Ok(flatten::apply(image, output, background, warnings));
        }
        Ok(image)
    }
}
