//! Sizes of blocks, and how a square is partitioned (AV1 specification, sections 6.10.4 and 9.3).

/// The size of a block, as width and height; the numbers are those of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum BlockSize {
    B4x4,
    B4x8,
    B8x4,
    B8x8,
    B8x16,
    B16x8,
    B16x16,
    B16x32,
    B32x16,
    B32x32,
    B32x64,
    B64x32,
    B64x64,
    B64x128,
    B128x64,
    B128x128,
    B4x16,
    B16x4,
    B8x32,
    B32x8,
    B16x64,
    B64x16,
}

/// The binary logarithms of width and height in 4×4 blocks.
const LOG2: [(u8, u8); 22] = [
    (0, 0),
    (0, 1),
    (1, 0),
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (2, 3),
    (3, 2),
    (3, 3),
    (3, 4),
    (4, 3),
    (4, 4),
    (4, 5),
    (5, 4),
    (5, 5),
    (0, 2),
    (2, 0),
    (1, 3),
    (3, 1),
    (2, 4),
    (4, 2),
];

/// How a square is divided, by the number in the bitstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Partition {
    None,
    Horz,
    Vert,
    Split,
    HorzA,
    HorzB,
    VertA,
    VertB,
    Horz4,
    Vert4,
}

impl Partition {
    pub(crate) fn from_index(index: usize) -> Self {
        const ALL: [Partition; 10] = [
            Partition::None,
            Partition::Horz,
            Partition::Vert,
            Partition::Split,
            Partition::HorzA,
            Partition::HorzB,
            Partition::VertA,
            Partition::VertB,
            Partition::Horz4,
            Partition::Vert4,
        ];
        ALL[index]
    }
}

impl BlockSize {
    /// Mi_Width_Log2: of the width in 4×4 blocks.
    pub(crate) fn width_log2(self) -> u8 {
        LOG2[self as usize].0
    }

    /// Mi_Height_Log2: of the height in 4×4 blocks.
    pub(crate) fn height_log2(self) -> u8 {
        LOG2[self as usize].1
    }

    /// Num_4x4_Blocks_Wide.
    pub(crate) fn width4(self) -> usize {
        1 << self.width_log2()
    }

    /// Num_4x4_Blocks_High.
    pub(crate) fn height4(self) -> usize {
        1 << self.height_log2()
    }

    /// Block_Width.
    pub(crate) fn width(self) -> usize {
        4 << self.width_log2()
    }

    /// Block_Height.
    pub(crate) fn height(self) -> usize {
        4 << self.height_log2()
    }

    /// The size with these logarithms of width and height in 4×4 blocks, if there is one.
    fn from_log2(width: u8, height: u8) -> Option<Self> {
        Some(match (width, height) {
            (0, 0) => Self::B4x4,
            (0, 1) => Self::B4x8,
            (0, 2) => Self::B4x16,
            (1, 0) => Self::B8x4,
            (1, 1) => Self::B8x8,
            (1, 2) => Self::B8x16,
            (1, 3) => Self::B8x32,
            (2, 0) => Self::B16x4,
            (2, 1) => Self::B16x8,
            (2, 2) => Self::B16x16,
            (2, 3) => Self::B16x32,
            (2, 4) => Self::B16x64,
            (3, 1) => Self::B32x8,
            (3, 2) => Self::B32x16,
            (3, 3) => Self::B32x32,
            (3, 4) => Self::B32x64,
            (4, 2) => Self::B64x16,
            (4, 3) => Self::B64x32,
            (4, 4) => Self::B64x64,
            (4, 5) => Self::B64x128,
            (5, 4) => Self::B128x64,
            (5, 5) => Self::B128x128,
            _ => return None,
        })
    }

    /// Partition_Subsize of a square: the largest size that the partition has.
    pub(crate) fn divided(self, partition: Partition) -> Option<Self> {
        let (width, height) = LOG2[self as usize];
        let (columns, rows) = match partition {
            Partition::None => (0, 0),
            Partition::Horz | Partition::HorzA | Partition::HorzB => (0, 1),
            Partition::Vert | Partition::VertA | Partition::VertB => (1, 0),
            Partition::Split => (1, 1),
            Partition::Horz4 => (0, 2),
            Partition::Vert4 => (2, 0),
        };
        Self::from_log2(width.checked_sub(columns)?, height.checked_sub(rows)?)
    }

    /// Subsampled_Size: the size in a plane with these shifts. None if blocks of this size do not exist there.
    pub(crate) fn subsampled(self, subsampling_x: u8, subsampling_y: u8) -> Option<Self> {
        let (width, height) = LOG2[self as usize];
        if subsampling_x > subsampling_y && height > width {
            return None;
        }
        Self::from_log2(width.saturating_sub(subsampling_x), height.saturating_sub(subsampling_y))
    }
}
