//! The list of stages between a decoder and an encoder: crop → color → resize → orient → tone map → flatten → pad →
//! overlay. Still pictures, pages, the frames of animations and the pictures inside an SVG all go through this list.
//!
//! Each stage is a file. Pixels are turned upright after resizing, which gives the same picture for less work;
//! [`geometry`](super::geometry) translates the requested size into the frame of the stored pixels.

use std::borrow::Cow;

use image::DynamicImage;
use image::metadata::Orientation;

use crate::error::Result;
use crate::formats::Traits;
use crate::image::color_profile::{self, ProfileAction};
#[cfg(feature = "pictures")]
use crate::image::flatten;
use crate::image::geometry::{Extent, Geometry};
use crate::image::overlay::Mark;
use crate::image::pad::{self, Padding};
use crate::image::progress::Reporter;
use crate::image::resize;
#[cfg(feature = "full")]
use crate::image::tone_map;
use crate::options::{Background, Position};
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
use crate::pixels::orient;
use crate::pixels::part::Part;
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
    /// The pixels to keep, in the frame of the stored pixels as they are decoded; `None` keeps all.
    pub(crate) crop: Option<Extent>,
    /// What happens to the color profile, and the profile.
    pub(crate) profile: (ProfileAction, Option<&'a [u8]>),
    /// The size in the frame of the stored pixels; `None` keeps it.
    pub(crate) resize: Option<Resizing>,
    /// The orientation that turns the pixels upright.
    pub(crate) orientation: Orientation,
    /// What the output can store, and the background if it has no alpha; `None` keeps the pixel type.
    #[cfg_attr(not(feature = "pictures"), allow(dead_code))]
    pub(crate) output: Option<(Traits, Option<Background>)>,
    /// What is added around the picture.
    pub(crate) padding: Option<Padding>,
    /// What is laid over the picture.
    pub(crate) overlay: Option<&'a Mark>,
}

/// The parameters of the resize stage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resizing {
    /// The picture within the decoded pixels, or the part of them that is kept.
    pub(crate) extent: Extent,
    /// Width and height in pixels.
    pub(crate) target: (u32, u32),
    /// Where a source of another shape is cropped.
    pub(crate) position: Option<Position>,
}

impl<'a> Stages<'a> {
    /// The stages that make a picture of the size `target` (in the frame of the stored pixels) from the pixels of `extent`.
    pub(crate) fn of(geometry: &Geometry, extent: Extent, target: (u32, u32)) -> Self {
        let crop = geometry.crops().then_some(extent);
        // What is left of the edge pixels is within the part that is cut.
        let inner = match crop {
            Some(Extent { left, top, .. }) => Extent { left: left.fract(), top: top.fract(), ..extent },
            None => extent,
        };
        let resize = geometry.resamples(target).then_some(Resizing {
            extent: inner,
            target,
            position: geometry.position,
        });
        Self { crop, resize, orientation: geometry.orientation, ..Self::KEPT }
    }

    /// Leaves pixels unchanged.
    pub(crate) const KEPT: Self = Self {
        crop: None,
        profile: (ProfileAction::Carried, None),
        resize: None,
        orientation: Orientation::NoTransforms,
        output: None,
        padding: None,
        overlay: None,
    };

    /// Runs all stages on a decoded picture and adds each loss to `warnings`. Without `progress`, the picture is a part of the
    /// input, and its stages are not reported.
    pub(crate) fn run(
        &self,
        decoded: Decoded,
        progress: Option<&mut Reporter<'_>>,
        warnings: &mut Vec<Warning>,
    ) -> Result<DynamicImage> {
        let settled = self.settle(decoded, warnings);
        let shaped = self.shape(Cow::Owned(settled), progress)?;
        Ok(self.fit(shaped, warnings))
    }

    /// The stages that outputs of different sizes have in common: crop and color.
    pub(crate) fn settle(&self, decoded: Decoded, warnings: &mut Vec<Warning>) -> DynamicImage {
        let (action, icc) = self.profile;
        match decoded {
            Decoded::Pixels(image) => color_profile::settle(cut(image, self.crop), icc, action, warnings),
            #[cfg(feature = "full")]
            Decoded::Cmyk(inks) => cut(color_profile::settle_cmyk(&inks, icc, warnings), self.crop),
        }
    }

    /// The stages that outputs of one size have in common: resize and orient.
    pub(crate) fn shape(
        &self,
        settled: Cow<'_, DynamicImage>,
        progress: Option<&mut Reporter<'_>>,
    ) -> Result<DynamicImage> {
        let image = match self.resize {
            Some(Resizing { extent, target, position }) => {
                if let Some(progress) = progress {
                    progress.resize();
                }
                resize::apply_to(settled, extent, target, position)?
            }
            None => settled.into_owned(),
        };
        Ok(orient::apply(image, self.orientation))
    }

    /// The stages that depend on what the output can store: tone map, flatten, pad and overlay.
    #[cfg_attr(not(feature = "pictures"), allow(unused_variables, clippy::ptr_arg))]
    pub(crate) fn fit(&self, image: DynamicImage, warnings: &mut Vec<Warning>) -> DynamicImage {
        #[cfg(feature = "pictures")]
        let image = match self.output {
            Some((output, background)) => {
                #[cfg(feature = "full")]
                let image = tone_map::settle(image, output, warnings);
                flatten::apply(image, output, background.unwrap_or_default(), warnings)
            }
            None => image,
        };
        let image = match &self.padding {
            Some(padding) => pad::apply(image, padding),
            None => image,
        };
        match self.overlay {
            Some(overlay) => overlay.lay(image),
            None => image,
        }
    }
}

/// The crop stage: keeps the pixels that a part covers, also those at its edges that it covers in part.
fn cut(image: DynamicImage, crop: Option<Extent>) -> DynamicImage {
    let Some(extent) = crop else { return image };
    let span = |from: f64, length: f64, all: u32| {
        let start = (from as u32).min(all - 1);
        (start, ((from + length).ceil() as u32).clamp(start + 1, all) - start)
    };
    let (left, width) = span(extent.left, extent.width, image.width());
    let (top, height) = span(extent.top, extent.height, image.height());
    orient::cut(image, Part { left, top, width, height })
}
