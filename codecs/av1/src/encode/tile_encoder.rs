//! The encoder of one tile: superblocks are searched, then written in the order and with the state of the decoder.

use super::activity::Activity;
use super::coded::{CodedBlock, CodedTransform, Part, Square};
use super::coefficients;
use super::copy_index::CopyIndex;
use super::costs::CoefficientCosts;
use super::delta_q;
use super::forward::{ForwardTransform, SCALE};
use super::orientations::Orientations;
use super::quantize::LevelMap;
use super::settings::Settings;
use super::snapshot::Snapshot;
use super::step_weights::{StepWeights, is_weighted};
use super::syntax::{code_mode_info, code_partition};
use crate::entropy::{BitCounter, CdfContext, SymbolEncoder};
use crate::error::Error;
use crate::frame::CdefMap;
use crate::plane::Plane;
use crate::tile::TileState;
use crate::tile::block::Block;
use crate::tile::coefficient_shape::{HORIZONTAL, Shape, TWO_DIMENSIONS, VERTICAL, class};
use crate::tile::prediction::BlockParams;
use crate::transform::{Dequantizer, Residual, ac_q};
use crate::try_vec::filled;

/// Room for the levels of 32×32 coefficients with their margin.
const LEVELS: usize = 37 * 37;
/// Samples of the largest transform.
const SAMPLES: usize = 64 * 64;
/// Coefficients of the largest transform that has seven types; more than those of the largest.
const COEFFICIENTS: usize = 7 * 16 * 16;

/// Encodes one tile, and reconstructs it in the frame.
pub(super) struct TileEncoder<'a> {
    pub(super) tile: TileState<'a>,
    /// The planes to encode, padded as those of the frame.
    pub(super) source: &'a [Plane],
    pub(super) settings: &'a Settings,
    pub(super) cdf: Box<CdfContext>,
    /// What coefficients cost by the CDFs at the start of the superblock.
    pub(super) costs: Box<CoefficientCosts>,
    symbols: SymbolEncoder,
    pub(super) forward: ForwardTransform,
    /// Levels with the margin of contexts.
    pub(super) scratch: Vec<u8>,
    pub(super) residual: Vec<f32>,
    /// Of all transform types that are tried, one after the other.
    pub(super) coefficients: Vec<f32>,
    /// The best levels of a transform, and those that are tried.
    pub(super) levels: [Vec<i32>; 2],
    pub(super) level_map: LevelMap,
    pub(super) weights: StepWeights,
    pub(super) activity: &'a Activity,
    pub(super) orientations: Orientations,
    /// None without intra block copy.
    pub(super) copies: Option<&'a CopyIndex>,
    /// The quantizer index that the next block codes.
    next_q_index: Option<u8>,
    /// What a bit is worth in sums of absolute differences.
    pub(super) bit_in_satd: f32,
    /// The squared error of samples that a bit must save.
    pub(super) lambda: f32,
    /// The map of CDEF, which is in the frame only where a superblock is written: trials leave no trace in it.
    cdef: Option<CdefMap>,
}

impl<'a> TileEncoder<'a> {
    pub(super) fn new(
        tile: TileState<'a>,
        source: &'a [Plane],
        settings: &'a Settings,
        activity: &'a Activity,
        copies: Option<&'a CopyIndex>,
    ) -> Result<Self, Error> {
        let base_q_idx = tile.header.quantizer.base_q_idx;
        let step = ac_q(base_q_idx.into(), tile.sequence.color.bit_depth) as f32 / SCALE;
        let cdf = Box::new(CdfContext::new(base_q_idx));
        Ok(Self {
            source,
            settings,
            costs: CoefficientCosts::new(&cdf.coefficients),
            cdf,
            symbols: SymbolEncoder::new(),
            forward: ForwardTransform::new(),
            scratch: filled(0, LEVELS)?,
            residual: filled(0.0, SAMPLES)?,
            coefficients: filled(0.0, COEFFICIENTS)?,
            levels: [filled(0, LEVELS)?, filled(0, LEVELS)?],
            level_map: LevelMap::new(),
            weights: StepWeights::new(tile.header, activity.texture())?,
            activity,
            orientations: Orientations::new(),
            copies,
            next_q_index: None,
            bit_in_satd: 0.0,
            lambda: settings.lambda * step * step,
            cdef: tile.frame.cdef.take(),
            tile,
        })
    }

