//! The formats of pixels: how they are stored, and what they are decoded to.

use crate::packed::{Kind, Packed};
use crate::sample::{Channels, Depth};
use crate::yuv::Pairs;

/// How pixels are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Coding {
    /// Each pixel by itself.
    Packed(Packed),
    /// Two pixels side by side share two of three samples.
    Pairs(Pairs),
    /// Eight pixels in a byte, the first in the highest bit (`R1_UNORM`).
    Bits,
    /// A plane of Y, then a plane of U and V of half the width and height. Whether a sample has 16 bits, or 8.
    Planes(bool),
    /// A block of 4 × 4 pixels.
    Block(Block),
    /// A block of so many columns and rows (ASTC).
    Astc(u8, u8),
}

/// The block compressions ("Texture Block Compression in Direct3D 11", Microsoft).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Block {
    Bc1,
    /// Whether the colors are multiplied by alpha.
    Bc2(bool),
    /// Whether the colors are multiplied by alpha.
    Bc3(bool),
    /// BC3 whose alpha is red.
    Rxgb,
    /// Whether samples are signed.
    Bc4(bool),
    /// Whether samples are signed.
    Bc5(bool),
    /// Whether samples are signed.
    Bc6h(bool),
    Bc7,
}

/// A format of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Format {
    pub(crate) coding: Coding,
    pub(crate) depth: Depth,
    pub(crate) channels: Channels,
}

impl Format {
    const fn new(coding: Coding, depth: Depth, channels: Channels) -> Self {
        Self { coding, depth, channels }
    }

    /// The columns, rows and bytes of the smallest unit. Of planes, this is the plane of Y.
    pub(crate) const fn unit(self) -> (u32, u32, u32) {
        match self.coding {
            Coding::Packed(packed) => (1, 1, packed.bytes as u32),
            Coding::Pairs(pairs) => (2, 1, if pairs.wide { 8 } else { 4 }),
            Coding::Bits => (8, 1, 1),
            Coding::Planes(wide) => (1, 1, if wide { 2 } else { 1 }),
            Coding::Block(Block::Bc1 | Block::Bc4(_)) => (4, 4, 8),
            Coding::Block(_) => (4, 4, 16),
            Coding::Astc(columns, rows) => (columns as u32, rows as u32, 16),
        }
    }

    /// The bytes of a surface, if a file can have so many.
    pub(crate) fn surface_bytes(self, width: u32, height: u32) -> Option<u64> {
        let (columns, rows, bytes) = self.unit();
        let units = u64::from(width.div_ceil(columns)).checked_mul(u64::from(height.div_ceil(rows)))?;
        let shared = match self.coding {
            Coding::Planes(_) => {
                u64::from(width.div_ceil(2)).checked_mul(u64::from(height.div_ceil(2)))?.checked_mul(2)?
            }
            _ => 0,
        };
        units.checked_add(shared)?.checked_mul(u64::from(bytes))
    }

    /// A format of bit masks.
    pub(crate) const fn packed(packed: Packed, depth: Depth, channels: Channels) -> Self {
        Self::new(Coding::Packed(packed), depth, channels)
    }
}

const fn block(block: Block, depth: Depth, channels: Channels) -> Format {
    Format::new(Coding::Block(block), depth, channels)
}

const fn pairs(wide: bool, yuv: bool, order: [u8; 4]) -> Format {
    let depth = if wide { Depth::U16 } else { Depth::U8 };
    Format::new(Coding::Pairs(Pairs { wide, yuv, order }), depth, Channels::Rgb)
}

