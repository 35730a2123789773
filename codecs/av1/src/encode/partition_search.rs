//! How squares are divided, by rate and distortion.

use super::coded::{Part, Square};
use super::snapshot::Snapshot;
use super::syntax::code_partition;
use super::tile_encoder::TileEncoder;
use crate::block_size::{BlockSize, Partition};
use crate::plane::Plane;
use crate::predict::IntraMode;
use crate::tile::partition::parts;

impl TileEncoder<'_> {
    /// Chooses the blocks of a square. Returns them and their cost, which is infinite if it would exceed `limit`. The state is left as
    /// after the square.
    pub(super) fn search_square(
        &mut self,
        place: (usize, usize),
        size: BlockSize,
        limit: f32,
    ) -> (Square, f32) {
        let before = Snapshot::take(&self.tile, place, size);
        let mut best = Square { place, size, partition: Partition::None, parts: Vec::new() };
        let (mut least, mut is_applied) = (f32::INFINITY, false);
        let mut costs = Costs { whole: f32::INFINITY, quarters: f32::INFINITY };
        let mut modes = [None; 4];
        let partitions = self.partitions(place, size);
        // At the edges of the picture halves come first, as nothing else may be left.
        let is_free = matches!(partitions.first(), Some(Partition::None | Partition::Split));
        for partition in partitions {
            if partition != Partition::None && self.is_settled(&best, least) {
                break;
            }
            if is_free && !matches!(partition, Partition::None | Partition::Split) && !costs.are_close(size) {
                break;
            }
            if is_free && self.settings.joins_alike && !joins_alike(partition, &modes) {
                continue;
            }
            before.restore(&mut self.tile);
            let bits = self.bits(|sink, cdf, tile| code_partition(sink, cdf, tile, (place, size), partition));
            let Some(sub) = size.divided(partition).or((size < BlockSize::B8x8).then_some(size)) else {
                continue;
            };
            let from = self.lambda * bits;
            let (parts, cost) = match partition {
                Partition::Split => self.search_quarters(place, sub, from, least.min(limit)),
                _ => self.search_parts(place, (size, partition, sub), from, least.min(limit)),
            };
            is_applied = false;
            match partition {
                Partition::None => costs.whole = cost,
                Partition::Split => {
                    costs.quarters = cost;
                    modes = std::array::from_fn(|at| parts.get(at).and_then(mode_of_whole));
                }
                _ => {}
            }
            if cost < least.min(limit) {
                (least, is_applied) = (cost, true);
                best = Square { place, size, partition, parts };
            }
        }
        if !is_applied {
            before.restore(&mut self.tile);
            self.apply_square(&best);
        }
        (best, least)
    }

    /// The partitions to try, the cheapest to try first.
    fn partitions(&self, (row, col): (usize, usize), size: BlockSize) -> Vec<Partition> {
        if size < BlockSize::B8x8 {
            return vec![Partition::None];
        }
        let half = size.width4() / 2;
        let has_rows = row + half < self.tile.frame.mi_rows;
        let has_cols = col + half < self.tile.frame.mi_cols;
        let (smallest, largest) = self.settings.block_sides;
        let side = size.width();
        let mut partitions = Vec::new();
        match (has_rows, has_cols) {
            (true, true) if side <= largest && !self.is_busy((row, col), side, smallest) => {
                partitions.push(Partition::None);
            }
            (false, true) => partitions.push(Partition::Horz),
            (true, false) => partitions.push(Partition::Vert),
            _ => {}
        }
        if partitions.is_empty() || side > smallest {
            partitions.push(Partition::Split);
        }
        if has_rows && has_cols && side <= largest {
            if self.settings.least_halved.is_some_and(|least| side >= least) {
                partitions.extend([Partition::Horz, Partition::Vert]);
            }
            if self.settings.four_way && (16..=32).contains(&side) {
                partitions.extend([Partition::Horz4, Partition::Vert4]);
            }
            if self.settings.ab_partitions && side >= 16 {
                partitions.extend([Partition::HorzA, Partition::HorzB, Partition::VertA, Partition::VertB]);
            }
        }
        partitions
    }

    /// Whether a large square has so much detail that it is hardly ever one block, but with a palette.
    fn is_busy(&self, (row, col): (usize, usize), side: usize, smallest: usize) -> bool {
        let limit = match side {
            64 => 1.0,
            32 => 8.0,
            _ => return false,
        };
        side > smallest
            && !self.tile.header.allow_screen_content_tools
            && variance(&self.source[0], (col * 4, row * 4), side)
                > limit * self.lambda / self.settings.lambda
    }

    /// Whether a square is one block that smaller blocks hardly improve: without a residual or a palette, or of little cost.
    fn is_settled(&self, best: &Square, least: f32) -> bool {
        let (Partition::None, [Part::Block(coded)]) = (best.partition, best.parts.as_slice()) else {
            return false;
        };
        let side = best.size.width();
        // Bits for each sample.
        let limit = match side {
            64 => 1.0 / 32.0,
            32 => 1.0 / 8.0,
            16 => 1.0 / 4.0,
            _ => 1.0 / 2.0,
        };
        let is_plain = coded.block.skip && coded.block.palette_sizes[0] == 0 && !coded.block.is_inter();
        least.is_finite() && (is_plain || least < limit * self.lambda * (side * side) as f32)
    }

    fn is_inside(&self, (row, col): (usize, usize)) -> bool {
        row < self.tile.frame.mi_rows && col < self.tile.frame.mi_cols
    }

    fn search_quarters(
        &mut self,
        (row, col): (usize, usize),
        sub: BlockSize,
        mut cost: f32,
        limit: f32,
    ) -> (Vec<Part>, f32) {
        let half = sub.width4();
        let mut parts = Vec::new();
        for (down, right) in [(0, 0), (0, half), (half, 0), (half, half)] {
            let place = (row + down, col + right);
            if !self.is_inside(place) {
                continue;
            }
            let (square, more) = self.search_square(place, sub, limit - cost);
            cost += more;
            parts.push(Part::Square(square));
            if cost >= limit {
                // At least as much, and hardly more if only the last is too much.
                let cost = if parts.len() == 4 { limit } else { f32::INFINITY };
                return (parts, cost);
            }
        }
        (parts, cost)
    }

    fn search_parts(
        &mut self,
        (row, col): (usize, usize),
        (size, partition, sub): (BlockSize, Partition, BlockSize),
        mut cost: f32,
        limit: f32,
    ) -> (Vec<Part>, f32) {
        let mut found = Vec::new();
        for (down, right, size) in parts(size, partition, sub) {
            let place = (row + down, col + right);
            if !self.is_inside(place) {
                continue;
            }
            let Some((coded, more)) = self.search_block(place, size, limit - cost) else {
                return (found, f32::INFINITY);
            };
            cost += more;
            found.push(Part::Block(Box::new(coded)));
            if cost >= limit {
                return (found, f32::INFINITY);
            }
        }
        (found, cost)
    }
}

