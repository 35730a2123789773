//! Partition 0: the frame header and the modes of all macroblocks (RFC 6386, sections 9.2 to 9.11 and 19.2 to 19.3).
//!
//! The format limits it to 2¹⁹ − 1 bytes; `budget` keeps intra4 modes within that.

pub(crate) mod budget;
pub(crate) mod mode_tree;

use crate::bit_cost;
use crate::bool_encoder::BoolEncoder;
use crate::coded_frame::CodedFrame;
use crate::mb_info::MbInfo;
use crate::mode_decision::LumaMode;
use crate::segments::Segments;
use crate::tables::CoeffProbs;
use crate::tables::coeff_update_probs::COEFF_UPDATE_PROBS;
use crate::tables::default_coeff_probs::DEFAULT_COEFF_PROBS;
use crate::token_stats::prob_of_zero;
use mode_tree::{ModePath, b_pred_path, intra4_path, intra16_path, uv_path};

/// The largest partition 0, in bytes: its size has 19 bits in the frame tag (section 9.1).
pub(crate) const MAX_BYTES: usize = (1 << 19) - 1;

pub(crate) fn write(coded: &CodedFrame, mb_width: usize, segments: &Segments) -> Vec<u8> {
    let mut out = BoolEncoder::new();
    let segment_probs = write_frame_header(&mut out, coded, segments);
    let mut top = vec![[0; 4]; mb_width];
    for row in coded.mb_infos.chunks(mb_width) {
        let mut left = [0; 4];
        for (mb, top) in row.iter().zip(&mut top) {
            if let Some(probs) = &segment_probs {
                let segment = mb.segment;
                out.write(segment > 1, probs[0]);
                out.write(segment & 1 != 0, probs[usize::from(1 + (segment >> 1))]);
            }
            if let Some(prob) = coded.skip_prob {
                out.write(mb.is_empty, prob);
            }
            write_modes(&mut out, mb, top, &mut left);
        }
    }
    out.finish()
}

/// The header up to the first macroblock. Returns the segment tree probabilities if there are several segments.
fn write_frame_header(out: &mut BoolEncoder, coded: &CodedFrame, segments: &Segments) -> Option<[u8; 3]> {
    let levels = &coded.filter_levels;
    // color_space, clamping_type: decoders clamp pixels.
    out.literal(0, 2);
    let segment_probs = write_segmentation(out, &coded.mb_infos, segments, levels);
    // filter_type: the normal loop filter; loop_filter_level; sharpness_level; loop_filter_adj_enable.
    out.literal(0, 1);
    out.literal(levels.iter().copied().max().unwrap_or(0) as u32, 6);
    out.literal(0, 3);
    out.literal(0, 1);
    // log2_nbr_of_dct_partitions
    out.literal(0, 2);
    // y_ac_qi, then the deltas of y_dc, y2_dc, y2_ac, uv_dc and uv_ac.
    out.literal(segments.list[0].quant_index as u32, 7);
    for delta in [0, 0, 0, segments.uv_dc_delta, segments.uv_ac_delta] {
        out.optional_signed(delta, 4);
    }
    // refresh_entropy_probs: there is no further frame.
    out.literal(0, 1);
    write_coeff_probs(out, &coded.probs);
    // mb_no_skip_coeff, prob_skip_false
    out.literal(u32::from(coded.skip_prob.is_some()), 1);
    if let Some(prob) = coded.skip_prob {
        out.literal(u32::from(prob), 8);
    }
    segment_probs
}

/// `update_segmentation` (section 9.3).
fn write_segmentation(
    out: &mut BoolEncoder,
    mb_infos: &[MbInfo],
    segments: &Segments,
    filter_levels: &[i32],
) -> Option<[u8; 3]> {
    let enabled = segments.list.len() > 1;
    out.literal(u32::from(enabled), 1);
    if !enabled {
        return None;
    }
    // update_mb_segmentation_map, update_segment_feature_data, segment_feature_mode: absolute values.
    out.literal(0b111, 3);
    for index in 0..4 {
        out.optional_signed(segments.list.get(index).map_or(0, |segment| segment.quant_index as i32), 7);
    }
    for index in 0..4 {
        out.optional_signed(filter_levels.get(index).copied().unwrap_or(0), 6);
    }
    let mut counts = [0; 4];
    for mb in mb_infos {
        counts[usize::from(mb.segment & 3)] += 1;
    }
    let probs = [
        prob_of_zero(counts[0] + counts[1], counts[2] + counts[3]),
        prob_of_zero(counts[0], counts[1]),
        prob_of_zero(counts[2], counts[3]),
    ];
    for prob in probs {
        out.literal(u32::from(prob != 255), 1);
        if prob != 255 {
            out.literal(u32::from(prob), 8);
        }
    }
    Some(probs)
}

/// `token_prob_update` (section 9.9).
fn write_coeff_probs(out: &mut BoolEncoder, probs: &CoeffProbs) {
    let flat =
        |table: &CoeffProbs| -> Vec<u8> { table.as_flattened().as_flattened().as_flattened().to_vec() };
    let defaults = flat(&DEFAULT_COEFF_PROBS);
    for ((new, old), update_prob) in flat(probs).into_iter().zip(defaults).zip(flat(&COEFF_UPDATE_PROBS)) {
        out.write(new != old, update_prob);
        if new != old {
            out.literal(u32::from(new), 8);
        }
    }
}

fn write_modes(out: &mut BoolEncoder, mb: &MbInfo, top: &mut [u8; 4], left: &mut [u8; 4]) {
    let mut write = |path: ModePath| path.as_slice().iter().for_each(|&(bit, prob)| out.write(bit, prob));
    match mb.luma {
        LumaMode::Intra16(mode) => {
            write(intra16_path(usize::from(mode)));
            *top = [mode; 4];
            *left = [mode; 4];
        }
        LumaMode::Intra4(modes) => {
            write(b_pred_path());
            for (index, mode) in modes.into_iter().enumerate() {
                let (top, left) = (&mut top[index % 4], &mut left[index / 4]);
                write(intra4_path(usize::from(mode), usize::from(*top), usize::from(*left)));
                *top = mode;
                *left = mode;
            }
        }
    }
    write(uv_path(usize::from(mb.uv_mode)));
}

/// The approximate cost of a macroblock in partition 0 without intra4 modes, in 256ths of a bit.
fn plain_mb_cost() -> u32 {
    let modes = bit_cost::mode_costs();
    u32::from(modes.intra16.iter().copied().max().unwrap_or(0)) + u32::from(modes.uv[1]) + 2 * 256
}