/// Channels of equal width, one after another from the lowest bit. A single one is gray.
const fn even(kind: Kind, bits: u8, channels: u8) -> Format {
    let depth = match (kind, bits) {
        (Kind::Float, _) => Depth::F32,
        (_, 8) => Depth::U8,
        _ => Depth::U16,
    };
    let widths = match channels {
        1 => [bits, 0, 0, 0],
        2 => [bits, bits, 0, 0],
        3 => [bits, bits, bits, 0],
        _ => [bits; 4],
    };
    let mut packed = Packed::in_order(kind, widths);
    let channels = match channels {
        1 if matches!(depth, Depth::F32) => {
            packed.fields = [packed.fields[0], packed.fields[0], packed.fields[0], packed.fields[3]];
            Channels::Rgb
        }
        1 => Channels::Gray,
        4 => Channels::Rgba,
        _ => Channels::Rgb,
    };
    Format::packed(packed, depth, channels)
}

/// Fields from the lowest bit, of which `order` says which channel they are.
const fn fields(kind: Kind, widths: [u8; 4], order: [usize; 4], depth: Depth, channels: Channels) -> Format {
    let stored = Packed::in_order(kind, widths);
    let from = stored.fields;
    let fields = [from[order[0]], from[order[1]], from[order[2]], from[order[3]]];
    Format::packed(Packed { fields, ..stored }, depth, channels)
}

/// In the order of the pixels.
const RGBA: [usize; 4] = [0, 1, 2, 3];
/// Blue first.
const BGRA: [usize; 4] = [2, 1, 0, 3];

/// Columns and rows of the blocks of ASTC, in the order of their numbers.
const ASTC: [(u8, u8); 14] = [
    (4, 4),
    (5, 4),
    (5, 5),
    (6, 5),
    (6, 6),
    (8, 5),
    (8, 6),
    (8, 8),
    (10, 5),
    (10, 6),
    (10, 8),
    (10, 10),
    (12, 10),
    (12, 12),
];

/// The format of a number of `DXGI_FORMAT` (dxgiformat.h). Those without a type are read as the numbers without a sign,
/// or else as floating point; sRGB is said by nothing but the number.
pub(crate) fn of_dxgi(number: u32) -> Option<Format> {
    use Channels::{Gray, Rgb, Rgba};
    use Depth::{F32, U8, U16};
    Some(match number {
        1 | 2 => even(Kind::Float, 32, 4),
        5 | 6 => even(Kind::Float, 32, 3),
        9 | 11 => even(Kind::Unorm, 16, 4),
        10 => even(Kind::Float, 16, 4),
        13 => even(Kind::Snorm, 16, 4),
        15 | 16 => even(Kind::Float, 32, 2),
        23 | 24 => fields(Kind::Unorm, [10, 10, 10, 2], RGBA, U16, Rgba),
        26 => fields(Kind::Float, [11, 11, 10, 0], RGBA, F32, Rgb),
        27..=29 => even(Kind::Unorm, 8, 4),
        31 => even(Kind::Snorm, 8, 4),
        33 | 35 => even(Kind::Unorm, 16, 2),
        34 => even(Kind::Float, 16, 2),
        37 => even(Kind::Snorm, 16, 2),
        39 | 41 => even(Kind::Float, 32, 1),
        48 | 49 => even(Kind::Unorm, 8, 2),
        51 => even(Kind::Snorm, 8, 2),
        53 | 56 => even(Kind::Unorm, 16, 1),
        54 => even(Kind::Float, 16, 1),
        58 => even(Kind::Snorm, 16, 1),
        60 | 61 => even(Kind::Unorm, 8, 1),
        63 => even(Kind::Snorm, 8, 1),
        65 => fields(Kind::Unorm, [8, 0, 0, 0], [1, 1, 1, 0], U8, Rgba),
        66 => Format::new(Coding::Bits, U8, Gray),
        67 => fields(Kind::SharedExponent, [9, 9, 9, 5], RGBA, F32, Rgb),
        68 => pairs(false, false, [1, 3, 0, 2]),
        69 => pairs(false, false, [0, 2, 1, 3]),
        70..=72 => block(Block::Bc1, U8, Rgba),
        73..=75 => block(Block::Bc2(false), U8, Rgba),
        76..=78 => block(Block::Bc3(false), U8, Rgba),
        79 | 80 => block(Block::Bc4(false), U8, Gray),
        81 => block(Block::Bc4(true), U8, Gray),
        82 | 83 => block(Block::Bc5(false), U8, Rgb),
        84 => block(Block::Bc5(true), U8, Rgb),
        85 => fields(Kind::Unorm, [5, 6, 5, 0], BGRA, U8, Rgb),
        86 => fields(Kind::Unorm, [5, 5, 5, 1], BGRA, U8, Rgba),
        87 | 90 | 91 => fields(Kind::Unorm, [8; 4], BGRA, U8, Rgba),
        88 | 92 | 93 => fields(Kind::Unorm, [8; 4], BGRA, U8, Rgb),
        89 => fields(Kind::XrBias, [10, 10, 10, 2], RGBA, F32, Rgba),
        94 | 95 => block(Block::Bc6h(false), F32, Rgb),
        96 => block(Block::Bc6h(true), F32, Rgb),
        97..=99 => block(Block::Bc7, U8, Rgba),
        100..=109 => return yuv_of_dxgi(number),
        115 => fields(Kind::Unorm, [4; 4], BGRA, U8, Rgba),
        133..=187 => return astc_of_dxgi(number - 133),
        191 => fields(Kind::Unorm, [4; 4], [3, 2, 1, 0], U8, Rgba),
        _ => return None,
    })
}

