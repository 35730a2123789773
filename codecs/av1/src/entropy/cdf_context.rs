//! The probabilities of a tile: those of the syntax elements that intra frames use.
//!
//! A CDF of N symbols has N + 1 entries: 32768 minus the cumulative frequency of each symbol, and how often it was adapted.

use super::default_cdfs as defaults;

/// A CDF of two symbols.
type Flag = [u16; 3];

/// All CDFs of a tile.
#[derive(Clone)]
pub(crate) struct CdfContext {
    pub(crate) intra_frame_y_mode: [[[u16; 14]; 5]; 5],
    pub(crate) uv_mode: [[u16; 14]; 13],
    pub(crate) uv_mode_cfl: [[u16; 15]; 13],
    pub(crate) angle_delta: [[u16; 8]; 8],
    pub(crate) use_intrabc: Flag,
    pub(crate) partition_8: [[u16; 5]; 4],
    /// For squares of 16, 32 and 64.
    pub(crate) partition: [[[u16; 11]; 4]; 3],
    pub(crate) partition_128: [[u16; 9]; 4],
    pub(crate) tx_depth_8: [Flag; 3],
    /// For largest transforms of 16, 32 and 64.
    pub(crate) tx_depth: [[[u16; 4]; 3]; 3],
    pub(crate) txfm_split: [Flag; 21],
    pub(crate) filter_intra: [Flag; 22],
    pub(crate) filter_intra_mode: [u16; 6],
    pub(crate) segment_id: [[u16; 9]; 3],
    pub(crate) skip: [Flag; 3],
    pub(crate) mv_joint: [u16; 5],
    /// For rows, and for columns.
    pub(crate) mv_component: [MvComponentCdfs; 2],
    pub(crate) palette_y_mode: [[Flag; 3]; 7],
    pub(crate) palette_uv_mode: [Flag; 2],
    /// For luma, and for chroma.
    pub(crate) palette_size: [[[u16; 8]; 7]; 2],
    /// For luma, and for chroma.
    pub(crate) palette_color: [PaletteColorCdfs; 2],
    pub(crate) delta_q: [u16; 5],
    pub(crate) delta_lf: [u16; 5],
    pub(crate) delta_lf_multi: [[u16; 5]; 4],
    pub(crate) intra_tx_type_1: [[[u16; 8]; 13]; 2],
    pub(crate) intra_tx_type_2: [[[u16; 6]; 13]; 3],
    pub(crate) inter_tx_type_1: [[u16; 17]; 2],
    pub(crate) inter_tx_type_2: [u16; 13],
    pub(crate) inter_tx_type_3: [Flag; 4],
    pub(crate) cfl_sign: [u16; 9],
    pub(crate) cfl_alpha: [[u16; 17]; 6],
    pub(crate) use_wiener: Flag,
    pub(crate) use_sgrproj: Flag,
    pub(crate) restoration_type: [u16; 4],
    pub(crate) coefficients: CoefficientCdfs,
}

/// The CDFs of one component of the vectors of intra block copy.
#[derive(Clone, Copy)]
pub(crate) struct MvComponentCdfs {
    pub(crate) sign: Flag,
    pub(crate) class: [u16; 12],
    pub(crate) class0_bit: Flag,
    pub(crate) bits: [Flag; 10],
}

/// The CDFs of palette indices, for palettes of two to eight colors.
#[derive(Clone)]
pub(crate) struct PaletteColorCdfs {
    pub(crate) of_2: [Flag; 5],
    pub(crate) of_3: [[u16; 4]; 5],
    pub(crate) of_4: [[u16; 5]; 5],
    pub(crate) of_5: [[u16; 6]; 5],
    pub(crate) of_6: [[u16; 7]; 5],
    pub(crate) of_7: [[u16; 8]; 5],
    pub(crate) of_8: [[u16; 9]; 5],
}

/// The CDFs of coefficients. Where there are two, they are for luma and for chroma.
#[derive(Clone)]
pub(crate) struct CoefficientCdfs {
    pub(crate) all_zero: [[Flag; 13]; 5],
    pub(crate) eob_pt_16: [[[u16; 6]; 2]; 2],
    pub(crate) eob_pt_32: [[[u16; 7]; 2]; 2],
    pub(crate) eob_pt_64: [[[u16; 8]; 2]; 2],
    pub(crate) eob_pt_128: [[[u16; 9]; 2]; 2],
    pub(crate) eob_pt_256: [[[u16; 10]; 2]; 2],
    pub(crate) eob_pt_512: [[u16; 11]; 2],
    pub(crate) eob_pt_1024: [[u16; 12]; 2],
    pub(crate) eob_extra: [[[Flag; 9]; 2]; 5],
    pub(crate) dc_sign: [[Flag; 3]; 2],
    pub(crate) base_eob: [[[[u16; 4]; 4]; 2]; 5],
    pub(crate) base: [[[[u16; 5]; 42]; 2]; 5],
    pub(crate) br: [[[[u16; 5]; 21]; 2]; 5],
}

