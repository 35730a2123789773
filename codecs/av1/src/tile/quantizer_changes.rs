//! How blocks change the quantizer and the loop filter (AV1 specification, sections 5.11.13 and 5.11.14).

use super::block::Block;
use super::tile_decoder::TileDecoder;
use crate::entropy::SymbolDecoder;

/// DELTA_Q_SMALL and DELTA_LF_SMALL: from this symbol on, the value follows in bits.
const SMALL: u32 = 3;
/// MAX_LOOP_FILTER.
const MAX_LOOP_FILTER: i32 = 63;

impl TileDecoder<'_> {
    /// read_delta_qindex and read_delta_lf.
    pub(super) fn read_quantizer_changes(&mut self, block: &Block) {
        if !self.reads_deltas || block.size == self.tile.superblock() && block.skip {
            return;
        }
        let symbols = &mut self.symbols;
        let change = read_change(symbols, &mut self.cdf.delta_q);
        if change != 0 {
            let change = change << self.tile.header.quantizer.delta_q_res.unwrap_or(0);
            self.tile.q_index = (i32::from(self.tile.q_index) + change).clamp(1, 255) as u8;
        }
        let Some(delta_lf) = self.tile.header.quantizer.delta_lf else { return };
        let count = match (delta_lf.multi, self.tile.sequence.color.monochrome) {
            (false, _) => 1,
            (true, true) => 2,
            (true, false) => 4,
        };
        for at in 0..count {
            let cdf = if delta_lf.multi { &mut self.cdf.delta_lf_multi[at] } else { &mut self.cdf.delta_lf };
            let change = read_change(symbols, cdf) << delta_lf.res;
            self.tile.delta_lf[at] =
                (self.tile.delta_lf[at] + change).clamp(-MAX_LOOP_FILTER, MAX_LOOP_FILTER);
        }
    }
}

fn read_change(symbols: &mut SymbolDecoder<'_>, cdf: &mut [u16; 5]) -> i32 {
    let mut value = symbols.symbol(cdf) as u32;
    if value == SMALL {
        let bits = symbols.literal(3) + 1;
        value = symbols.literal(bits) + (1 << bits) + 1;
    }
    if value != 0 && symbols.bit() { -(value as i32) } else { value as i32 }
}
