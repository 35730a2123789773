//! The options that decide which pixels an output shows and at what size: crop, rotation, flip, and resize.

use crate::error::Result;
use crate::options::MAX_SIDE;
use crate::value::{ObjectReader, PixelsOrPercent};

/// Which part of the upright image is shown, and how it is turned. In this order: crop, rotation, flip; then resize.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Edit {
    /// The part to keep. Default: all.
    pub crop: Option<Crop>,
    /// Quarter turns clockwise, 0 to 3.
    pub quarter_turns: u8,
    /// The mirror image, after the rotation.
    pub flip: Option<Flip>,
}

/// A rectangle of the upright image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crop {
    /// Distance from the left edge.
    pub x: PixelsOrPercent,
    /// Distance from the top edge.
    pub y: PixelsOrPercent,
    /// Default: up to the right edge.
    pub width: Option<PixelsOrPercent>,
    /// Default: up to the bottom edge.
    pub height: Option<PixelsOrPercent>,
}

/// A mirror image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flip {
    /// Left becomes right.
    Horizontal,
    /// Top becomes bottom.
    Vertical,
}

/// The requested size in pixels of the upright image; each member is 1 to [`MAX_SIDE`].
///
/// `width` or `height` alone keeps the aspect ratio; `fit` decides about both together. `max_width` and `max_height`
/// then scale down a larger result and never enlarge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Resize {
    /// Width of the output.
    pub width: Option<u32>,
    /// Height of the output.
    pub height: Option<u32>,
    /// Upper bound of the width.
    pub max_width: Option<u32>,
    /// Upper bound of the height.
    pub max_height: Option<u32>,
    /// How `width` and `height` together are used.
    pub fit: Fit,
    /// What [`Fit::Cover`] keeps, and where [`Fit::Contain`] places the image.
    pub position: Anchor,
}

/// How an image is fitted into `width` × `height` with another aspect ratio.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fit {
    /// Stretched to exactly that size.
    #[default]
    Fill,
    /// The largest size inside it with the image's own aspect ratio. Nothing is padded.
    Inside,
    /// The smallest size around it with the image's own aspect ratio.
    Outside,
    /// Exactly that size, covered completely; what exceeds it is cropped.
    Cover,
    /// Exactly that size: the image as [`Fit::Inside`] makes it, padded with the background.
    Contain,
}

/// What [`Fit::Cover`] keeps, and where [`Fit::Contain`] places the image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The same place in every image.
    Position(Position),
    /// A place that is found in the image: only for [`Fit::Cover`].
    Strategy(CropStrategy),
}

/// How the place that a crop keeps is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CropStrategy {
    /// Where details, saturated colors and skin tones are.
    Attention,
    /// Where the entropy of the luminance is highest.
    Entropy,
}

/// What stays where [`Fit::Cover`] crops, and where an image is that [`Fit::Contain`] pads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// Of the pixels that are cropped or added across, the share at the left: 0, 0.5 or 1.
    pub x: f64,
    /// Of the pixels that are cropped or added down, the share at the top: 0, 0.5 or 1.
    pub y: f64,
}

impl Default for Position {
    fn default() -> Self {
        Self { x: 0.5, y: 0.5 }
    }
}

impl Default for Anchor {
    fn default() -> Self {
        Self::Position(Position::default())
    }
}

impl Edit {
    /// Reads its members from the options of a call.
    pub(super) fn parse(reader: &mut ObjectReader) -> Result<Self> {
        let crop = reader.object("crop")?.map(Crop::parse).transpose()?;
        let angle = reader.integer("rotate", 0..=270)?.unwrap_or(0);
        if angle % 90 != 0 {
            return Err(reader.not("rotate", "0, 90, 180 or 270"));
        }
        let flip = reader.word("flip", &["horizontal", "vertical"], &[Flip::Horizontal, Flip::Vertical])?;
        Ok(Self { crop, quarter_turns: (angle / 90) as u8, flip })
    }

    /// The name of an option that changes which pixels are shown, if there is one.
    pub(crate) fn name(&self) -> Option<&'static str> {
        match self {
            Self { crop: Some(_), .. } => Some("crop"),
            Self { quarter_turns: 1.., .. } => Some("rotate"),
            Self { flip: Some(_), .. } => Some("flip"),
            _ => None,
        }
    }
}

