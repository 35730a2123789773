//! How easily each macroblock is compressed, from the coefficients that simple predictions leave.

use crate::dct;
use crate::lanes::Blocks;
use crate::macroblock::Macroblock;
use crate::mb_context::{MbContext, MbIterator};
use crate::mb_row::MbRow;
use crate::predict::intra16::Edges;
use crate::predict::{DC_PRED, TM_PRED};
use crate::yuv_source::YuvSource;

#[derive(Clone)]
pub(crate) struct Analysis {
    /// Of each macroblock, row by row: 0, hard to compress, to 255.
    pub(crate) ease: Vec<u8>,
    /// How busy chroma is, as the mean of all.
    pub(crate) chroma: i32,
}

#[inline(never)]
pub(crate) fn analyze(source: &YuvSource<'_>) -> Analysis {
    let (across, down) = source.mb_size();
    let mut mb_row = MbRow::new(source);
    let mut iterator = MbIterator::new(across);
    let mut ease = Vec::with_capacity(across * down);
    let mut sum = 0_i64;
    for row in 0..down {
        mb_row.load(source, row);
        for column in 0..across {
            let macroblock = Macroblock::new(&mb_row, column);
            let context = iterator.context();
            let (luma, chroma) = (luma(&macroblock, &context), chroma(&macroblock, &context));
            ease.push((255 - ((3 * luma + chroma + 2) >> 2)).clamp(0, 255) as u8);
            sum += i64::from(chroma);
            iterator.advance(&macroblock.edges(), &context);
        }
    }
    Analysis { chroma: (sum / ease.len().max(1) as i64) as i32, ease }
}

fn luma(macroblock: &Macroblock, context: &MbContext) -> i32 {
    let edges = Edges::luma(context);
    let busy = [DC_PRED, TM_PRED].map(|mode| {
        let mut histogram = Histogram::default();
        for (edges, pixels) in edges.iter().zip(&macroblock.luma) {
            histogram.add(pixels, &edges.predict(mode));
        }
        histogram.spread()
    });
    busy[0].max(busy[1])
}

fn chroma(macroblock: &Macroblock, context: &MbContext) -> i32 {
    let edges = Edges::chroma(context);
    let busy = [DC_PRED, TM_PRED].map(|mode| {
        let mut histogram = Histogram::default();
        histogram.add(&macroblock.chroma, &edges.predict(mode));
        histogram.spread()
    });
    busy[0].max(busy[1])
}

/// How often coefficients are how large, in eighths, up to 31.
#[derive(Default)]
struct Histogram([i32; 32]);

impl Histogram {
    #[inline(never)]
    fn add(&mut self, pixels: &Blocks, prediction: &Blocks) {
        for lanes in dct::forward(pixels, prediction) {
            for size in lanes.array().map(|coefficient| (coefficient.unsigned_abs() >> 3).min(31)) {
                self.0[usize::from(size)] += 1;
            }
        }
    }

    /// The largest size beside the most frequent one's number.
    fn spread(&self) -> i32 {
        let most = self.0.iter().copied().max().unwrap_or(0);
        let largest = self.0.iter().rposition(|&number| number > 0).unwrap_or(0).max(1);
        if most > 1 { 2 * 255 * largest as i32 / most } else { 0 }
    }
}
