//! Trials: the transforms of a plane of a block by one choice of modes, with what they cost.

use super::coded::CodedTransform;
use super::coefficients;
use super::forward::wht;
use super::quantize::{LevelBuffers, Quantizer};
use super::satd::sse;
use super::tile_encoder::TileEncoder;
use crate::block_size::BlockSize;
use crate::entropy::BitCounter;
use crate::tile::block::Block;
use crate::tile::coefficient_contexts::Transform;
use crate::tile::coefficient_shape::{Shape, TWO_DIMENSIONS};
use crate::tile::prediction::BlockParams;
use crate::tile::transform_type::TxSet;
use crate::tile::tx_sizes;
use crate::transform::{TxSize, TxType};

/// What a trial made.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    pub(super) transforms: Vec<CodedTransform>,
    /// Of coefficients and transform types.
    pub(super) bits: f32,
    /// The squared error of the samples in the frame.
    pub(super) error: f32,
}

impl Trial {
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
    pub(super) fn transforms(&self, block: &Block, plane: usize, size: TxSize) -> Vec<Transform> {
        let (ss_x, ss_y) = self.tile.subsampling(plane);
        let (rows, cols) = (self.tile.frame.mi_rows >> ss_y, self.tile.frame.mi_cols >> ss_x);
        let area = block.size.subsampled(ss_x, ss_y).unwrap_or(BlockSize::B4x4);
        let (width, height) = (size.width() / 4, size.height() / 4);
        let mut transforms = Vec::new();
        for row in (block.row >> ss_y..rows).step_by(height).take(area.height4().div_ceil(height)) {
            for col in (block.col >> ss_x..cols).step_by(width).take(area.width4().div_ceil(width)) {
                let (row_end, col_end) = ((row + height).min(rows), (col + width).min(cols));
                transforms.push(Transform { plane, size, row, col, row_end, col_end });
            }
        }
        transforms
    }

    /// The transform types that are tried for luma.
    pub(super) fn types(&self, size: TxSize, all: bool) -> &'static [TxType] {
        let types = TxSet::of(size, false, self.tile.header.reduced_tx_set).types();
        if all { types } else { &[TxType::DctDct] }
    }

    /// Predicts and codes a plane of a block. The state is left as after it.
    pub(super) fn try_plane(
        &mut self,
        block: &Block,
        params: &BlockParams,
        (plane, size): (usize, TxSize),
        all_types: bool,
    ) -> Trial {
        let mut trial = Trial::default();
        for transform in self.transforms(block, plane, size) {
            self.tile.predict(block, params, &transform);
            self.load_residual(&transform);
            let chroma_type = [self.tile.chroma_transform_type(block, size, (transform.row, transform.col))];
            let types = if plane == 0 { self.types(size, all_types) } else { &chroma_type };
            let (coded, bits) = match block.lossless {
                true => self.code_lossless(block, &transform),
                false => self.choose_type(block, params, &transform, types),
            };
            self.reconstruct(block, params, &coded);
            trial.bits += bits;
            trial.error += self.error(&transform);
            trial.transforms.push(coded);
        }
        trial
    }

    /// The differences of the source from the prediction.
    fn load_residual(&mut self, transform: &Transform) {
        let (source, plane) = (&self.source[transform.plane], &self.tile.frame.planes[transform.plane]);
        let (w, h) = (transform.size.width(), transform.size.height());
        for (line, to) in self.residual.chunks_exact_mut(w).take(h).enumerate() {
            let start = (transform.row * 4 + line) * source.stride + transform.col * 4;
            let from = source.data[start..start + w].iter().zip(&plane.data[start..start + w]);
            for (to, (source, prediction)) in to.iter_mut().zip(from) {
                *to = (i32::from(*source) - i32::from(*prediction)) as f32;
            }
        }
    }

    /// All levels of a lossless transform.
    fn code_lossless(&mut self, block: &Block, transform: &Transform) -> (CodedTransform, f32) {
        let transformed = wht(std::array::from_fn(|at| self.residual[at] as i32));
        let shape = Shape::new(transform.size, transform.plane);
        let mut levels: Vec<i32> =
            (0..transformed.len()).map(|at| transformed[shape.position::<TWO_DIMENSIONS>(at)]).collect();
        levels.truncate(levels.iter().rposition(|level| *level != 0).map_or(0, |last| last + 1));
        let coded = CodedTransform { transform: *transform, tx_type: TxType::DctDct, levels };
        let mut counter = BitCounter::default();
        let what = (block, &coded);
        coefficients::code(&mut counter, &mut self.cdf, &self.tile, &mut self.scratch, what);
        (coded, counter.bits)
    }

    /// The transform type and the levels of least cost.
    fn choose_type(
        &mut self,
        block: &Block,
        params: &BlockParams,
        transform: &Transform,
        types: &[TxType],
    ) -> (CodedTransform, f32) {
        let (dc, ac) = params.steps[transform.plane];
        let quantizer = Quantizer { dc: dc as f32, ac: ac as f32, lambda: self.lambda };
        let shape = Shape::new(transform.size, transform.plane);
        let mut best: Option<(CodedTransform, f32, f32)> = None;
        for &tx_type in types {
            self.forward.transform(&self.residual, transform.size, tx_type, &mut self.coefficients);
            let mut levels = Vec::new();
            let buffers = LevelBuffers { scratch: &mut self.scratch, levels: &mut levels };
            let error = quantizer.quantize(&mut self.cdf, &shape, tx_type, &self.coefficients, buffers);
            // Without levels the type is not coded, and the same for all.
            let is_empty = levels.is_empty();
            let tx_type = if is_empty && transform.plane == 0 { TxType::DctDct } else { tx_type };
            let coded = CodedTransform { transform: *transform, tx_type, levels };
            let mut counter = BitCounter::default();
            let what = (block, &coded);
            coefficients::code(&mut counter, &mut self.cdf, &self.tile, &mut self.scratch, what);
            let cost = error + self.lambda * counter.bits;
            if best.as_ref().is_none_or(|best| cost < best.2) {
                best = Some((coded, counter.bits, cost));
            }
        }
        let nothing =
            || CodedTransform { transform: *transform, tx_type: TxType::DctDct, levels: Vec::new() };
        best.map_or_else(|| (nothing(), 0.0), |(coded, bits, _)| (coded, bits))
    }

    /// The squared error of the part of a transform that is in the picture.
    fn error(&self, transform: &Transform) -> f32 {
        let (source, plane) = (&self.source[transform.plane], &self.tile.frame.planes[transform.plane]);
        let (x, y) = (transform.col * 4, transform.row * 4);
        let visible = |start: usize, side: usize, end: usize| side.min(end.saturating_sub(start));
        let w = visible(x, transform.size.width(), source.width);
        let h = visible(y, transform.size.height(), source.height);
        sse(source, plane, (x, y), (w, h))
    }
}
