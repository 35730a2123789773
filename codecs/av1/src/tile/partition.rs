//! How superblocks are divided into blocks (AV1 specification, section 5.11.4).

use super::tile_decoder::TileDecoder;
use super::tile_state::TileState;
use crate::block_size::{BlockSize, Partition};
use crate::entropy::CdfContext;
use crate::error::Error;

impl TileDecoder<'_> {
    /// decode_partition: decodes the blocks of a square.
    pub(super) fn decode_partition(&mut self, row: usize, col: usize, size: BlockSize) -> Result<(), Error> {
        if row >= self.tile.frame.mi_rows || col >= self.tile.frame.mi_cols {
            return Ok(());
        }
        let half = size.width4() / 2;
        let has_rows = row + half < self.tile.frame.mi_rows;
        let has_cols = col + half < self.tile.frame.mi_cols;
        let partition = self.read_partition((row, col), size, has_rows, has_cols);
        let invalid = Error::Corrupt("a block has a size that its chroma cannot have");
        let (ss_x, ss_y) = self.tile.subsampling(1);
        let sub =
            size.divided(partition).filter(|sub| sub.subsampled(ss_x, ss_y).is_some()).ok_or(invalid)?;
        if partition == Partition::Split {
            for (down, right) in [(0, 0), (0, half), (half, 0), (half, half)] {
                self.decode_partition(row + down, col + right, sub)?;
            }
            return Ok(());
        }
        for (down, right, size) in parts(size, partition, sub) {
            // The last of four may lie outside.
            if row + down < self.tile.frame.mi_rows && col + right < self.tile.frame.mi_cols {
                self.decode_block(row + down, col + right, size)?;
            }
        }
        Ok(())
    }

    fn read_partition(
        &mut self,
        (row, col): (usize, usize),
        size: BlockSize,
        has_rows: bool,
        has_cols: bool,
    ) -> Partition {
        if size < BlockSize::B8x8 {
            return Partition::None;
        }
        let log2 = size.width_log2();
        let context = self.tile.partition_context((row, col), size);
        if has_rows && has_cols {
            return Partition::from_index(match log2 {
                1 => self.symbols.symbol(&mut self.cdf.partition_8[context]),
                5 => self.symbols.symbol(&mut self.cdf.partition_128[context]),
                _ => self.symbols.symbol(&mut self.cdf.partition[usize::from(log2) - 2][context]),
            });
        }
        if !has_rows && !has_cols {
            return Partition::Split;
        }
        let is_split = self.symbols.bit_with(split_probability(&self.cdf, log2, context, has_cols));
        match (is_split, has_cols) {
            (true, _) => Partition::Split,
            (false, true) => Partition::Horz,
            (false, false) => Partition::Vert,
        }
    }
}

impl TileState<'_> {
    /// The context of partition.
    pub(crate) fn partition_context(&self, (row, col): (usize, usize), size: BlockSize) -> usize {
        let log2 = size.width_log2();
        let (above, left) = (&self.work.above.blocks[col], &self.work.left.blocks[row]);
        let above = row > self.bounds.row_start && above.size.width_log2() < log2;
        let left = col > self.bounds.col_start && left.size.height_log2() < log2;
        2 * usize::from(left) + usize::from(above)
    }
}

/// The blocks of a square that is not split: row and column from its corner in 4×4 blocks, and size. `sub` is the largest of them. Those
/// that begin outside the frame do not exist.
pub(crate) fn parts(
    size: BlockSize,
    partition: Partition,
    sub: BlockSize,
) -> impl Iterator<Item = (usize, usize, BlockSize)> {
    let half = size.width4() / 2;
    let quarters = [0, half / 2, half, half + half / 2];
    let small = size.divided(Partition::Split).unwrap_or(size);
    let blocks: [Option<(usize, usize, BlockSize)>; 4] = match partition {
        Partition::None | Partition::Split => [Some((0, 0, sub)), None, None, None],
        Partition::Horz => [Some((0, 0, sub)), Some((half, 0, sub)), None, None],
        Partition::Vert => [Some((0, 0, sub)), Some((0, half, sub)), None, None],
        Partition::HorzA => [Some((0, 0, small)), Some((0, half, small)), Some((half, 0, sub)), None],
        Partition::HorzB => [Some((0, 0, sub)), Some((half, 0, small)), Some((half, half, small)), None],
        Partition::VertA => [Some((0, 0, small)), Some((half, 0, small)), Some((0, half, sub)), None],
        Partition::VertB => [Some((0, 0, sub)), Some((0, half, small)), Some((half, half, small)), None],
        Partition::Horz4 => quarters.map(|down| Some((down, 0, sub))),
        Partition::Vert4 => quarters.map(|right| Some((0, right, sub))),
    };
    blocks.into_iter().flatten()
}

/// The probability that a square at the bottom (or right) edge is split, from those of all partitions.
pub(crate) fn split_probability(cdf: &CdfContext, log2: u8, context: usize, is_at_bottom: bool) -> u32 {
    let at_bottom = [
        Partition::Vert,
        Partition::Split,
        Partition::HorzA,
        Partition::VertA,
        Partition::VertB,
        Partition::Vert4,
    ];
    let at_right = [
        Partition::Horz,
        Partition::Split,
        Partition::HorzA,
        Partition::HorzB,
        Partition::VertA,
        Partition::Horz4,
    ];
    let entries: &[u16] = match log2 {
        1 => &cdf.partition_8[context],
        5 => &cdf.partition_128[context],
        _ => &cdf.partition[usize::from(log2) - 2][context],
    };
    let symbols = entries.len() - 1;
    let partitions = if is_at_bottom { at_bottom } else { at_right };
    let known = partitions.into_iter().map(|partition| partition as usize).filter(|at| *at < symbols);
    known.map(|at| u32::from(entries[at - 1]) - u32::from(entries[at])).sum()
}