impl Crop {
    fn parse(mut reader: ObjectReader) -> Result<Self> {
        let mut side = |name, least| reader.pixels_or_percent(name, least..=u64::from(u32::MAX));
        let (x, y) = (side("x", 0)?, side("y", 0)?);
        let (width, height) = (side("width", 1)?, side("height", 1)?);
        reader.finish()?;
        let edge = PixelsOrPercent::Pixels(0.0);
        Ok(Self { x: x.unwrap_or(edge), y: y.unwrap_or(edge), width, height })
    }

    /// Left, top, width and height in pixels of an upright image. Percentages are rounded to whole pixels, to at least one. `None`
    /// if it is not within the image.
    pub(crate) fn within(&self, (width, height): (u32, u32)) -> Option<[u32; 4]> {
        let (left, wide) = span(self.x, self.width, width)?;
        let (top, high) = span(self.y, self.height, height)?;
        Some([left, top, wide, high])
    }
}

/// The first pixel and the number of pixels along a side of `all` pixels. `None` if they are not within it.
fn span(from: PixelsOrPercent, length: Option<PixelsOrPercent>, all: u32) -> Option<(u32, u32)> {
    use PixelsOrPercent::{Percent, Pixels};
    let start = from.of(all);
    let end = match (from, length) {
        (_, None) => u64::from(all),
        // The sum is rounded, so that neighboring parts neither overlap nor leave a gap.
        (Percent(from), Some(Percent(length))) => Percent(from + length).of(all),
        (_, Some(length)) => start + length.of(all),
    };
    let start = match from {
        Pixels(_) => start,
        // The nearest pixel, where a share is less than half of one.
        Percent(_) => start.min(end.max(1) - 1),
    };
    let end = end.max(start + 1);
    (end <= u64::from(all)).then(|| (start as u32, (end - start) as u32))
}

impl Resize {
    /// How the place that a crop keeps is found, if the image itself decides it.
    pub(crate) fn strategy(&self) -> Option<CropStrategy> {
        match self {
            Self { width: Some(_), height: Some(_), position: Anchor::Strategy(strategy), .. } => {
                Some(*strategy)
            }
            _ => None,
        }
    }

    pub(super) fn parse(mut reader: ObjectReader) -> Result<Self> {
        let mut side = |name| Ok(reader.integer(name, 1..=u64::from(MAX_SIDE))?.map(|side| side as u32));
        let (width, height) = (side("width")?, side("height")?);
        let (max_width, max_height) = (side("maxWidth")?, side("maxHeight")?);
        let fit = reader
            .word(
                "fit",
                &["fill", "inside", "outside", "cover", "contain"],
                &[Fit::Fill, Fit::Inside, Fit::Outside, Fit::Cover, Fit::Contain],
            )?
            .unwrap_or_default();
        let places = "\"center\", an edge (\"top\"), a corner (\"top left\"), or with fit \"cover\" \"attention\" or \"entropy\"";
        let position = reader.string("position", places, Anchor::parse)?.unwrap_or_default();
        if fit != Fit::Cover && matches!(position, Anchor::Strategy(_)) {
            return Err(reader.not("position", places));
        }
        reader.finish()?;
        Ok(Self { width, height, max_width, max_height, fit, position })
    }
}

impl Anchor {
    /// The position, or the middle until a strategy has found one.
    #[cfg(feature = "engine")]
    pub(crate) fn or_center(self) -> Position {
        match self {
            Self::Position(position) => position,
            Self::Strategy(_) => Position::default(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "attention" => Some(Self::Strategy(CropStrategy::Attention)),
            "entropy" => Some(Self::Strategy(CropStrategy::Entropy)),
            _ => Position::parse(text).map(Self::Position),
        }
    }
}

impl Position {
    /// An edge, a corner as two edges in any order, or `center`, as in CSS.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (mut x, mut y) = (None, None);
        for word in text.split(' ') {
            let (side, share) = match word {
                "center" if text == word => return Some(Self::default()),
                "left" => (&mut x, 0.0),
                "right" => (&mut x, 1.0),
                "top" => (&mut y, 0.0),
                "bottom" => (&mut y, 1.0),
                _ => return None,
            };
            if side.replace(share).is_some() {
                return None;
            }
        }
        Some(Self { x: x.unwrap_or(0.5), y: y.unwrap_or(0.5) })
    }
}
