//! A tile group: which tiles it has, and the bytes of each (AV1 specification, section 5.11.1).

use super::bit_reader::BitReader;
use super::tile_info::TileInfo;
use crate::error::Error;

/// The tiles of a group.
pub(crate) struct TileGroup<'a> {
    /// The number of the first tile.
    pub(crate) first: usize,
    /// The bytes of each.
    pub(crate) tiles: Vec<&'a [u8]>,
}

/// Reads tile_group_obu( ) without decoding the tiles.
pub(crate) fn tile_group<'a>(payload: &'a [u8], info: &TileInfo) -> Result<TileGroup<'a>, Error> {
    let count = info.count();
    let mut reader = BitReader::new(payload);
    let (mut first, mut last) = (0, count - 1);
    if count > 1 && reader.flag()? {
        first = reader.bits(info.number_bits)? as usize;
        last = reader.bits(info.number_bits)? as usize;
    }
    if first > last || last >= count {
        return Err(Error::Corrupt("a tile group names tiles that do not exist"));
    }
    let mut rest = reader.rest();
    let cut = Error::Corrupt("a tile ends too soon");
    let mut tiles = Vec::with_capacity(last - first + 1);
    for _ in first..last {
        let (size, after) = rest.split_at_checked(info.size_bytes).ok_or(cut)?;
        let size = size.iter().rev().fold(0u64, |size, byte| size << 8 | u64::from(*byte)) + 1;
        let (tile, after) =
            usize::try_from(size).ok().and_then(|size| after.split_at_checked(size)).ok_or(cut)?;
        tiles.push(tile);
        rest = after;
    }
    if rest.is_empty() {
        return Err(cut);
    }
    tiles.push(rest);
    Ok(TileGroup { first, tiles })
}
