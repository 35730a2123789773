//! The sample format and what its values mean (AV1 specification, section 5.5.2).

use super::bit_reader::BitReader;
use crate::error::Error;

/// The code points "unspecified" of ITU-T H.273.
const UNSPECIFIED: u8 = 2;

/// Where the chroma samples of 4:2:0 lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChromaSamplePosition {
    /// Not told, or not 4:2:0.
    Unknown,
    /// Left of the middle of four luma samples, as in MPEG-2.
    Vertical,
    /// At the upper left of four luma samples.
    Colocated,
}

/// The sample format, and the color description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColorConfig {
    /// Bits a sample: 8, 10 or 12.
    pub bit_depth: u8,
    /// Whether there is luma only.
    pub monochrome: bool,
    /// Whether chroma has half the columns. True for monochrome.
    pub subsampling_x: bool,
    /// Whether chroma has half the rows. True for monochrome.
    pub subsampling_y: bool,
    /// ColourPrimaries of ITU-T H.273; 2 if not told.
    pub color_primaries: u8,
    /// TransferCharacteristics of ITU-T H.273; 2 if not told.
    pub transfer_characteristics: u8,
    /// MatrixCoefficients of ITU-T H.273; 2 if not told.
    pub matrix_coefficients: u8,
    /// Whether samples use the full range, rather than that of studio swing.
    pub full_range: bool,
    /// Where chroma samples lie.
    pub chroma_sample_position: ChromaSamplePosition,
    pub(crate) separate_uv_delta_q: bool,
}

impl ColorConfig {
    /// A sample format of the full range, with a color description that is not told. `subsampling` is of columns and of rows.
    #[must_use]
    pub fn new(bit_depth: u8, monochrome: bool, subsampling: (bool, bool)) -> Self {
        Self {
            bit_depth,
            monochrome,
            subsampling_x: monochrome || subsampling.0,
            subsampling_y: monochrome || subsampling.1,
            color_primaries: UNSPECIFIED,
            transfer_characteristics: UNSPECIFIED,
            matrix_coefficients: UNSPECIFIED,
            full_range: true,
            chroma_sample_position: ChromaSamplePosition::Unknown,
            separate_uv_delta_q: false,
        }
    }

    pub(super) fn read(reader: &mut BitReader<'_>, profile: u8) -> Result<Self, Error> {
        let high_bit_depth = reader.flag()?;
        let bit_depth = match high_bit_depth {
            true if profile == 2 && reader.flag()? => 12,
            true => 10,
            false => 8,
        };
        let monochrome = profile != 1 && reader.flag()?;
        let mut config = Self::new(bit_depth, monochrome, (true, true));
        if reader.flag()? {
            config.color_primaries = reader.byte(8)?;
            config.transfer_characteristics = reader.byte(8)?;
            config.matrix_coefficients = reader.byte(8)?;
        }
        if monochrome {
            config.full_range = reader.flag()?;
            return Ok(config);
        }
        config.read_subsampling(reader, profile)?;
        config.separate_uv_delta_q = reader.flag()?;
        Ok(config)
    }

    fn read_subsampling(&mut self, reader: &mut BitReader<'_>, profile: u8) -> Result<(), Error> {
        // BT.709 primaries, the transfer function of sRGB and the identity matrix: RGB.
        let description = (self.color_primaries, self.transfer_characteristics, self.matrix_coefficients);
        if description == (1, 13, 0) {
            (self.subsampling_x, self.subsampling_y) = (false, false);
            return Ok(());
        }
        self.full_range = reader.flag()?;
        (self.subsampling_x, self.subsampling_y) = match profile {
            0 => (true, true),
            1 => (false, false),
            _ if self.bit_depth == 12 => {
                let halves_columns = reader.flag()?;
                (halves_columns, halves_columns && reader.flag()?)
            }
            _ => (true, false),
        };
        if self.subsampling_x && self.subsampling_y {
            self.chroma_sample_position = match reader.bits(2)? {
                1 => ChromaSamplePosition::Vertical,
                2 => ChromaSamplePosition::Colocated,
                _ => ChromaSamplePosition::Unknown,
            };
        }
        Ok(())
    }

    /// 1 or 3.
    pub(crate) fn planes(&self) -> usize {
        if self.monochrome { 1 } else { 3 }
    }

    /// The shifts from luma to the plane's columns and rows.
    pub(crate) fn subsampling(&self, plane: usize) -> (u8, u8) {
        if plane == 0 { (0, 0) } else { (self.subsampling_x.into(), self.subsampling_y.into()) }
    }
}
