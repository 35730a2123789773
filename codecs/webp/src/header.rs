//! The first partition: the header of the frame and the modes of all macroblocks (RFC 6386, sections 9 and 19).

use crate::bools::BoolEncoder;
use crate::cost;
use crate::decide::Luma;
use crate::frame::Coded;
use crate::probabilities::share;
use crate::record::Record;
use crate::segments::Segments;
use crate::tables::TokenProbabilities;
use crate::tables::coefficients::{DEFAULTS, KEPT};
use crate::trees;

/// How long the first partition can be.
pub(crate) const MOST: usize = (1 << 19) - 1;

pub(crate) fn write(coded: &Coded, across: usize, segments: &Segments) -> Vec<u8> {
    let (records, filters) = (&coded.records, &coded.filters);
    let mut out = BoolEncoder::new();
    // The colour space, and that decoders have to clamp pixels.
    out.literal(0, 2);
    let segment_tree = write_segments(&mut out, records, segments, filters);
    // The normal loop filter; its strength where segments do not say it; no sharpness; no adjustments by mode.
    out.literal(0, 1);
    out.literal(filters.iter().copied().max().unwrap_or(0) as u32, 6);
    out.literal(0, 3);
    out.literal(0, 1);
    // One partition of levels.
    out.literal(0, 2);
    out.literal(segments.list[0].index as u32, 7);
    for delta in [0, 0, 0, segments.chroma_dc, segments.chroma_ac] {
        out.optional_signed(delta, 4);
    }
    // Probabilities are not kept for another frame.
    out.literal(0, 1);
    write_probabilities(&mut out, &coded.probabilities);
    let has_levels = coded.has_levels;
    out.literal(u32::from(has_levels.is_some()), 1);
    if let Some(probability) = has_levels {
        out.literal(u32::from(probability), 8);
    }
    let mut above = vec![[0; 4]; across];
    for row in records.chunks(across) {
        let mut left = [0; 4];
        for (record, above) in row.iter().zip(&mut above) {
            if let Some(tree) = &segment_tree {
                let segment = record.segment;
                out.write(segment > 1, tree[0]);
                out.write(segment & 1 != 0, tree[usize::from(1 + (segment >> 1))]);
            }
            if let Some(probability) = has_levels {
                out.write(record.is_empty, probability);
            }
            write_modes(&mut out, record, above, &mut left);
        }
    }
    out.finish()
}

/// The probabilities that tell segments apart, where there are several.
fn write_segments(
    out: &mut BoolEncoder,
    records: &[Record],
    segments: &Segments,
    filters: &[i32],
) -> Option<[u8; 3]> {
    let several = segments.list.len() > 1;
    out.literal(u32::from(several), 1);
    if !several {
        return None;
    }
    // Each macroblock says its segment; the segments' numbers follow, as they are rather than as differences.
    out.literal(0b111, 3);
    for index in 0..4 {
        out.optional_signed(segments.list.get(index).map_or(0, |segment| segment.index as i32), 7);
    }
    for index in 0..4 {
        out.optional_signed(filters.get(index).copied().unwrap_or(0), 6);
    }
    let mut counts = [0; 4];
    for record in records {
        counts[usize::from(record.segment & 3)] += 1;
    }
    let tree = [
        share(counts[0] + counts[1], counts[2] + counts[3]),
        share(counts[0], counts[1]),
        share(counts[2], counts[3]),
    ];
    for probability in tree {
        out.literal(u32::from(probability != 255), 1);
        if probability != 255 {
            out.literal(u32::from(probability), 8);
        }
    }
    Some(tree)
}

fn write_probabilities(out: &mut BoolEncoder, probabilities: &TokenProbabilities) {
    let all = |table: &TokenProbabilities| -> Vec<u8> {
        table.as_flattened().as_flattened().as_flattened().to_vec()
    };
    for ((new, old), kept) in all(probabilities).into_iter().zip(all(&DEFAULTS)).zip(all(&KEPT)) {
        out.write(new != old, kept);
        if new != old {
            out.literal(u32::from(new), 8);
        }
    }
}

fn write_modes(out: &mut BoolEncoder, record: &Record, above: &mut [u8; 4], left: &mut [u8; 4]) {
    let mut say =
        |way: trees::Way| way.as_slice().iter().for_each(|&(bit, probability)| out.write(bit, probability));
    match record.luma {
        Luma::Whole(mode) => {
            say(trees::luma(usize::from(mode)));
            *above = [mode; 4];
            *left = [mode; 4];
        }
        Luma::Pieces(modes) => {
            say(trees::pieces());
            for (index, mode) in modes.into_iter().enumerate() {
                let (above, left) = (&mut above[index % 4], &mut left[index / 4]);
                say(trees::small(usize::from(mode), usize::from(*above), usize::from(*left)));
                *above = mode;
                *left = mode;
            }
        }
    }
    say(trees::chroma(usize::from(record.chroma_mode)));
}

/// About what the header of a macroblock costs besides the modes of pieces, in 256ths of a bit.
pub(crate) fn plain_cost() -> u32 {
    let modes = cost::modes();
    u32::from(modes.luma.iter().copied().max().unwrap_or(0)) + u32::from(modes.chroma[1]) + 2 * 256
}
