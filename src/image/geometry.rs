//! Plans the size of the output and the transformation of the stored pixels: arithmetic on a header and the requested
//! size.

use image::metadata::Orientation;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::Header;
use crate::formats::{Encoding, codec_of};
use crate::options::{Fit, Resize};
use crate::pixels::orient::swaps;
use crate::warning::Warning;

/// The longest sides that an output may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sides {
    /// Name of the type, for messages.
    pub(crate) output: &'static str,
    /// In pixels.
    pub(crate) longest: u32,
    /// Whether a larger picture is scaled down instead of refused.
    pub(crate) shrinks: bool,
}

impl Sides {
    /// The limits of a type.
    pub(crate) fn of(encoding: Encoding) -> Self {
        let codec = codec_of(encoding.media());
        Self { output: encoding.media().name(), longest: encoding.format().max_side, shrinks: codec.shrinks }
    }
}

/// The transformation from the stored pixels to the output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Geometry {
    /// Width of the output, upright.
    pub(crate) width: u32,
    /// Height of the output, upright.
    pub(crate) height: u32,
    /// The orientation that turns the stored pixels upright.
    pub(crate) orientation: Orientation,
    /// Whether the source is cropped to the shape of the output.
    pub(crate) crops: bool,
    stored: (u32, u32),
    shrunk_for: Option<Sides>,
}

impl Geometry {
    /// Translates the requested size into the frame of the stored pixels.
    pub(crate) fn plan(
        header: &Header,
        orientation: Orientation,
        resize: Option<Resize>,
        sides: Sides,
    ) -> Result<Self> {
        let stored = (header.width, header.height);
        let upright = if swaps(orientation) { (stored.1, stored.0) } else { stored };
        let asked = target(upright, resize.unwrap_or_default());
        let Sides { output, longest: bound, shrinks } = sides;
        let (width, height) = match shrinks {
            true => shrink_to_fit(asked, Some(bound), Some(bound)),
            false => asked,
        };
        if width > bound || height > bound {
            return Err(Error::limit(
                ErrorCode::OutputTooLarge,
                format!(
                    "{} holds at most {bound} pixels a side, not {width} × {height}; ask for a resize.",
                    output
                ),
                u64::from(width.max(height)),
                u64::from(bound),
            ));
        }
        Ok(Self {
            width,
            height,
            orientation,
            crops: resize.is_some_and(|resize| resize.fit == Fit::Cover),
            stored,
            shrunk_for: ((width, height) != asked).then_some(sides),
        })
    }

    /// The size of the output in the frame of the stored pixels.
    pub(crate) fn stored_target(&self) -> (u32, u32) {
        self.upright(self.width, self.height)
    }

    /// Whether the number of pixels changes.
    pub(crate) fn resizes(&self) -> bool {
        self.stored_target() != self.stored
    }

    /// The factor by which the sides are reduced during decoding: 1, 2, 4 or 8. The resampler then still has enough
    /// more pixels than the output (see [`REDUCTIONS`]) to make the same picture as from the full size.
    pub(crate) fn reduction(&self, header: &Header) -> u32 {
        let (width, height) = self.stored_target();
        let suffices = |stored: u32, side: u32, tenths: u32| {
            u64::from(stored) * 10 >= u64::from(side) * u64::from(tenths)
        };
        let found = REDUCTIONS.into_iter().find(|&(reduction, tenths)| {
            header.reducible
                && self.stored.0.min(self.stored.1) >= LEAST_REDUCED * reduction
                && suffices(self.stored.0, width, tenths)
                && suffices(self.stored.1, height, tenths)
        });
        found.map_or(1, |(reduction, _)| reduction)
    }

    /// The size of the picture within its reduced form. If a side is not a multiple of the reduction, the picture ends
    /// inside the last pixel.
    pub(crate) fn extent(&self, header: &Header) -> (f64, f64) {
        let reduction = f64::from(self.reduction(header));
        (f64::from(self.stored.0) / reduction, f64::from(self.stored.1) / reduction)
    }

    /// Whether pixels stay what they are and where they are.
    pub(crate) fn keeps_pixels(&self) -> bool {
        !self.resizes() && self.orientation == Orientation::NoTransforms
    }

    /// Swaps a stored size to an upright one, or back, if the orientation turns by 90°.
    pub(crate) fn upright(&self, width: u32, height: u32) -> (u32, u32) {
        if swaps(self.orientation) { (height, width) } else { (width, height) }
    }

    /// A warning if the output is smaller than requested.
    pub(crate) fn warning(&self) -> Option<Warning> {
        self.shrunk_for.map(|Sides { output, longest, .. }| {
            let message = format!("{output} holds at most {longest} pixels a side.");
            Warning::new("resized_to_fit", message)
        })
    }
}

/// The reductions during decoding, each with the smallest ratio (in tenths) of source side to output side. Scaled
/// decoding cuts off high frequencies more sharply than the resampler. These ratios were chosen so that both ways make
/// pictures with an SSIMULACRA2 score above 90 against each other.
const REDUCTIONS: [(u32, u32); 3] = [(8, 160), (4, 64), (2, 24)];

/// The shortest sides for scaled decoding. If a side is not a multiple of the reduction, the last pixel covers less
/// than the others and is weighted nearly the same; in small pictures that would be visible.
const LEAST_REDUCED: u32 = 32;

/// The output size for an upright source.
fn target(source: (u32, u32), resize: Resize) -> (u32, u32) {
    let (source_width, source_height) = source;
    let asked = match (resize.width, resize.height) {
        (None, None) => source,
        (Some(width), None) => (width, scale(source_height, width, source_width)),
        (None, Some(height)) => (scale(source_width, height, source_height), height),
        (Some(width), Some(height)) => match resize.fit {
            Fit::Fill | Fit::Cover => (width, height),
            Fit::Inside => inside(source, width, height),
        },
    };
    shrink_to_fit(asked, resize.max_width, resize.max_height)
}

/// The largest size with the shape of `source` inside `width` × `height`.
fn inside(source: (u32, u32), width: u32, height: u32) -> (u32, u32) {
    let by_width = (width, scale(source.1, width, source.0));
    match by_width.1 <= height {
        true => by_width,
        false => (scale(source.0, height, source.1).min(width), height),
    }
}

fn shrink_to_fit(size: (u32, u32), max_width: Option<u32>, max_height: Option<u32>) -> (u32, u32) {
    let (max_width, max_height) = (max_width.unwrap_or(u32::MAX), max_height.unwrap_or(u32::MAX));
    match size.0 <= max_width && size.1 <= max_height {
        true => size,
        false => inside(size, max_width.min(size.0), max_height.min(size.1)),
    }
}

/// `side` × `numerator` / `denominator`, rounded, at least 1.
fn scale(side: u32, numerator: u32, denominator: u32) -> u32 {
    let (side, numerator, denominator) =
        (u64::from(side), u64::from(numerator), u64::from(denominator.max(1)));
    u32::try_from((side * numerator + denominator / 2) / denominator).unwrap_or(u32::MAX).max(1)
}