    /// Encodes all superblocks. Returns the bytes of the tile.
    pub(super) fn encode(mut self) -> Vec<u8> {
        let size = self.tile.superblock();
        for place in self.tile.superblocks() {
            self.tile.start_superblock(place);
            self.costs.update(&self.cdf.coefficients);
            self.orientations.load(&self.source[0], place);
            let q_index = self.tile.q_index;
            if self.tile.header.quantizer.delta_q_res.is_some() {
                self.tile.q_index = self.chosen_q_index(place);
                self.next_q_index = Some(self.tile.q_index);
            }
            let before = Snapshot::take(&self.tile, place, size);
            let (square, _) = self.search_square(place, size, f32::INFINITY);
            before.restore(&mut self.tile);
            self.tile.q_index = q_index;
            self.tile.frame.cdef = self.cdef.take();
            self.write_square(&square);
            self.cdef = self.tile.frame.cdef.take();
        }
        self.tile.frame.cdef = self.cdef.take();
        self.symbols.finish()
    }

    /// The quantizer index that suits a superblock.
    fn chosen_q_index(&self, (row, col): (usize, usize)) -> u8 {
        let size = self.tile.superblock();
        let log2_weight = self.activity.log2_weight((col * 4, row * 4), (size.width(), size.height()));
        let bit_depth = self.tile.sequence.color.bit_depth;
        let base_q_idx = self.tile.header.quantizer.base_q_idx;
        delta_q::q_index(base_q_idx, bit_depth, (log2_weight, self.activity.texture()))
    }

    /// Changes the quantizer index if a block, which is written, is the first of a superblock and codes that. Returns the change.
    fn change_q_index(&mut self, block: &Block) -> Option<i32> {
        let q_index = self.next_q_index.take()?;
        if block.skip && block.size == self.tile.superblock() {
            return None;
        }
        let change = i32::from(q_index) - i32::from(self.tile.q_index);
        self.tile.q_index = q_index;
        Some(change)
    }

    /// Reconstructs a square, and records it for what follows.
    pub(super) fn apply_square(&mut self, square: &Square) {
        for part in &square.parts {
            match part {
                Part::Square(square) => self.apply_square(square),
                Part::Block(coded) => {
                    self.load_color_map(&coded.block, &coded.color_map);
                    let params = self.tile.block_params(&coded.block);
                    self.apply_transforms(&coded.block, &params, &coded.transforms);
                    self.record_block(&coded.block);
                }
            }
        }
    }

    /// Writes a square, whose samples are those of its search, and records it for what follows.
    fn write_square(&mut self, square: &Square) {
        let at = (square.place, square.size);
        code_partition(&mut self.symbols, &mut self.cdf, &self.tile, at, square.partition);
        for part in &square.parts {
            match part {
                Part::Square(square) => self.write_square(square),
                Part::Block(coded) => self.write_block(coded),
            }
        }
    }

    fn write_block(&mut self, coded: &CodedBlock) {
        let block = &coded.block;
        self.load_color_map(block, &coded.color_map);
        self.set_cdef_index(block);
        let change = self.change_q_index(block);
        code_mode_info(&mut self.symbols, &mut self.cdf, &self.tile, block, change);
        for transform in &coded.transforms {
            if !block.skip {
                let what = (block, transform);
                coefficients::code(&mut self.symbols, &mut self.cdf, &self.tile, &mut self.scratch, what);
            }
            self.record_transform(block, transform);
        }
        self.record_block(block);
    }

    /// Records a block whose transforms are recorded.
    pub(super) fn record_block(&mut self, block: &Block) {
        self.tile.record_tx_extent(block, (block.tx_size.width(), block.tx_size.height()));
        if block.skip {
            self.tile.reset_block_context(block);
        }
        self.tile.record(block);
    }

