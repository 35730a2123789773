//! Plans the size of the output and the transformation of the stored pixels: arithmetic on a header and the requested
//! size.

#[cfg(feature = "core")]
mod covering;
mod extent;

use image::metadata::Orientation;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::Header;
use crate::formats::{Encoding, codec_of};
#[cfg(feature = "pictures")]
use crate::image::fit::outside;
use crate::image::fit::{is_of_shape, place, shrink_to_fit, target};
use crate::options::{CropStrategy, Edit, Fit, Flip, Position, Resize};
use crate::pixels::part::{Part, compose, place_before, turned_size};
use crate::warning::Warning;

pub(crate) use extent::Extent;

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
    /// What turns the stored pixels as the output shows them: upright, and as the options ask.
    pub(crate) orientation: Orientation,
    /// The stored pixels that the output shows, also those at its edges that it shows in part.
    pub(crate) part: Part,
    /// What it shows of them: all of a picture's part. That of a gain map can begin and end inside pixels.
    shown: Extent,
    /// Where the picture is in the output, upright. What is beside it is padded.
    pub(crate) place: Part,
    /// Whether the part or the orientation is another than that of the upright picture.
    pub(crate) edits: bool,
    /// Where a part of another shape than the output is cropped, in the frame of the stored pixels. `None`: it is stretched.
    pub(crate) position: Option<Position>,
    /// How the position is found before the picture is resized.
    #[cfg_attr(not(feature = "pictures"), allow(dead_code))]
    pub(crate) strategy: Option<CropStrategy>,
    stored: (u32, u32),
    shrunk_for: Option<Sides>,
}

impl Geometry {
    /// Translates the requested part and size into the frame of the stored pixels. `orientation` turns these upright.
    pub(crate) fn plan(
        header: &Header,
        orientation: Orientation,
        (edit, resize): (Edit, Option<Resize>),
        sides: Sides,
    ) -> Result<Self> {
        let stored = (header.width, header.height);
        let upright = turned_size(stored, orientation);
        let kept = match edit.crop {
            Some(crop) => {
                let [left, top, width, height] = crop.within(upright).ok_or_else(|| not_within(upright))?;
                Part { left, top, width, height }
            }
            None => Part::whole(upright),
        };
        let turned = compose(orientation, turns(edit));
        let resize = resize.unwrap_or_default();
        let natural = turned_size(kept.size(), turns(edit));
        let asked = target(natural, resize);
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
        let place = place(natural, (width, height), resize);
        let position = resize.position.or_center();
        let part = kept.before(orientation, upright);
        Ok(Self {
            width,
            height,
            orientation: turned,
            place,
            part,
            shown: part.into(),
            edits: kept != Part::whole(upright) || turned != orientation,
            position: (resize.fit == Fit::Cover).then_some(stored_position(position, turned)),
            strategy: resize.strategy().filter(|_| !is_of_shape(natural, (width, height))),
            stored,
            shrunk_for: ((width, height) != asked).then_some(sides),
        })
    }

    /// The whole part as the output turns it, at the size at which a strategy looks at it.
    #[cfg(feature = "pictures")]
    pub(crate) fn overview(&self) -> Self {
        let natural = self.natural_size();
        let side = OVERVIEW_SIDE.min(natural.0.min(natural.1));
        let (width, height) =
            shrink_to_fit(outside(natural, side, side), Some(OVERVIEW_LENGTH), Some(OVERVIEW_LENGTH));
        let place = Part::whole((width, height));
        Self { width, height, place, position: None, strategy: None, shrunk_for: None, ..*self }
    }

    /// The same with the position that its strategy found in the output.
    #[cfg(feature = "pictures")]
    pub(crate) fn at(&self, found: Position) -> Self {
        Self { position: Some(stored_position(found, self.orientation)), strategy: None, ..*self }
    }

    /// The size of the part in pixels as the output turns it, before it is resized.
    #[cfg(feature = "pictures")]
    pub(crate) fn natural_size(&self) -> (u32, u32) {
        turned_size(self.part.size(), self.orientation)
    }

    /// The size of the picture in the output, in the frame of the stored pixels.
    pub(crate) fn stored_target(&self) -> (u32, u32) {
        turned_size(self.place.size(), self.orientation)
    }

    /// The same in an output of another size, as a search makes it. A padded output has the planned one.
    #[cfg(feature = "core")]
    pub(crate) fn stored_target_at(&self, size: (u32, u32)) -> (u32, u32) {
        if self.pads() { self.stored_target() } else { turned_size(size, self.orientation) }
    }

