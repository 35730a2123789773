//! The quantized coefficients of a picture: what decoding to coefficients yields and what transcoding works on.

/// Quantizer steps in zigzag order, 1 to 255, or to 65,535 in tables of 16 bits (T.81, B.2.4.1).
pub type QuantTable = [u16; 64];

/// Quantized coefficients of a block in zigzag order: DC, then 63 of AC.
pub type Block = [i16; 64];

/// The quantized coefficients of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// The width of the picture in pixels, 1 to 65,535.
    pub width: u16,
    /// The height of the picture in pixels, 1 to 65,535.
    pub height: u16,
    /// Bits a sample: 8 or 12.
    pub precision: u8,
    /// One to four components, in the order of the frame header.
    pub components: Vec<ComponentCoefficients>,
}

/// The blocks of one component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentCoefficients {
    /// The identifier in the frame header.
    pub id: u8,
    /// The horizontal sampling factor, 1 to 4.
    pub h: u8,
    /// The vertical sampling factor, 1 to 4.
    pub v: u8,
    /// The quantizer steps.
    pub quant: QuantTable,
    /// Blocks in a row, padded to whole MCUs of an interleaved scan.
    pub blocks_wide: usize,
    /// Rows of blocks, padded to whole MCUs of an interleaved scan.
    pub blocks_high: usize,
    /// The blocks of a row in a scan of this component alone (T.81, A.2.2): without padding.
    pub scan_blocks_wide: usize,
    /// The rows of blocks in a scan of this component alone.
    pub scan_blocks_high: usize,
    /// `blocks_wide` × `blocks_high` blocks, row by row.
    pub blocks: Vec<Block>,
}

impl Coefficients {
    /// The largest horizontal and vertical sampling factors, (1, 1) without components.
    pub fn max_sampling(&self) -> (u8, u8) {
        let largest = |factor: fn(&ComponentCoefficients) -> u8| self.components.iter().map(factor).max();
        (largest(|c| c.h).unwrap_or(1), largest(|c| c.v).unwrap_or(1))
    }

    /// Columns and rows of MCUs of an interleaved scan of all components.
    pub fn mcus(&self) -> (usize, usize) {
        let (h, v) = self.max_sampling();
        let count = |size: u16, factor: u8| usize::from(size).div_ceil(8 * usize::from(factor.max(1)));
        (count(self.width, h), count(self.height, v))
    }
}