    /// Reconstructs the transforms of a block, and records them.
    pub(super) fn apply_transforms(
        &mut self,
        block: &Block,
        params: &BlockParams,
        transforms: &[CodedTransform],
    ) {
        for coded in transforms {
            self.tile.predict(block, params, &coded.transform);
            self.reconstruct(block, params, coded);
        }
    }

    /// Adds the residual of a transform to its prediction, and records it.
    pub(super) fn reconstruct(&mut self, block: &Block, params: &BlockParams, coded: &CodedTransform) {
        let transform = &coded.transform;
        if !coded.levels.is_empty() {
            let (rows, cols) = self.dequantize(params, coded);
            let residual = Residual {
                tx_size: transform.size,
                tx_type: coded.tx_type,
                lossless: block.lossless,
                bit_depth: self.tile.sequence.color.bit_depth,
                rows,
                cols,
            };
            let plane = &mut self.tile.frame.planes[transform.plane];
            let work = &mut self.tile.work;
            let place = (transform.col * 4, transform.row * 4);
            work.transform.add(plane, place.0, place.1, &mut work.coefficients, &residual);
        }
        self.record_transform(block, coded);
    }

    /// Records a transform for what follows: contexts, what is decoded, and edges to deblock.
    fn record_transform(&mut self, block: &Block, coded: &CodedTransform) {
        let transform = &coded.transform;
        let plane = transform.plane;
        if !block.skip {
            coefficients::record(&mut self.tile, transform, &coded.levels);
        }
        if let Some(map) = &mut self.tile.frame.deblock
            && plane < 2
        {
            map.record_transform(plane > 0, transform.row, transform.col, transform.size);
        }
        let place = self.tile.in_superblock(transform);
        let extent = (transform.size.width() / 4, transform.size.height() / 4);
        self.tile.decoded.set(plane, place, extent);
    }

    /// Turns levels into coefficients. Returns the rows and columns that have some.
    fn dequantize(&mut self, params: &BlockParams, coded: &CodedTransform) -> (usize, usize) {
        let (plane, size) = (coded.transform.plane, coded.transform.size);
        let (dc, ac) = params.steps[plane];
        let matrix = self.tile.header.matrix_level(0, plane).filter(|_| is_weighted(coded.tx_type));
        let matrix = matrix.map(|level| (level, plane > 0));
        let dequantizer = Dequantizer::new(dc, ac, size, matrix, self.tile.sequence.color.bit_depth);
        let shape = Shape::new(size, plane);
        let class = class(coded.tx_type);
        let (mut rows, mut cols) = (0, 0);
        for (at, level) in coded.levels.iter().enumerate().filter(|(_, level)| **level != 0) {
            let position = match class {
                TWO_DIMENSIONS => shape.position::<TWO_DIMENSIONS>(at),
                HORIZONTAL => shape.position::<HORIZONTAL>(at),
                _ => shape.position::<VERTICAL>(at),
            };
            rows = rows.max((position >> shape.log2_w) + 1);
            cols = cols.max((position & ((1 << shape.log2_w) - 1)) + 1);
            self.tile.work.coefficients[position] = dequantizer.coefficient(position, *level);
        }
        (rows, cols)
    }

    /// The only strengths of CDEF have index 0.
    fn set_cdef_index(&mut self, block: &Block) {
        let Some(map) = &mut self.tile.frame.cdef else { return };
        if !block.skip && map.index_at(block.row, block.col) == -1 {
            map.set_index((block.row, block.col), (block.size.width4(), block.size.height4()), 0);
        }
    }

    /// The bits of what `code` codes.
    pub(super) fn bits(
        &mut self,
        code: impl FnOnce(&mut BitCounter, &mut CdfContext, &TileState<'_>),
    ) -> f32 {
        let mut counter = BitCounter::default();
        code(&mut counter, &mut self.cdf, &self.tile);
        counter.bits
    }
}