    /// Whether the output has pixels beside the picture.
    pub(crate) fn pads(&self) -> bool {
        self.place.size() != (self.width, self.height)
    }

    /// Whether the number of pixels of the part changes, or what they cover.
    pub(crate) fn resizes(&self) -> bool {
        self.resamples(self.stored_target())
    }

    /// The same for another size, in the frame of the stored pixels.
    pub(crate) fn resamples(&self, target: (u32, u32)) -> bool {
        target != self.part.size() || self.shown != self.part.into()
    }

    /// Whether the output shows something else than the upright picture in its size.
    pub(crate) fn changes(&self) -> bool {
        self.edits || self.resizes() || self.pads()
    }

    /// Whether there are pixels beside the part.
    pub(crate) fn crops(&self) -> bool {
        self.part.size() != self.stored
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
                && self.part.width.min(self.part.height) >= LEAST_REDUCED * reduction
                && suffices(self.part.width, width, tenths)
                && suffices(self.part.height, height, tenths)
        });
        found.map_or(1, |(reduction, _)| reduction)
    }

    /// Where the part is in the picture as it is decoded, in pixels. If an edge is not at a multiple of the reduction, it is
    /// inside a pixel.
    pub(crate) fn reduced_part(&self, header: &Header) -> Extent {
        let reduction = f64::from(self.reduction(header));
        let Extent { left, top, width, height } = self.shown;
        let [left, top, width, height] = [left, top, width, height].map(|side| side / reduction);
        Extent { left, top, width, height }
    }

    /// The bytes of the decoded pixels of the part.
    pub(crate) fn decoded_bytes(&self, header: &Header) -> u64 {
        let Extent { width, height, .. } = self.reduced_part(header);
        (width.ceil() * height.ceil()) as u64 * u64::from(header.bytes_per_pixel)
    }

    /// Whether the part's pixels stay what they are, in rows from the left to the right and from the top to the bottom.
    pub(crate) fn keeps_rows(&self) -> bool {
        !self.resizes() && !self.pads() && self.orientation == Orientation::NoTransforms
    }

    /// Whether the output is made of the rows of the stored pixels one after another: as they are, or all of them resized.
    pub(crate) fn takes_rows(&self) -> bool {
        !self.pads() && self.orientation == Orientation::NoTransforms && !(self.resizes() && self.crops())
    }

    /// A warning if the output is smaller than requested.
    pub(crate) fn warning(&self) -> Option<Warning> {
        self.shrunk_for.map(|Sides { output, longest, .. }| {
            let message = format!("{output} holds at most {longest} pixels a side.");
            Warning::new("resized_to_fit", message)
        })
    }
}

/// The error for a crop that is not within an upright picture.
fn not_within((width, height): (u32, u32)) -> Error {
    let message = format!("options.crop is not within the image, which has {width} × {height} pixels.");
    Error::new(ErrorCode::InvalidOption, message)
        .with_detail("option", "crop")
        .with_detail("width", u64::from(width))
        .with_detail("height", u64::from(height))
}

/// A position in the output, in the frame of the stored pixels.
fn stored_position(Position { x, y }: Position, orientation: Orientation) -> Position {
    let (x, y) = place_before(orientation, (x, y));
    Position { x, y }
}

/// What the options turn after the picture is upright.
fn turns(edit: Edit) -> Orientation {
    let rotated = match edit.quarter_turns {
        1 => Orientation::Rotate90,
        2 => Orientation::Rotate180,
        3 => Orientation::Rotate270,
        _ => Orientation::NoTransforms,
    };
    match edit.flip {
        Some(Flip::Horizontal) => compose(rotated, Orientation::FlipHorizontal),
        Some(Flip::Vertical) => compose(rotated, Orientation::FlipVertical),
        None => rotated,
    }
}

/// The reductions during decoding, each with the smallest ratio (in tenths) of source side to output side. Scaled
/// decoding cuts off high frequencies more sharply than the resampler. These ratios were chosen so that both ways make
/// pictures with an SSIMULACRA2 score above 90 against each other.
const REDUCTIONS: [(u32, u32); 3] = [(8, 160), (4, 64), (2, 24)];

/// The shortest sides for scaled decoding. If a side is not a multiple of the reduction, the last pixel covers less
/// than the others and is weighted nearly the same; in small pictures that would be visible.
const LEAST_REDUCED: u32 = 32;

/// The shorter side of an overview in pixels: enough to tell a face or a sign from its surroundings.
#[cfg(feature = "pictures")]
const OVERVIEW_SIDE: u32 = 96;

/// The longest side of an overview in pixels.
#[cfg(feature = "pictures")]
const OVERVIEW_LENGTH: u32 = 1024;
