//! Palettes of luma: where a picture may have some, and the colors of a block.

use super::palette_syntax::{code_color_map, code_palette};
use super::snapshot::Snapshot;
use super::tile_encoder::TileEncoder;
use super::trial::{Choice, largest_transform};
use crate::plane::Plane;
use crate::predict::IntraMode;
use crate::tile::MAX_PALETTE_SIDE;
use crate::tile::block::Block;
use crate::tile::prediction::BlockParams;

/// The most colors of a palette.
const MOST_COLORS: usize = 8;
/// Blocks with more values have no palette.
const MOST_VALUES: usize = 128;
/// How much more than the best a palette may cost, for one with more colors to be tried.
const WORSE_COST: f32 = 1.1;
/// Rounds of clustering.
const ROUNDS: usize = 6;
/// Squares of this side are looked at.
const CELL: usize = 8;
/// Samples of one value in a square that are a background.
const BACKGROUND: usize = 24;

/// Whether many squares with contrast have few values or a background, as drawings, text and the screens of programs do.
pub(super) fn suits_palettes(luma: &Plane, bit_depth: u8) -> bool {
    let contrast = 16 << (bit_depth - 8);
    let (mut few, mut all) = (0, 0);
    for y in (0..luma.height.saturating_sub(CELL - 1)).step_by(CELL) {
        for x in (0..luma.width.saturating_sub(CELL - 1)).step_by(CELL) {
            let mut values = Vec::with_capacity(CELL * CELL);
            for line in y..y + CELL {
                values.extend_from_slice(&luma.data[line * luma.stride + x..][..CELL]);
            }
            values.sort_unstable();
            if values[values.len() - 1] - values[0] >= contrast {
                let runs = || values.chunk_by(|a, b| a == b).map(<[u16]>::len);
                all += 1;
                few += usize::from(runs().count() <= MOST_COLORS || runs().any(|run| run >= BACKGROUND));
            }
        }
    }
    10 * few > all
}

impl TileEncoder<'_> {
    /// Tries the palette that is best by a guess at its cost, for a block whose other modes are tried. Without loss all sizes are tried.
    pub(super) fn try_palettes(
        &mut self,
        block: &Block,
        params: &BlockParams,
        before: &Snapshot,
        best: &mut Option<Choice>,
    ) {
        if !self.tile.allows_palettes(block) {
            return;
        }
        let values = self.values(block);
        if !(2..=MOST_VALUES).contains(&values.len()) {
            return;
        }
        let mut block = block.clone();
        (block.y_mode, block.angle_delta[0], block.filter_intra) = (IntraMode::Dc, 0, None);
        block.tx_size = largest_transform(&block);
        let mut least = (f32::INFINITY, [0; MOST_COLORS], 0);
        for count in 2..=values.len().min(MOST_COLORS) {
            let colors = cluster(&values, count);
            if colors.len() < 2 {
                continue;
            }
            self.load_palette(&mut block, &colors);
            if block.lossless {
                self.try_luma(&block, params, before, best);
                continue;
            }
            let bits = self.bits(|sink, cdf, tile| {
                code_palette(sink, cdf, tile, &block);
                code_color_map(sink, cdf, tile, &block);
            });
            let cost = self.guess_transform(&block, params) + self.lambda * bits;
            if cost < least.0 {
                least = (cost, block.palette_colors[0], colors.len());
            } else if cost > WORSE_COST * least.0 {
                break;
            }
        }
        if least.0.is_finite() {
            self.load_palette(&mut block, &least.1[..least.2]);
            self.try_luma(&block, params, before, best);
        }
    }

    /// Gives a block these colors, and the samples their nearest.
    fn load_palette(&mut self, block: &mut Block, colors: &[u16]) {
        block.palette_sizes[0] = colors.len() as u8;
        block.palette_colors[0][..colors.len()].copy_from_slice(colors);
        self.fill_color_map(block, colors);
    }

    /// The luma values of a block in ascending order, and how often they occur. Too many are cut short.
    fn values(&self, block: &Block) -> Vec<(u16, u32)> {
        let source = &self.source[0];
        let mut values: Vec<(u16, u32)> = Vec::new();
        for line in 0..block.size.height() {
            let start = (block.row * 4 + line) * source.stride + block.col * 4;
            for sample in &source.data[start..start + block.size.width()] {
                match values.binary_search_by_key(sample, |(value, _)| *value) {
                    Ok(at) => values[at].1 += 1,
                    Err(at) => values.insert(at, (*sample, 1)),
                }
            }
            if values.len() > MOST_VALUES {
                break;
            }
        }
        values
    }

    /// Writes the nearest color of each sample to the workspace.
    fn fill_color_map(&mut self, block: &Block, colors: &[u16]) {
        let source = &self.source[0];
        let map = &mut self.tile.work.color_maps[0];
        let [rows, columns] =
            [(self.tile.frame.mi_rows - block.row) * 4, (self.tile.frame.mi_cols - block.col) * 4];
        for (line, to) in map.chunks_exact_mut(MAX_PALETTE_SIDE).take(block.size.height()).enumerate() {
            // Beyond the frame, decoders repeat the last column and row.
            let start = (block.row * 4 + line.min(rows - 1)) * source.stride + block.col * 4;
            for (column, to) in to.iter_mut().enumerate().take(block.size.width()) {
                *to = nearest(colors, source.data[start + column.min(columns - 1)]) as u8;
            }
        }
    }

    /// A copy of the color map in the workspace, in rows of the block.
    pub(super) fn color_map(&self, block: &Block) -> Vec<u8> {
        if block.palette_sizes[0] == 0 {
            return Vec::new();
        }
        let rows = self.tile.work.color_maps[0].chunks_exact(MAX_PALETTE_SIDE).take(block.size.height());
        rows.flat_map(|row| &row[..block.size.width()]).copied().collect()
    }

    /// Puts such a copy into the workspace.
    pub(super) fn load_color_map(&mut self, block: &Block, map: &[u8]) {
        let rows = self.tile.work.color_maps[0].chunks_exact_mut(MAX_PALETTE_SIDE);
        let width = block.size.width();
        rows.zip(map.chunks_exact(width)).for_each(|(to, from)| to[..width].copy_from_slice(from));
    }
}

