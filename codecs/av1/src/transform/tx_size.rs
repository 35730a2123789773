//! Sizes and types of transforms, numbered as in the specification.

/// The size of a transform block, width × height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum TxSize {
    #[default]
    Tx4x4,
    Tx8x8,
    Tx16x16,
    Tx32x32,
    Tx64x64,
    Tx4x8,
    Tx8x4,
    Tx8x16,
    Tx16x8,
    Tx16x32,
    Tx32x16,
    Tx32x64,
    Tx64x32,
    Tx4x16,
    Tx16x4,
    Tx8x32,
    Tx32x8,
    Tx16x64,
    Tx64x16,
}

impl TxSize {
    /// All sizes, by number.
    pub(crate) const ALL: [Self; 19] = [
        Self::Tx4x4,
        Self::Tx8x8,
        Self::Tx16x16,
        Self::Tx32x32,
        Self::Tx64x64,
        Self::Tx4x8,
        Self::Tx8x4,
        Self::Tx8x16,
        Self::Tx16x8,
        Self::Tx16x32,
        Self::Tx32x16,
        Self::Tx32x64,
        Self::Tx64x32,
        Self::Tx4x16,
        Self::Tx16x4,
        Self::Tx8x32,
        Self::Tx32x8,
        Self::Tx16x64,
        Self::Tx64x16,
    ];
    const LOG2_W: [u8; 19] = [2, 3, 4, 5, 6, 2, 3, 3, 4, 4, 5, 5, 6, 2, 4, 3, 5, 4, 6];
    const LOG2_H: [u8; 19] = [2, 3, 4, 5, 6, 3, 2, 4, 3, 5, 4, 6, 5, 4, 2, 5, 3, 6, 4];

    /// Base 2 logarithm of the width in samples.
    pub(crate) fn log2_w(self) -> u8 {
        Self::LOG2_W[self as usize]
    }

    /// Base 2 logarithm of the height in samples.
    pub(crate) fn log2_h(self) -> u8 {
        Self::LOG2_H[self as usize]
    }

    /// Width in samples.
    pub(crate) fn width(self) -> usize {
        1 << self.log2_w()
    }

    /// Height in samples.
    pub(crate) fn height(self) -> usize {
        1 << self.log2_h()
    }
}

/// The pair of transforms of a block: the name of that of the columns, then of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum TxType {
    #[default]
    DctDct,
    AdstDct,
    DctAdst,
    AdstAdst,
    FlipadstDct,
    DctFlipadst,
    FlipadstFlipadst,
    AdstFlipadst,
    FlipadstAdst,
    Idtx,
    VDct,
    HDct,
    VAdst,
    HAdst,
    VFlipadst,
    HFlipadst,
}

/// A transform in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Dct,
    Adst,
    Identity,
}

impl TxType {
    /// All types, by number.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 16] = [
        Self::DctDct,
        Self::AdstDct,
        Self::DctAdst,
        Self::AdstAdst,
        Self::FlipadstDct,
        Self::DctFlipadst,
        Self::FlipadstFlipadst,
        Self::AdstFlipadst,
        Self::FlipadstAdst,
        Self::Idtx,
        Self::VDct,
        Self::HDct,
        Self::VAdst,
        Self::HAdst,
        Self::VFlipadst,
        Self::HFlipadst,
    ];

    /// The transform of the rows.
    pub(crate) fn rows(self) -> Kind {
        match self {
            Self::DctDct | Self::AdstDct | Self::FlipadstDct | Self::HDct => Kind::Dct,
            Self::Idtx | Self::VDct | Self::VAdst | Self::VFlipadst => Kind::Identity,
            _ => Kind::Adst,
        }
    }

    /// The transform of the columns.
    pub(crate) fn columns(self) -> Kind {
        match self {
            Self::DctDct | Self::DctAdst | Self::DctFlipadst | Self::VDct => Kind::Dct,
            Self::Idtx | Self::HDct | Self::HAdst | Self::HFlipadst => Kind::Identity,
            _ => Kind::Adst,
        }
    }

    /// Whether the rows are written from the last to the first (`flipUD`).
    pub(super) fn flips_rows(self) -> bool {
        matches!(self, Self::FlipadstDct | Self::FlipadstAdst | Self::VFlipadst | Self::FlipadstFlipadst)
    }

    /// Whether the columns are written from the last to the first (`flipLR`).
    pub(super) fn flips_columns(self) -> bool {
        matches!(self, Self::DctFlipadst | Self::AdstFlipadst | Self::HFlipadst | Self::FlipadstFlipadst)
    }
}
