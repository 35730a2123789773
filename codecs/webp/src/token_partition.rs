//! The token partition: the levels of all macroblocks (RFC 6386, sections 9.5 and 13). The encoder writes one.

use crate::bool_encoder::BoolEncoder;
use crate::coded_frame::CodedFrame;
use crate::coeffs::{CoeffBlock, ProbIndex, TokenSink, extra_bits, walk_tokens};
use crate::mb_context::NonZero;
use crate::mb_info::for_each_block;
use crate::tables::{CoeffProbs, DCT_CATEGORIES};

pub(crate) fn write(coded: &CodedFrame, mb_width: usize) -> Vec<u8> {
    let uses_skip = coded.skip_prob.is_some();
    let mut out = BoolEncoder::new();
    let mut reader = coded.coeffs.reader();
    let mut top = vec![NonZero::default(); mb_width];
    for row in coded.mb_infos.chunks(mb_width) {
        let mut left = NonZero::default();
        for (mb, top) in row.iter().zip(&mut top) {
            let has_y2 = mb.has_y2();
            if mb.is_empty && uses_skip {
                top.skip(has_y2);
                left.skip(has_y2);
                continue;
            }
            for_each_block(has_y2, top, &mut left, |block_type, context| {
                let mut levels = [0; 16];
                let count = if mb.is_empty { 0 } else { reader.next(&mut levels) };
                let block = CoeffBlock { block_type, context, levels: &levels[..count] };
                write_block(&mut out, &block, &coded.probs);
                count > 0
            });
        }
    }
    out.finish()
}

fn write_block(out: &mut BoolEncoder, block: &CoeffBlock<'_>, probs: &CoeffProbs) {
    walk_tokens(block, &mut Writer { out, probs: &probs[block.block_type] });
}

struct Writer<'a> {
    out: &'a mut BoolEncoder,
    /// Those of the type of the block.
    probs: &'a [[[u8; 11]; 3]; 8],
}

impl TokenSink for Writer<'_> {
    // Not inlined: a token has many callers of it.
    #[inline(never)]
    fn put(&mut self, index: ProbIndex, bit: bool) {
        self.out.write(bit, self.probs[index.band][index.context][index.node]);
    }

    #[inline(always)]
    fn put_sign(&mut self, level: i16) {
        let magnitude = level.unsigned_abs();
        if magnitude >= DCT_CATEGORIES[0].0 {
            extra_bits(magnitude, |bit, prob| self.out.write(bit, prob));
        }
        self.out.write(level < 0, 128);
    }
}
