//! The prefix codes of an image: five for each of its parts (RFC 9649, section 3.7.2.2).

use super::DecodeError;
use super::bit_reader::BitReader;
use super::prefix_code::PrefixCode;

/// The symbols of green that are not literals: lengths of backward references. Those of the color cache follow.
pub(super) const LITERALS: usize = 256;
pub(super) const LENGTHS: usize = 24;
const DISTANCES: usize = 40;

/// The bytes that a byte of the file may become in tables: no encoder comes near this.
const EXPANSION: usize = 64;
/// The entries of the tables of a few codes, for short files.
const FEW: usize = 1 << 17;
/// libwebp writes at most 2,600 groups, with about 2,000 entries each.
const MOST: usize = 1 << 23;

/// The entries that the tables of a chunk of so many bytes may have.
pub(super) fn most_entries(bytes: usize) -> usize {
    bytes.saturating_mul(EXPANSION / 2).clamp(FEW, MOST)
}

/// The codes of a part of the image.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) green: PrefixCode,
    pub(super) red: PrefixCode,
    pub(super) blue: PrefixCode,
    pub(super) alpha: PrefixCode,
    pub(super) distance: PrefixCode,
    /// The other channels of every literal, if they are always the same.
    pub(super) constant: Option<u32>,
}

pub(super) struct Groups {
    pub(super) entries: Vec<u16>,
    list: Vec<Group>,
    /// The group of each block; empty if there is one group.
    blocks: Vec<u16>,
    /// The bits of a coordinate within a block.
    pub(super) block_bits: u32,
    stride: usize,
}

impl Groups {
    /// Reads the codes of `count` groups. `blocks` are the groups of square blocks of 2 to the power of `block_bits` pixels, `stride` of
    /// them in a row.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`] and [`DecodeError::OutOfMemory`].
    pub(super) fn read(
        reader: &mut BitReader<'_>,
        cache_size: usize,
        most_entries: usize,
        (blocks, block_bits, stride): (Vec<u16>, u32, usize),
    ) -> Result<Self, DecodeError> {
        let count = blocks.iter().max().map_or(1, |most| usize::from(*most) + 1);
        let (mut entries, mut list) = (Vec::new(), Vec::new());
        list.try_reserve_exact(count)?;
        for _ in 0..count {
            let mut code = |size| PrefixCode::read(reader, size, &mut entries);
            let green = code(LITERALS + LENGTHS + cache_size)?;
            let [red, blue, alpha] = [code(LITERALS)?, code(LITERALS)?, code(LITERALS)?];
            let distance = code(DISTANCES)?;
            if entries.len() > most_entries {
                return Err(DecodeError::OutOfMemory);
            }
            let only = |code: PrefixCode| code.only_symbol(&entries).map(|symbol| symbol as u32);
            let constant = match (only(alpha), only(red), only(blue)) {
                (Some(alpha), Some(red), Some(blue)) => Some(alpha << 24 | red << 16 | blue),
                _ => None,
            };
            list.push(Group { green, red, blue, alpha, distance, constant });
        }
        Ok(Self { entries, list, blocks, block_bits, stride })
    }

    /// The group of a pixel.
    #[inline]
    pub(super) fn of(&self, x: usize, y: usize) -> Group {
        if self.blocks.is_empty() {
            return self.list[0];
        }
        let block = (y >> self.block_bits) * self.stride + (x >> self.block_bits);
        self.list[usize::from(self.blocks[block])]
    }

    pub(super) fn are_alike(&self) -> bool {
        self.blocks.is_empty()
    }
}