/// The index of the nearest of ascending colors.
fn nearest(colors: &[u16], sample: u16) -> usize {
    let distance = |at: &usize| colors[*at].abs_diff(sample);
    (0..colors.len()).min_by_key(distance).unwrap_or(0)
}

/// At most `count` colors that occur, in ascending order: each the most frequent of the values that are nearest to it.
fn cluster(values: &[(u16, u32)], count: usize) -> Vec<u16> {
    let mut frequent = values.to_vec();
    frequent.sort_by_key(|(value, times)| (u32::MAX - times, *value));
    let mut colors: Vec<u16> = frequent.iter().take(count).map(|(value, _)| *value).collect();
    colors.sort_unstable();
    if values.len() <= count {
        return colors;
    }
    let mut centers: Vec<f32> = colors.iter().map(|color| f32::from(*color)).collect();
    for _ in 0..ROUNDS {
        let mut sums = vec![(0.0, 0.0); centers.len()];
        let mut modes = vec![(0, 0); centers.len()];
        for (value, times) in values {
            let distance = |at: &usize| (centers[*at] - f32::from(*value)).abs();
            let at = (0..centers.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
            sums[at].0 += f32::from(*value) * *times as f32;
            sums[at].1 += *times as f32;
            if *times > modes[at].1 {
                modes[at] = (*value, *times);
            }
        }
        for (center, (sum, weight)) in centers.iter_mut().zip(&sums) {
            if *weight > 0.0 {
                *center = sum / weight;
            }
        }
        colors = modes.iter().filter(|(_, times)| *times > 0).map(|(value, _)| *value).collect();
    }
    colors.sort_unstable();
    colors.dedup();
    colors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_values_that_occur() {
        assert_eq!(cluster(&[(3, 9), (700, 1)], 8), [3, 700]);
        let values = [(10, 100), (11, 3), (400, 2), (990, 4), (1000, 50), (1003, 5)];
        assert_eq!(cluster(&values, 2), [10, 1000]);
        assert_eq!(cluster(&values, 3).len(), 3);
    }

    #[test]
    fn drawings_suit_palettes_and_noise_does_not() {
        let mut luma = Plane::new(64, 64, 64, 64).unwrap();
        assert!(!suits_palettes(&luma, 8));
        luma.data.iter_mut().enumerate().for_each(|(at, sample)| *sample = 200 * (at / 5 % 2) as u16);
        assert!(suits_palettes(&luma, 8));
        luma.data.iter_mut().enumerate().for_each(|(at, sample)| *sample = (at * at * 31 % 251) as u16);
        assert!(!suits_palettes(&luma, 8));
    }
}