impl CdfContext {
    /// The defaults for a frame with this base_q_idx (init_non_coeff_cdfs and init_coeff_cdfs).
    pub(crate) fn new(base_q_idx: u8) -> Self {
        let mv_component = |component: usize| MvComponentCdfs {
            sign: defaults::MV_SIGN,
            class: defaults::MV_CLASS[component],
            class0_bit: defaults::MV_CLASS0_BIT,
            bits: defaults::MV_BIT,
        };
        Self {
            intra_frame_y_mode: defaults::INTRA_FRAME_Y_MODE,
            uv_mode: defaults::UV_MODE_CFL_NOT_ALLOWED,
            uv_mode_cfl: defaults::UV_MODE_CFL_ALLOWED,
            angle_delta: defaults::ANGLE_DELTA,
            use_intrabc: defaults::INTRABC,
            partition_8: defaults::PARTITION_W8,
            partition: [defaults::PARTITION_W16, defaults::PARTITION_W32, defaults::PARTITION_W64],
            partition_128: defaults::PARTITION_W128,
            tx_depth_8: defaults::TX_8X8,
            tx_depth: [defaults::TX_16X16, defaults::TX_32X32, defaults::TX_64X64],
            txfm_split: defaults::TXFM_SPLIT,
            filter_intra: defaults::FILTER_INTRA,
            filter_intra_mode: defaults::FILTER_INTRA_MODE,
            segment_id: defaults::SEGMENT_ID,
            skip: defaults::SKIP,
            mv_joint: defaults::MV_JOINT,
            mv_component: [mv_component(0), mv_component(1)],
            palette_y_mode: defaults::PALETTE_Y_MODE,
            palette_uv_mode: defaults::PALETTE_UV_MODE,
            palette_size: [defaults::PALETTE_Y_SIZE, defaults::PALETTE_UV_SIZE],
            palette_color: PaletteColorCdfs::of_planes(),
            delta_q: defaults::DELTA_Q,
            delta_lf: defaults::DELTA_LF,
            delta_lf_multi: [defaults::DELTA_LF; 4],
            intra_tx_type_1: defaults::INTRA_TX_TYPE_SET1,
            intra_tx_type_2: defaults::INTRA_TX_TYPE_SET2,
            inter_tx_type_1: defaults::INTER_TX_TYPE_SET1,
            inter_tx_type_2: defaults::INTER_TX_TYPE_SET2,
            inter_tx_type_3: defaults::INTER_TX_TYPE_SET3,
            cfl_sign: defaults::CFL_SIGN,
            cfl_alpha: defaults::CFL_ALPHA,
            use_wiener: defaults::USE_WIENER,
            use_sgrproj: defaults::USE_SGRPROJ,
            restoration_type: defaults::RESTORATION_TYPE,
            coefficients: CoefficientCdfs::new(base_q_idx),
        }
    }
}

impl PaletteColorCdfs {
    fn of_planes() -> [Self; 2] {
        let luma = Self {
            of_2: defaults::PALETTE_SIZE_2_Y_COLOR,
            of_3: defaults::PALETTE_SIZE_3_Y_COLOR,
            of_4: defaults::PALETTE_SIZE_4_Y_COLOR,
            of_5: defaults::PALETTE_SIZE_5_Y_COLOR,
            of_6: defaults::PALETTE_SIZE_6_Y_COLOR,
            of_7: defaults::PALETTE_SIZE_7_Y_COLOR,
            of_8: defaults::PALETTE_SIZE_8_Y_COLOR,
        };
        let chroma = Self {
            of_2: defaults::PALETTE_SIZE_2_UV_COLOR,
            of_3: defaults::PALETTE_SIZE_3_UV_COLOR,
            of_4: defaults::PALETTE_SIZE_4_UV_COLOR,
            of_5: defaults::PALETTE_SIZE_5_UV_COLOR,
            of_6: defaults::PALETTE_SIZE_6_UV_COLOR,
            of_7: defaults::PALETTE_SIZE_7_UV_COLOR,
            of_8: defaults::PALETTE_SIZE_8_UV_COLOR,
        };
        [luma, chroma]
    }
}

impl CoefficientCdfs {
    fn new(base_q_idx: u8) -> Self {
        let class = match base_q_idx {
            0..=20 => 0,
            21..=60 => 1,
            61..=120 => 2,
            _ => 3,
        };
        Self {
            all_zero: defaults::TXB_SKIP[class],
            eob_pt_16: defaults::EOB_PT_16[class],
            eob_pt_32: defaults::EOB_PT_32[class],
            eob_pt_64: defaults::EOB_PT_64[class],
            eob_pt_128: defaults::EOB_PT_128[class],
            eob_pt_256: defaults::EOB_PT_256[class],
            eob_pt_512: defaults::EOB_PT_512[class],
            eob_pt_1024: defaults::EOB_PT_1024[class],
            eob_extra: defaults::EOB_EXTRA[class],
            dc_sign: defaults::DC_SIGN[class],
            base_eob: defaults::COEFF_BASE_EOB[class],
            base: defaults::COEFF_BASE[class],
            br: defaults::COEFF_BR[class],
        }
    }
}
