//! Trials: the transforms of a plane of a block by one choice of modes, with what they cost.

use super::coded::CodedTransform;
use super::coefficients;
use super::forward::wht;
use super::quantize::{Quantized, Quantizer};
use super::satd::sse;
use super::settings::Types;
use super::tile_encoder::TileEncoder;
use super::type_ranking::RankedType;
use crate::block_size::BlockSize;
use crate::entropy::{BitCounter, symbol_bits};
use crate::tile::block::Block;
use crate::tile::coefficient_contexts::Transform;
use crate::tile::coefficient_shape::{Shape, TWO_DIMENSIONS, class};
use crate::tile::prediction::BlockParams;
use crate::tile::tx_sizes;
use crate::transform::{TxSize, TxType};

/// The weight of errors of chroma beside those of luma.
const CHROMA_WEIGHT: f32 = 1.3;

/// What a trial made.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    pub(super) transforms: Vec<CodedTransform>,
    /// The palette indices of luma, in rows of the block; empty without a palette.
    pub(super) color_map: Vec<u8>,
    /// Of coefficients and transform types.
    pub(super) bits: f32,
    /// The squared error of the samples in the frame.
    pub(super) error: f32,
}

/// A block, its trial, and what they cost.
pub(super) type Choice = (Block, Trial, f32);

impl Trial {
    /// Adds that of another plane.
    pub(super) fn append(&mut self, other: Self) {
        self.transforms.extend(other.transforms);
        self.bits += other.bits;
        self.error += other.error;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.transforms.iter().all(|coded| coded.levels.is_empty())
    }
}

/// The transform that a block begins with.
pub(super) fn largest_transform(block: &Block) -> TxSize {
    if block.lossless { TxSize::Tx4x4 } else { tx_sizes::largest(block.size) }
}

