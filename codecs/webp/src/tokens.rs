//! The second partition: all levels (RFC 6386, section 13).

use crate::bools::BoolEncoder;
use crate::frame::Coded;
use crate::record::each_block;
use crate::residuals::{Block, extra_bits, visit};
use crate::surroundings::Filled;
use crate::tables::{CATEGORIES, TokenProbabilities};

pub(crate) fn write(coded: &Coded, across: usize) -> Vec<u8> {
    // Of macroblocks that say that they have no levels nothing is written.
    let skips = coded.has_levels.is_some();
    let mut out = BoolEncoder::new();
    let mut reader = coded.residuals.reader();
    let mut above = vec![Filled::default(); across];
    for row in coded.records.chunks(across) {
        let mut left = Filled::default();
        for (record, above) in row.iter().zip(&mut above) {
            let has_second = record.has_second();
            if record.is_empty && skips {
                above.clear(has_second);
                left.clear(has_second);
                continue;
            }
            each_block(has_second, above, &mut left, |kind, context| {
                let mut levels = [0; 16];
                let count = if record.is_empty { 0 } else { reader.next(&mut levels) };
                write_block(
                    &mut out,
                    &Block { kind, context, levels: &levels[..count] },
                    &coded.probabilities,
                );
                count > 0
            });
        }
    }
    out.finish()
}

fn write_block(out: &mut BoolEncoder, block: &Block<'_>, probabilities: &TokenProbabilities) {
    let of_kind = &probabilities[block.kind];
    visit(
        block,
        out,
        |out, place, bit| out.write(bit, of_kind[place.band][place.context][place.node]),
        |out, level| {
            let size = level.unsigned_abs();
            if size >= CATEGORIES[0].0 {
                extra_bits(size, |bit, probability| out.write(bit, probability));
            }
            out.write(level < 0, 128);
        },
    );
}
