//! The segment of a block (AV1 specification, section 5.11.9).

use super::block::Block;
use super::tile_decoder::TileDecoder;

impl TileDecoder<'_> {
    /// intra_segment_id. A block that is skipped has the segment that its neighbors predict.
    pub(super) fn read_segment_id(&mut self, block: &mut Block) {
        if !self.tile.header.segmentation.enabled {
            return;
        }
        let columns = self.tile.frame.mi_cols;
        let at = |row: usize, col: usize| self.tile.frame.segment_ids[row * columns + col];
        let above = block.has_above.then(|| at(block.row - 1, block.col));
        let left = block.has_left.then(|| at(block.row, block.col - 1));
        let corner = (block.has_above && block.has_left).then(|| at(block.row - 1, block.col - 1));
        let predicted = match (above, left) {
            (None, left) => left.unwrap_or(0),
            (Some(above), None) => above,
            (Some(above), Some(left)) => {
                if corner == Some(above) {
                    above
                } else {
                    left
                }
            }
        };
        block.segment_id = predicted;
        if block.skip {
            return;
        }
        let context = match corner {
            None => 0,
            corner if corner == above && corner == left => 2,
            corner if corner == above || corner == left || above == left => 1,
            Some(_) => 0,
        };
        let symbol = self.symbols.symbol(&mut self.cdf.segment_id[context]) as i32;
        let last = i32::from(self.tile.header.segmentation.last_active);
        let segment = neg_deinterleave(symbol, i32::from(predicted), last + 1);
        // Not conforming, but aomenc writes it: libaom refuses the file, dav1d takes segment 0.
        block.segment_id = if (0..=last).contains(&segment) { segment as u8 } else { 0 };
    }
}

/// neg_deinterleave: the value whose distance to a reference alternates in sign.
fn neg_deinterleave(difference: i32, reference: i32, count: i32) -> i32 {
    if reference == 0 {
        return difference;
    }
    if reference >= count - 1 {
        return count - difference - 1;
    }
    let is_low = 2 * reference < count;
    let reach = if is_low { 2 * reference } else { 2 * (count - reference - 1) };
    if difference <= reach {
        return match difference % 2 {
            0 => reference - difference / 2,
            _ => reference + (difference + 1) / 2,
        };
    }
    if is_low { difference } else { count - (difference + 1) }
}
