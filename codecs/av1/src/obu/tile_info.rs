//! How a frame is divided into tiles (AV1 specification, section 5.9.15).

use super::bit_reader::BitReader;
use super::frame_size::FrameSize;
use crate::error::Error;

const MAX_TILE_WIDTH: usize = 4096;
const MAX_TILE_AREA: usize = 4096 * 2304;
const MAX_TILE_COLS: usize = 64;
const MAX_TILE_ROWS: usize = 64;

/// The bounds of the tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TileInfo {
    /// The first column of each tile in 4×4 blocks, then the end of the last.
    pub(crate) col_starts: Vec<usize>,
    /// The first row of each tile in 4×4 blocks, then the end of the last.
    pub(crate) row_starts: Vec<usize>,
    /// The bits of a tile's number: TileColsLog2 + TileRowsLog2.
    pub(crate) number_bits: u32,
    /// TileSizeBytes.
    pub(crate) size_bytes: usize,
}

impl TileInfo {
    pub(super) fn read(
        reader: &mut BitReader<'_>,
        size: &FrameSize,
        superblocks_of_128: bool,
    ) -> Result<Self, Error> {
        let limits = TileLimits::new(size, superblocks_of_128);
        let TileLimits { sb_cols, sb_rows, max_width, min_cols_log2, min_log2, .. } = limits;
        let (cols, rows, cols_log2, rows_log2);
        if reader.flag()? {
            cols_log2 = increments(reader, min_cols_log2, limits.max_cols_log2)?;
            let width = sb_cols.div_ceil(1 << cols_log2);
            cols = (0..sb_cols).step_by(width).collect::<Vec<_>>();
            rows_log2 = increments(reader, limits.min_rows_log2(cols_log2), limits.max_rows_log2)?;
            rows = (0..sb_rows).step_by(sb_rows.div_ceil(1 << rows_log2)).collect::<Vec<_>>();
        } else {
            let widest;
            (cols, widest) = coded_starts(reader, sb_cols, max_width)?;
            cols_log2 = tile_log2(1, cols.len());
            let area = (sb_rows * sb_cols) >> if min_log2 > 0 { min_log2 + 1 } else { 0 };
            rows = coded_starts(reader, sb_rows, (area / widest).max(1))?.0;
            rows_log2 = tile_log2(1, rows.len());
        }
        if cols.len() > MAX_TILE_COLS || rows.len() > MAX_TILE_ROWS {
            return Err(Error::Corrupt("a frame has too many tiles"));
        }
        let number_bits = cols_log2 + rows_log2;
        let mut size_bytes = 4;
        if number_bits > 0 {
            // context_update_tile_id.
            reader.bits(number_bits)?;
            size_bytes = reader.bits(2)? as usize + 1;
        }
        Ok(Self::new(&limits, (&cols, &rows), number_bits, size_bytes))
    }

    /// From starts in superblocks.
    fn new(limits: &TileLimits, starts: (&[usize], &[usize]), number_bits: u32, size_bytes: usize) -> Self {
        let bounds = |starts: &[usize], end: usize| {
            starts.iter().map(|start| start << limits.shift).chain([end]).collect()
        };
        let (col_starts, row_starts) = (bounds(starts.0, limits.mi_cols), bounds(starts.1, limits.mi_rows));
        Self { col_starts, row_starts, number_bits, size_bytes }
    }

    /// The fewest tiles of equal size that a frame may have. Sizes take four bytes.
    pub(crate) fn fewest(size: &FrameSize, superblocks_of_128: bool) -> Self {
        let limits = TileLimits::new(size, superblocks_of_128);
        let cols_log2 = limits.min_cols_log2;
        let rows_log2 = limits.min_rows_log2(cols_log2);
        let starts = |count: usize, log2: u32| -> Vec<usize> {
            (0..count).step_by(count.div_ceil(1 << log2).max(1)).collect()
        };
        let (cols, rows) = (starts(limits.sb_cols, cols_log2), starts(limits.sb_rows, rows_log2));
        Self::new(&limits, (&cols, &rows), cols_log2 + rows_log2, 4)
    }

    pub(crate) fn cols(&self) -> usize {
        self.col_starts.len() - 1
    }

    /// TileCols × TileRows.
    pub(crate) fn count(&self) -> usize {
        self.cols() * (self.row_starts.len() - 1)
    }
}

/// What restricts the tiles of a frame.
pub(crate) struct TileLimits {
    /// Of superblocks in 4×4 blocks.
    shift: u32,
    mi_cols: usize,
    mi_rows: usize,
    sb_cols: usize,
    sb_rows: usize,
    /// maxTileWidthSb.
    max_width: usize,
    pub(crate) min_cols_log2: u32,
    pub(crate) max_cols_log2: u32,
    min_log2: u32,
    pub(crate) max_rows_log2: u32,
}

impl TileLimits {
    pub(crate) fn new(size: &FrameSize, superblocks_of_128: bool) -> Self {
        let shift = if superblocks_of_128 { 5 } else { 4 };
        let (mi_cols, mi_rows) = (size.mi_cols(), size.mi_rows());
        let (sb_cols, sb_rows) = (mi_cols.div_ceil(1 << shift), mi_rows.div_ceil(1 << shift));
        let max_width = MAX_TILE_WIDTH >> (shift + 2);
        let max_area = MAX_TILE_AREA >> (2 * (shift + 2));
        let min_cols_log2 = tile_log2(max_width, sb_cols);
        Self {
            shift,
            mi_cols,
            mi_rows,
            sb_cols,
            sb_rows,
            max_width,
            min_cols_log2,
            max_cols_log2: tile_log2(1, sb_cols.min(MAX_TILE_COLS)),
            min_log2: min_cols_log2.max(tile_log2(max_area, sb_rows * sb_cols)),
            max_rows_log2: tile_log2(1, sb_rows.min(MAX_TILE_ROWS)),
        }
    }

    /// minLog2TileRows.
    pub(crate) fn min_rows_log2(&self, cols_log2: u32) -> u32 {
        self.min_log2.saturating_sub(cols_log2)
    }
}

/// The smallest k for which `size << k` is at least `target`.
fn tile_log2(size: usize, target: usize) -> u32 {
    (0..).find(|k| size << k >= target).unwrap_or(0)
}

/// A logarithm that is told by increments.
fn increments(reader: &mut BitReader<'_>, min: u32, max: u32) -> Result<u32, Error> {
    let mut value = min;
    while value < max && reader.flag()? {
        value += 1;
    }
    Ok(value)
}

/// Starts whose distances are coded, and the largest distance.
fn coded_starts(reader: &mut BitReader<'_>, end: usize, max: usize) -> Result<(Vec<usize>, usize), Error> {
    let (mut starts, mut start, mut widest) = (Vec::new(), 0, 0);
    while start < end {
        starts.push(start);
        let width = reader.uniform((end - start).min(max) as u32)? as usize + 1;
        widest = widest.max(width);
        start += width;
    }
    Ok((starts, widest))
}