impl TileEncoder<'_> {
    /// The transforms of a block in a plane, in their order.
    pub(super) fn transforms(
        &self,
        block: &Block,
        plane: usize,
        size: TxSize,
    ) -> impl Iterator<Item = Transform> + use<> {
        let (ss_x, ss_y) = self.tile.subsampling(plane);
        let (rows, cols) = (self.tile.frame.mi_rows >> ss_y, self.tile.frame.mi_cols >> ss_x);
        let area = block.size.subsampled(ss_x, ss_y).unwrap_or(BlockSize::B4x4);
        let (width, height) = (size.width() / 4, size.height() / 4);
        let (first_row, first_col) = (block.row >> ss_y, block.col >> ss_x);
        let row_end = rows.min(first_row + area.height4().next_multiple_of(height));
        let col_end = cols.min(first_col + area.width4().next_multiple_of(width));
        (first_row..row_end).step_by(height).flat_map(move |row| {
            (first_col..col_end).step_by(width).map(move |col| {
                let (row_end, col_end) = ((row + height).min(rows), (col + width).min(cols));
                Transform { plane, size, row, col, row_end, col_end }
            })
        })
    }

    /// Predicts and codes a plane of a block. The error is infinite if the cost would reach `limit`. The state is undefined after.
    pub(super) fn try_plane(
        &mut self,
        block: &Block,
        params: &BlockParams,
        (plane, size): (usize, TxSize),
        which: Types,
        limit: f32,
    ) -> Trial {
        let mut trial = Trial::default();
        let mut transforms = self.transforms(block, plane, size).peekable();
        while let Some(transform) = &transforms.next() {
            self.tile.predict(block, params, transform);
            let energy = self.load_residual(transform);
            let chroma_type;
            let types = if plane == 0 {
                self.luma_types(block, size, which)
            } else {
                chroma_type = [self.tile.chroma_transform_type(block, size, (transform.row, transform.col))];
                &chroma_type
            };
            let (coded, paid) = match block.lossless {
                true => self.code_lossless(block, transform, energy),
                false => self.choose_type(block, params, transform, types),
            };
            let is_inside = self.visible(transform) == (size.width(), size.height());
            // Nothing is predicted from the last transform before it is applied again.
            if transforms.peek().is_some() || !is_inside {
                self.reconstruct(block, params, &coded);
            }
            trial.bits += paid.bits;
            let error = if is_inside { (energy + paid.error).max(0.0) } else { self.error(transform) };
            trial.error += self.weight_of(transform) * error;
            trial.transforms.push(coded);
            if trial.error + self.lambda * trial.bits >= limit {
                trial.error = f32::INFINITY;
                break;
            }
        }
        trial
    }

    /// The differences of the source from the prediction. Returns the sum of their squares.
    pub(super) fn load_residual(&mut self, transform: &Transform) -> f32 {
        let (source, plane) = (&self.source[transform.plane], &self.tile.frame.planes[transform.plane]);
        let (w, h) = (transform.size.width(), transform.size.height());
        let mut energy = 0u64;
        for (line, to) in self.residual.chunks_exact_mut(w).take(h).enumerate() {
            let start = (transform.row * 4 + line) * source.stride + transform.col * 4;
            let from = source.data[start..start + w].iter().zip(&plane.data[start..start + w]);
            let mut of_row = 0;
            for (to, (source, prediction)) in to.iter_mut().zip(from) {
                let difference = i32::from(*source) - i32::from(*prediction);
                of_row += difference * difference;
                *to = difference as f32;
            }
            energy += of_row as u64;
        }
        energy as f32
    }

    /// All levels of a lossless transform.
    fn code_lossless(
        &mut self,
        block: &Block,
        transform: &Transform,
        energy: f32,
    ) -> (CodedTransform, Quantized) {
        let transformed = wht(std::array::from_fn(|at| self.residual[at] as i32));
        let shape = Shape::new(transform.size, transform.plane);
        let mut levels: Vec<i32> =
            (0..transformed.len()).map(|at| transformed[shape.position::<TWO_DIMENSIONS>(at)]).collect();
        levels.truncate(levels.iter().rposition(|level| *level != 0).map_or(0, |last| last + 1));
        let coded = CodedTransform { transform: *transform, tx_type: TxType::DctDct, levels };
        let mut counter = BitCounter::default();
        let what = (block, &coded);
        coefficients::code(&mut counter, &mut self.cdf, &self.tile, &mut self.scratch, what);
        (coded, Quantized { error: -energy, bits: counter.bits })
    }

    /// The transform type and the levels of least cost.
    fn choose_type(
        &mut self,
        block: &Block,
        params: &BlockParams,
        transform: &Transform,
        types: &[TxType],
    ) -> (CodedTransform, Quantized) {
        let (dc, ac) = params.steps[transform.plane];
        let lambda = self.lambda / self.weight_of(transform);
        let shape = Shape::new(transform.size, transform.plane);
        let all_zero = {
            let context = self.tile.all_zero_context(block, transform);
            self.cdf.coefficients.all_zero[shape.context][context]
        };
        let empty = Quantized { error: 0.0, bits: symbol_bits(&all_zero, 1) };
        let (mut best, mut least) = ((types[0], empty), lambda * empty.bits);
        self.levels[0].clear();
        let mut is_first = true;
        for RankedType { tx_type, coefficients, bits, .. } in
            self.promising_types(block, transform, types, (ac as f32, lambda))
        {
            let coefficients = &self.coefficients[coefficients];
            let weights = self.weights.of(transform.plane, transform.size, tx_type);
            let error = weights.error_beside_plain(coefficients);
            if std::mem::take(&mut is_first) {
                best.1.error = error;
                least += error;
            }
            let quantizer = Quantizer { dc: dc as f32, ac: ac as f32, weights, lambda };
            let costs = self.costs.of(&shape, class(tx_type) != TWO_DIMENSIONS);
            let [chosen, levels] = &mut self.levels;
            let what = (&shape, tx_type);
            let mut paid = quantizer.quantize(&costs, what, coefficients, &mut self.level_map, levels);
            paid.bits += symbol_bits(&all_zero, 0) + bits;
            paid.error += error;
            let cost = paid.error + lambda * paid.bits;
            if !levels.is_empty() && cost < least {
                std::mem::swap(chosen, levels);
                (best, least) = ((tx_type, paid), cost);
            }
        }
        let levels = self.levels[0].as_slice().to_vec();
        // Without levels the type is not coded, and the same for all.
        let tx_type = if levels.is_empty() && transform.plane == 0 { TxType::DctDct } else { best.0 };
        (CodedTransform { transform: *transform, tx_type, levels }, best.1)
    }

    /// The width and height of the part of a transform that is in the picture.
    fn visible(&self, transform: &Transform) -> (usize, usize) {
        let source = &self.source[transform.plane];
        let visible = |start: usize, side: usize, end: usize| side.min(end.saturating_sub(start));
        let w = visible(transform.col * 4, transform.size.width(), source.width);
        (w, visible(transform.row * 4, transform.size.height(), source.height))
    }

    /// The mean weight of a transform's errors.
    pub(super) fn weight_of(&self, transform: &Transform) -> f32 {
        let (ss_x, ss_y) = self.tile.subsampling(transform.plane);
        let place = ((transform.col * 4) << ss_x, (transform.row * 4) << ss_y);
        let extent = (transform.size.width() << ss_x, transform.size.height() << ss_y);
        let weight = self.activity.weight(place, extent);
        if transform.plane > 0 { CHROMA_WEIGHT * weight } else { weight }
    }

    /// The mean weight of a block's errors.
    pub(super) fn weight_of_block(&self, block: &Block) -> f32 {
        self.activity.weight((block.col * 4, block.row * 4), (block.size.width(), block.size.height()))
    }

    /// The squared error of that part.
    fn error(&self, transform: &Transform) -> f32 {
        let (source, plane) = (&self.source[transform.plane], &self.tile.frame.planes[transform.plane]);
        sse(source, plane, (transform.col * 4, transform.row * 4), self.visible(transform))
    }
}
