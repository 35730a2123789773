//! The stages between a decoder and an encoder, in their order: color → resize → orient → tone map → flatten. Still pictures, pages,
//! the frames of animations and the pictures inside a drawing all go through this one list.
//!
//! Each stage is a file. Pixels are turned upright after they were resized, which gives the same picture for less work:
//! the asked size is translated into the frame of the stored pixels first (see [`geometry`](super::geometry)).

use image::DynamicImage;
use image::metadata::Orientation;

use crate::error::Result;
use crate::formats::Traits;
use crate::image::color::{self, ProfileAction};
#[cfg(feature = "core")]
use crate::image::flatten;
use crate::image::output::Stage;
use crate::image::resize;
#[cfg(feature = "full")]
use crate::image::tone_map;
use crate::options::Background;
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
use crate::pixels::orient;
use crate::warning::Warning;

/// What a decoder hands over.
pub(crate) enum Decoded {
    /// Gray or RGB.
    Pixels(DynamicImage),
    /// Four inks, which become sRGB by the profile.
    #[cfg(feature = "full")]
    Cmyk(Cmyk),
}

/// What each stage does to a picture.
pub(crate) struct Stages<'a> {
    /// What is done with a profile, and the profile.
    pub(crate) profile: (ProfileAction, Option<&'a [u8]>),
    /// The size in the frame of the stored pixels; `None` keeps it.
    pub(crate) resize: Option<Resizing>,
    /// What turns the pixels upright.
    pub(crate) orientation: Orientation,
    /// What the output holds, and what shows through where it holds no alpha; `None` keeps the kind of the pixels.
    #[cfg_attr(not(feature = "core"), allow(dead_code))]
    pub(crate) output: Option<(Traits, Background)>,
}

/// A size that is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resizing {
    /// How far the picture reaches in what is decoded of it.
    pub(crate) extent: (f64, f64),
    /// Width and height in pixels.
    pub(crate) target: (u32, u32),
    /// What does not have that shape is cut off evenly at both sides.
    pub(crate) crops: bool,
}

impl Resizing {
    /// Of all pixels of a picture.
    #[cfg(feature = "core")]
    pub(crate) fn of((width, height): (u32, u32), target: (u32, u32), crops: bool) -> Self {
        Self { extent: (f64::from(width), f64::from(height)), target, crops }
    }
}

impl Stages<'_> {
    /// Pixels that stay as they are.
    #[cfg(feature = "core")]
    pub(crate) const KEPT: Self = Self {
        profile: (ProfileAction::Carried, None),
        resize: None,
        orientation: Orientation::NoTransforms,
        output: None,
    };

    /// Takes a decoded picture through all stages. What is lost on the way is told in `warnings`.
    pub(crate) fn run(
        &self,
        decoded: Decoded,
        on_stage: &mut dyn FnMut(Stage),
        warnings: &mut Vec<Warning>,
    ) -> Result<DynamicImage> {
        let (action, icc) = self.profile;
        let image = match decoded {
            Decoded::Pixels(image) => color::settle(image, icc, action, warnings),
            #[cfg(feature = "full")]
            Decoded::Cmyk(inks) => color::settle_cmyk(&inks, icc, warnings),
        };
        let image = match self.resize {
            Some(Resizing { extent, target, crops }) => {
                on_stage(Stage::Resize);
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