/// What a square costs as one block, and as four squares.
struct Costs {
    whole: f32,
    quarters: f32,
}

impl Costs {
    /// Whether neither is much better, so that something between them may be better than both.
    fn are_close(&self, size: BlockSize) -> bool {
        let ratio = self.quarters / self.whole;
        match size.width() {
            8 => true,
            16 => (0.85..1.15).contains(&ratio),
            _ => (0.9..1.1).contains(&ratio),
        }
    }
}

/// The luma mode of a square that is one block.
fn mode_of_whole(part: &Part) -> Option<IntraMode> {
    let Part::Square(Square { partition: Partition::None, parts, .. }) = part else { return None };
    let [Part::Block(coded)] = parts.as_slice() else { return None };
    Some(coded.block.y_mode)
}

/// Whether halves may be better than quarters with these modes: two quarters of a half have the same.
fn joins_alike(partition: Partition, modes: &[Option<IntraMode>; 4]) -> bool {
    let alike = |a: usize, b: usize| modes[a].is_some() && modes[a] == modes[b];
    match partition {
        Partition::Horz => alike(0, 1) || alike(2, 3),
        Partition::Vert => alike(0, 2) || alike(1, 3),
        _ => true,
    }
}

/// The variance of the samples of a square.
fn variance(plane: &Plane, (x, y): (usize, usize), side: usize) -> f32 {
    let (mut sum, mut squares) = (0u64, 0u64);
    for row in plane.data[y * plane.stride..].chunks(plane.stride).take(side) {
        let samples = &row[x..x + side];
        sum += u64::from(samples.iter().map(|sample| u32::from(*sample)).sum::<u32>());
        squares += u64::from(samples.iter().map(|sample| u32::from(*sample).pow(2)).sum::<u32>());
    }
    let count = (side * side) as u64;
    (count * squares - sum * sum) as f32 / (count * count) as f32
}
