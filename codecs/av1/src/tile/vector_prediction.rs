//! The prediction of vectors of intra block copy (AV1 specification, section 7.10.2).

use super::block::Block;
use super::tile_state::TileState;
use crate::block_size::BlockSize;
use crate::few::sort_few;
use crate::frame::Vector;

/// MAX_REF_MV_STACK_SIZE.
const MAX_VECTORS: usize = 8;
/// REF_CAT_LEVEL: what the weight of the nearest vectors is raised by.
const NEAREST: u32 = 640;
/// MV_BORDER: how far vectors may point out of the frame, in eighths of a sample.
const BORDER: i32 = 128;
/// Larger blocks look at no more 4×4 blocks along a side.
const MAX_SCANNED: usize = 16;

/// The vectors that were found, and their weights.
#[derive(Default)]
struct Stack {
    vectors: [Vector; MAX_VECTORS],
    weights: [u32; MAX_VECTORS],
    count: usize,
}

impl Stack {
    /// The search stack process.
    fn add(&mut self, vector: Vector, weight: u32) {
        let vector = vector.map(whole_samples);
        match self.vectors[..self.count].iter().position(|known| *known == vector) {
            Some(at) => self.weights[at] += weight,
            None if self.count < MAX_VECTORS => {
                self.vectors[self.count] = vector;
                self.weights[self.count] = weight;
                self.count += 1;
            }
            None => {}
        }
    }

    /// The sorting process: by weight, equal ones in their order.
    fn sort(&mut self, start: usize, end: usize) {
        let mut entries: [(u32, Vector); MAX_VECTORS] =
            std::array::from_fn(|at| (self.weights[at], self.vectors[at]));
        sort_few(&mut entries[start..end], |(a, _), (b, _)| a > b);
        for (at, (weight, vector)) in entries.into_iter().enumerate() {
            (self.weights[at], self.vectors[at]) = (weight, vector);
        }
    }
}

impl TileState<'_> {
    /// The first two vectors of the stack (find_mv_stack); zero where there are fewer.
    pub(crate) fn predicted_vectors(&self, block: &Block) -> [Vector; 2] {
        let mut stack = Stack::default();
        let (width, height) = (block.size.width4(), block.size.height4());
        self.scan_row(block, &mut stack, -1);
        self.scan_col(block, &mut stack, -1);
        if width.max(height) <= MAX_SCANNED {
            self.scan_point(block, &mut stack, width as isize);
        }
        let nearest = stack.count;
        for weight in &mut stack.weights[..nearest] {
            *weight += NEAREST;
        }
        self.scan_point(block, &mut stack, -1);
        self.scan_row(block, &mut stack, -3);
        self.scan_col(block, &mut stack, -3);
        if height > 1 {
            self.scan_row(block, &mut stack, -5);
        }
        if width > 1 {
            self.scan_col(block, &mut stack, -5);
        }
        let count = stack.count;
        stack.sort(0, nearest);
        stack.sort(nearest, count);
        let clamp = |at: usize| if at < count { self.clamp(block, stack.vectors[at]) } else { [0; 2] };
        [clamp(0), clamp(1)]
    }

    /// The scan row process.
    fn scan_row(&self, block: &Block, stack: &mut Stack, mut delta: isize) {
        let width = block.size.width4();
        let end = width.min(self.frame.mi_cols - block.col).min(MAX_SCANNED);
        let (mut shift, mut least) = (0, 1);
        if delta < -1 {
            delta += (block.row & 1) as isize;
            shift = 1 - (block.col & 1);
            least = 2;
        }
        if width >= 16 {
            least = 4;
        }
        let mut at = 0;
        while at < end {
            let Some(size) = self.add_candidate(
                stack,
                (block.row as isize + delta, (block.col + shift + at) as isize),
                |size| 2 * size.width4().min(width).max(least) as u32,
            ) else {
                break;
            };
            at += size.width4().min(width).max(least);
        }
    }

    /// The scan col process.
    fn scan_col(&self, block: &Block, stack: &mut Stack, mut delta: isize) {
        let height = block.size.height4();
        let end = height.min(self.frame.mi_rows - block.row).min(MAX_SCANNED);
        let (mut shift, mut least) = (0, 1);
        if delta < -1 {
            delta += (block.col & 1) as isize;
            shift = 1 - (block.row & 1);
            least = 2;
        }
        if height >= 16 {
            least = 4;
        }
        let mut at = 0;
        while at < end {
            let Some(size) = self.add_candidate(
                stack,
                ((block.row + shift + at) as isize, block.col as isize + delta),
                |size| 2 * size.height4().min(height).max(least) as u32,
            ) else {
                break;
            };
            at += size.height4().min(height).max(least);
        }
    }

    /// The scan point process, in the row above.
    fn scan_point(&self, block: &Block, stack: &mut Stack, right: isize) {
        self.add_candidate(stack, (block.row as isize - 1, block.col as isize + right), |_| 4);
    }

    /// The add reference motion vector process. Returns the size of the block there, if it is in the tile and decoded.
    fn add_candidate(
        &self,
        stack: &mut Stack,
        (row, col): (isize, isize),
        weight: impl Fn(BlockSize) -> u32,
    ) -> Option<BlockSize> {
        let (row, col) = (usize::try_from(row).ok()?, usize::try_from(col).ok()?);
        let bounds = &self.bounds;
        let rows = bounds.row_start..bounds.row_end;
        let cols = bounds.col_start..bounds.col_end;
        if !rows.contains(&row) || !cols.contains(&col) {
            return None;
        }
        let candidate = self.frame.block_copies.as_ref()?.at(row, col)?;
        if let Some(vector) = candidate.vector {
            stack.add(vector, weight(candidate.size));
        }
        Some(candidate.size)
    }

    /// clamp_mv_row and clamp_mv_col.
    fn clamp(&self, block: &Block, vector: Vector) -> Vector {
        let along = |component: i32, place: usize, side: usize, end: usize| {
            let border = BORDER + side as i32 * 32;
            let (before, after) = (-(place as i32 * 32), (end as i32 - side as i32 - place as i32) * 32);
            component.clamp(before - border, (after + border).max(before - border))
        };
        [
            along(vector[0], block.row, block.size.height4(), self.frame.mi_rows),
            along(vector[1], block.col, block.size.width4(), self.frame.mi_cols),
        ]
    }
}

/// The lower precision process.
fn whole_samples(component: i32) -> i32 {
    ((component.abs() + 3) >> 3 << 3) * component.signum()
}
