//! Sequence and frame headers of still pictures, as bits (AV1 specification, sections 5.5 and 5.9), with the tools that the encoder uses.

use super::bit_writer::BitWriter;
use crate::obu::{
    CdefParams, ChromaSamplePosition, ColorConfig, FrameHeader, LoopFilterParams, QuantizerParams,
    SequenceHeader, TileInfo, TileLimits,
};

/// Levels with the area, the width and the height that they allow (annex A.3).
const LEVELS: [(u32, u64, u32, u32); 7] = [
    (0, 147_456, 2048, 1152),
    (1, 278_784, 2816, 1584),
    (4, 665_856, 4352, 2448),
    (5, 1_065_024, 5504, 3096),
    (8, 2_359_296, 6144, 3456),
    (12, 8_912_896, 8192, 4352),
    (16, 35_651_584, 16384, 8704),
];
/// The level without limits.
const NO_LEVEL: u32 = 31;

/// seq_level_idx for a picture of this size.
pub(super) fn level((width, height): (u32, u32)) -> u32 {
    let fits = |&&(_, area, most_columns, most_rows): &&(u32, u64, u32, u32)| {
        u64::from(width) * u64::from(height) <= area && width <= most_columns && height <= most_rows
    };
    LEVELS.iter().find(fits).map_or(NO_LEVEL, |level| level.0)
}

/// The first bytes of AV1CodecConfigurationRecord (AV1 in ISOBMFF, 2.3.3).
pub(super) fn configuration(header: &SequenceHeader) -> [u8; 4] {
    let color = &header.color;
    let flags = [
        // Tier, then the sample format.
        false,
        color.bit_depth > 8,
        color.bit_depth == 12,
        color.monochrome,
        color.subsampling_x,
        color.subsampling_y,
    ];
    // Only 4:2:0 has one in the sequence header.
    let position = if color.monochrome || !color.subsampling_y { 0 } else { sample_position(color) };
    let flags = flags.into_iter().fold(0, |bits, flag| bits << 1 | u8::from(flag));
    // Marker and version; profile and level; no delay.
    [0x81, header.profile << 5 | level(header.max_size) as u8, flags << 2 | position, 0]
}

/// sequence_header_obu( ), reduced.
pub(super) fn sequence(header: &SequenceHeader) -> Vec<u8> {
    let mut writer = BitWriter::default();
    writer.bits(3, header.profile.into());
    // still_picture, reduced_still_picture_header.
    writer.bits(2, 3);
    writer.bits(5, level(header.max_size));
    let (size_bits, max_size) = (header.size_bits, header.max_size);
    writer.bits(4, size_bits.0 - 1);
    writer.bits(4, size_bits.1 - 1);
    writer.bits(size_bits.0, max_size.0 - 1);
    writer.bits(size_bits.1, max_size.1 - 1);
    writer.flag(header.superblocks_of_128);
    writer.flag(header.enable_filter_intra);
    writer.flag(header.enable_intra_edge_filter);
    writer.flag(header.enable_superres);
    writer.flag(header.enable_cdef);
    writer.flag(header.enable_restoration);
    color(&mut writer, &header.color, header.profile);
    writer.flag(header.film_grain_params_present);
    writer.trailing_bits();
    writer.finish()
}

/// color_config( ).
fn color(writer: &mut BitWriter, color: &ColorConfig, profile: u8) {
    writer.flag(color.bit_depth > 8);
    if profile != 1 {
        writer.flag(color.monochrome);
    }
    let description = [color.color_primaries, color.transfer_characteristics, color.matrix_coefficients];
    let is_told = description != [2; 3];
    writer.flag(is_told);
    if is_told {
        description.into_iter().for_each(|code| writer.bits(8, code.into()));
    }
    if color.monochrome {
        return writer.flag(color.full_range);
    }
    // BT.709 primaries, the transfer function of sRGB and the identity matrix imply the rest.
    if description != [1, 13, 0] {
        writer.flag(color.full_range);
        if color.subsampling_x && color.subsampling_y {
            writer.bits(2, sample_position(color).into());
        }
    }
    writer.flag(color.separate_uv_delta_q);
}