fn yuv_of_dxgi(number: u32) -> Option<Format> {
    Some(match number {
        // V, U, Y, A.
        100 => fields(Kind::Yuv, [8; 4], [2, 1, 0, 3], Depth::U8, Channels::Rgba),
        // U, Y, V, A.
        101 => fields(Kind::Yuv, [10, 10, 10, 2], [1, 0, 2, 3], Depth::U16, Channels::Rgba),
        102 => fields(Kind::Yuv, [16; 4], [1, 0, 2, 3], Depth::U16, Channels::Rgba),
        103 => Format::new(Coding::Planes(false), Depth::U8, Channels::Rgb),
        104 | 105 => Format::new(Coding::Planes(true), Depth::U16, Channels::Rgb),
        107 => pairs(false, true, [0, 2, 1, 3]),
        108 | 109 => pairs(true, true, [0, 2, 1, 3]),
        _ => return None,
    })
}

/// Each size of blocks has four numbers, of which the last is not given.
fn astc_of_dxgi(from_first: u32) -> Option<Format> {
    let &(columns, rows) = ASTC.get(from_first as usize / 4).filter(|_| from_first % 4 < 3)?;
    Some(Format::new(Coding::Astc(columns, rows), Depth::U8, Channels::Rgba))
}

/// The format of a four-character code, or of a number of `D3DFORMAT` in its place ("Programming Guide for DDS",
/// Microsoft).
pub(crate) fn of_code(code: [u8; 4]) -> Option<Format> {
    let dxgi = match &code {
        b"DXT1" => 71,
        b"DXT2" => return Some(block(Block::Bc2(true), Depth::U8, Channels::Rgba)),
        b"DXT3" => 74,
        b"DXT4" => return Some(block(Block::Bc3(true), Depth::U8, Channels::Rgba)),
        b"DXT5" => 77,
        b"RXGB" => return Some(block(Block::Rxgb, Depth::U8, Channels::Rgb)),
        b"ATI1" | b"BC4U" => 80,
        b"BC4S" => 81,
        b"ATI2" | b"BC5U" => 83,
        b"BC5S" => 84,
        b"RGBG" => 68,
        b"GRGB" => 69,
        b"UYVY" => return Some(pairs(false, true, [1, 3, 0, 2])),
        b"YUY2" => 107,
        _ => match u32::from_le_bytes(code) {
            36 => 11,
            110 => 13,
            111 => 54,
            112 => 34,
            113 => 10,
            114 => 41,
            115 => 16,
            116 => 2,
            _ => return None,
        },
    };
    of_dxgi(dxgi)
}
