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
/// A group has a number of 16 bits.
const MOST_GROUPS: u64 = 1 << 16;
/// A group without the entries, and what a list of its own takes beside them.
const GROUP_BYTES: u64 = size_of::<Group>() as u64 + 16;

/// The entries that the tables of a chunk of so many bytes may have.
pub(super) fn most_entries(bytes: usize) -> usize {
    bytes.saturating_mul(EXPANSION / 2).clamp(FEW, MOST)
}

/// The bytes of the groups of a chunk of so many bytes, at most. A group takes more than two bytes of the chunk.
pub(super) fn memory(bytes: u64) -> u64 {
    let groups = (bytes / 2).min(MOST_GROUPS);
    2 * most_entries(usize::try_from(bytes).unwrap_or(usize::MAX)) as u64 + groups * GROUP_BYTES
}

/// The codes of a part of the image.
pub(super) struct Group {
    /// The tables of all five.
    pub(super) entries: Vec<u16>,
    pub(super) green: PrefixCode,
    pub(super) red: PrefixCode,
    pub(super) blue: PrefixCode,
    pub(super) alpha: PrefixCode,
    pub(super) distance: PrefixCode,
    /// The other channels of every literal, if they are always the same.
    pub(super) constant: Option<u32>,
}

pub(super) struct Groups {
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
        let (mut list, mut sum) = (Vec::new(), 0);
        list.try_reserve_exact(count)?;
        for _ in 0..count {
            let mut entries = Vec::new();
            let mut code = |size| PrefixCode::read(reader, size, &mut entries);
            let green = code(LITERALS + LENGTHS + cache_size)?;
            let [red, blue, alpha] = [code(LITERALS)?, code(LITERALS)?, code(LITERALS)?];
            let distance = code(DISTANCES)?;
            entries.shrink_to_fit();
            sum += entries.len();
            if sum > most_entries {
                return Err(DecodeError::OutOfMemory);
            }
            let only = |code: PrefixCode| code.only_symbol(&entries).map(|symbol| symbol as u32);
            let constant = match (only(alpha), only(red), only(blue)) {
                (Some(alpha), Some(red), Some(blue)) => Some(alpha << 24 | red << 16 | blue),
                _ => None,
            };
            list.push(Group { entries, green, red, blue, alpha, distance, constant });
        }
        Ok(Self { list, blocks, block_bits, stride })
    }

    /// The number of the group of a pixel.
    #[inline]
    pub(super) fn at(&self, x: usize, y: usize) -> usize {
        if self.blocks.is_empty() {
            return 0;
        }
        let block = (y >> self.block_bits) * self.stride + (x >> self.block_bits);
        usize::from(self.blocks[block])
    }

    /// The group with a number.
    #[inline(always)]
    pub(super) fn of(&self, number: usize) -> &Group {
        &self.list[number]
    }

    pub(super) fn are_alike(&self) -> bool {
        self.blocks.is_empty()
    }
}