/// chroma_sample_position.
fn sample_position(color: &ColorConfig) -> u8 {
    match color.chroma_sample_position {
        ChromaSamplePosition::Unknown => 0,
        ChromaSamplePosition::Vertical => 1,
        ChromaSamplePosition::Colocated => 2,
    }
}

/// uncompressed_header( ) of the only frame of a reduced sequence, aligned to a byte.
pub(super) fn frame(header: &FrameHeader, sequence: &SequenceHeader) -> Vec<u8> {
    let mut writer = BitWriter::default();
    let planes = sequence.color.planes();
    writer.flag(header.disable_cdf_update);
    writer.flag(header.allow_screen_content_tools);
    if header.allow_screen_content_tools {
        // force_integer_mv.
        writer.flag(true);
    }
    // render_and_frame_size_different.
    writer.flag(false);
    if header.allow_screen_content_tools {
        writer.flag(header.allow_intrabc);
    }
    tiles(&mut writer, header, sequence);
    quantizer(&mut writer, &header.quantizer, &sequence.color);
    // segmentation_enabled.
    writer.flag(false);
    quantizer_changes(&mut writer, header);
    if !header.coded_lossless && !header.allow_intrabc {
        loop_filter(&mut writer, &header.loop_filter, planes);
        cdef(&mut writer, header.cdef.as_ref(), planes);
    }
    if !header.coded_lossless {
        writer.flag(header.tx_mode_select);
    }
    writer.flag(header.reduced_tx_set);
    writer.align();
    writer.finish()
}

/// tile_info( ) of tiles of equal size.
fn tiles(writer: &mut BitWriter, header: &FrameHeader, sequence: &SequenceHeader) {
    let TileInfo { col_starts, row_starts, number_bits, size_bytes } = &header.tiles;
    let limits = TileLimits::new(&header.size, sequence.superblocks_of_128);
    // uniform_tile_spacing_flag.
    writer.flag(true);
    let log2 = |tiles: usize| (tiles as u32).next_power_of_two().trailing_zeros();
    let cols_log2 = log2(col_starts.len() - 1).max(limits.min_cols_log2);
    increments(writer, cols_log2, limits.min_cols_log2, limits.max_cols_log2);
    let min_rows_log2 = limits.min_rows_log2(cols_log2);
    let rows_log2 = log2(row_starts.len() - 1).max(min_rows_log2);
    increments(writer, rows_log2, min_rows_log2, limits.max_rows_log2);
    if *number_bits > 0 {
        // context_update_tile_id.
        writer.bits(*number_bits, 0);
        writer.bits(2, *size_bytes as u32 - 1);
    }
}

fn increments(writer: &mut BitWriter, value: u32, min: u32, max: u32) {
    (min..value).for_each(|_| writer.flag(true));
    if value < max {
        writer.flag(false);
    }
}

/// quantization_params( ).
fn quantizer(writer: &mut BitWriter, params: &QuantizerParams, color: &ColorConfig) {
    let delta = |writer: &mut BitWriter, value: i32| {
        writer.flag(value != 0);
        if value != 0 {
            writer.signed(7, value);
        }
    };
    let (dc, ac) = (params.delta_dc, params.delta_ac);
    writer.bits(8, params.base_q_idx.into());
    delta(writer, dc[0]);
    if !color.monochrome {
        let differ = (dc[1], ac[1]) != (dc[2], ac[2]);
        if color.separate_uv_delta_q {
            writer.flag(differ);
        }
        for plane in 1..if differ { 3 } else { 2 } {
            delta(writer, dc[plane]);
            delta(writer, ac[plane]);
        }
    }
    writer.flag(params.matrix_level.is_some());
    if let Some([y, u, v]) = params.matrix_level {
        writer.bits(4, y.into());
        writer.bits(4, u.into());
        if color.separate_uv_delta_q {
            writer.bits(4, v.into());
        }
    }
}

/// delta_q_params( ) and delta_lf_params( ).
fn quantizer_changes(writer: &mut BitWriter, header: &FrameHeader) {
    let params = &header.quantizer;
    if params.base_q_idx == 0 {
        return;
    }
    writer.flag(params.delta_q_res.is_some());
    let Some(res) = params.delta_q_res else { return };
    writer.bits(2, res.into());
    if !header.allow_intrabc {
        // delta_lf_present.
        writer.flag(false);
    }
}

