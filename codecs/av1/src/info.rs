//! What the sequence header tells, without decoding.

use crate::error::Error;
use crate::obu::{ColorConfig, SequenceHeader, UnitKind, Units};

/// The facts of a sequence header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The largest width of the frames, in pixels. A still picture has this width.
    pub max_width: u32,
    /// The largest height of the frames, in pixels.
    pub max_height: u32,
    /// seq_profile: 0, 1 or 2.
    pub profile: u8,
    /// Whether the bitstream says that it has one frame only.
    pub still_picture: bool,
    /// Whether frames may have film grain.
    pub may_have_film_grain: bool,
    /// The number of operating points.
    pub operating_points: usize,
    /// The sample format and the color description.
    pub color: ColorConfig,
}

impl Info {
    /// Reads the first sequence header of a bitstream in the low-overhead format, as an AVIF item has it. No frame comes before it.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if there is none, or if it is cut; [`Error::Unsupported`] for profiles above 2.
    pub fn read(obus: &[u8]) -> Result<Self, Error> {
        for unit in Units::new(obus) {
            let unit = unit?;
            match unit.kind {
                UnitKind::SequenceHeader => return Ok(Self::of(&SequenceHeader::read(unit.payload)?)),
                UnitKind::TemporalDelimiter | UnitKind::Other => {}
                _ => break,
            }
        }
        Err(Error::Corrupt("there is no sequence header"))
    }

    fn of(sequence: &SequenceHeader) -> Self {
        Self {
            max_width: sequence.max_size.0,
            max_height: sequence.max_size.1,
            profile: sequence.profile,
            still_picture: sequence.still_picture,
            may_have_film_grain: sequence.film_grain_params_present,
            operating_points: sequence.operating_points.len(),
            color: sequence.color,
        }
    }
}
