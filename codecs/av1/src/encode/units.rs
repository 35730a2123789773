//! Open bitstream units around headers and tiles (AV1 specification, sections 5.3, 5.10 and 5.11.1).

use super::bit_writer::BitWriter;
use crate::obu::TileInfo;

/// OBU_SEQUENCE_HEADER.
pub(super) const SEQUENCE_HEADER: u8 = 1;
/// OBU_FRAME.
pub(super) const FRAME: u8 = 6;

/// Appends a unit with its size.
pub(super) fn append(to: &mut Vec<u8>, kind: u8, payload: &[u8]) {
    /// obu_has_size_field.
    const HAS_SIZE: u8 = 2;
    to.push(kind << 3 | HAS_SIZE);
    let mut size = payload.len();
    while size >= 0x80 {
        to.push(size as u8 | 0x80);
        size >>= 7;
    }
    to.push(size as u8);
    to.extend_from_slice(payload);
}

/// The payload of a frame unit: its header, then all tiles in one group.
pub(super) fn frame(header: &[u8], tiles: &[Vec<u8>], info: &TileInfo) -> Vec<u8> {
    let mut writer = BitWriter::default();
    writer.bytes(header);
    if tiles.len() > 1 {
        // tile_start_and_end_present_flag.
        writer.flag(false);
    }
    for (at, tile) in tiles.iter().enumerate() {
        if at + 1 < tiles.len() {
            let size = (tile.len() as u32 - 1).to_le_bytes();
            writer.bytes(&size[..info.size_bytes]);
        }
        writer.bytes(tile);
    }
    writer.finish()
}