/// loop_filter_params( ).
fn loop_filter(writer: &mut BitWriter, params: &LoopFilterParams, planes: usize) {
    writer.bits(6, params.level[0].into());
    writer.bits(6, params.level[1].into());
    if planes > 1 && (params.level[0] != 0 || params.level[1] != 0) {
        writer.bits(6, params.level[2].into());
        writer.bits(6, params.level[3].into());
    }
    writer.bits(3, params.sharpness.into());
    // loop_filter_delta_enabled.
    writer.flag(false);
}

/// cdef_params( ). Without them the only strengths are zero.
fn cdef(writer: &mut BitWriter, params: Option<&CdefParams>, planes: usize) {
    let off = CdefParams { damping: 3, bits: 0, y: [[0; 2]; 8], uv: [[0; 2]; 8] };
    let params = params.unwrap_or(&off);
    let strengths = |writer: &mut BitWriter, [primary, secondary]: [u8; 2]| {
        writer.bits(4, primary.into());
        writer.bits(2, secondary.min(3).into());
    };
    writer.bits(2, u32::from(params.damping) - 3);
    writer.bits(2, params.bits);
    for at in 0..1 << params.bits {
        strengths(writer, params.y[at]);
        if planes > 1 {
            strengths(writer, params.uv[at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obu::{FrameSize, Header, HeaderContext};

    fn still(side: (usize, usize), color: ColorConfig) -> (SequenceHeader, FrameHeader) {
        let sequence = SequenceHeader::of_still((side.0 as u32, side.1 as u32), color);
        let size = FrameSize { upscaled_width: side.0, width: side.0, height: side.1, superres_denom: 8 };
        let quantizer = QuantizerParams {
            base_q_idx: 77,
            delta_dc: if color.monochrome { [-3, 0, 0] } else { [-3, 5, 5] },
            delta_ac: if color.monochrome { [0; 3] } else { [0, -60, -60] },
            matrix_level: Some([3, 9, 9]),
            delta_q_res: Some(2),
            delta_lf: None,
        };
        (sequence, FrameHeader::of_still(size, TileInfo::fewest(&size, false), quantizer))
    }

    fn assert_reads_back(sequence: &SequenceHeader, header: &FrameHeader) {
        let bits = super::sequence(sequence);
        assert_eq!(SequenceHeader::read(&bits).as_ref(), Ok(sequence));
        let bits = frame(header, sequence);
        let context = HeaderContext { sequence, layer: (0, 0) };
        match Header::read(&bits, &context) {
            Ok((Header::Frame(read), rest)) => {
                assert_eq!(*read, *header);
                assert!(rest.is_empty());
            }
            _ => panic!("no frame"),
        }
    }

    #[test]
    fn headers_of_all_formats_and_sizes_read_back() {
        let formats = [
            ColorConfig::new(8, true, (true, true)),
            ColorConfig::new(8, false, (true, true)),
            ColorConfig::new(10, false, (false, false)),
        ];
        for color in formats {
            for side in
                [(1, 1), (64, 65), (65, 64), (5_000, 3_000), (65_536, 1), (1, 65_536), (65_536, 65_536)]
            {
                let (sequence, mut header) = still(side, color);
                header.cdef = Some(CdefParams { damping: 5, bits: 0, y: [[0; 2]; 8], uv: [[0; 2]; 8] });
                assert_reads_back(&sequence, &header);
                header.loop_filter.level = if color.monochrome { [7, 9, 0, 0] } else { [7, 9, 11, 13] };
                if let Some(cdef) = &mut header.cdef {
                    cdef.bits = 2;
                    cdef.y[..4].fill([9, 4]);
                    cdef.uv[..4].fill(if color.monochrome { [0, 0] } else { [3, 2] });
                }
                header.reduced_tx_set = true;
                header.allow_screen_content_tools = true;
                assert_reads_back(&sequence, &header);
                (header.allow_intrabc, header.cdef) = (true, None);
                header.loop_filter = LoopFilterParams::OFF;
                assert_reads_back(&sequence, &header);
            }
        }
    }

    #[test]
    fn levels_follow_the_size() {
        let sizes = [(512, 288), (1920, 1080), (1, 3_000), (10_000, 10_000)];
        assert_eq!(sizes.map(level), [0, 8, 5, 31]);
    }
}
