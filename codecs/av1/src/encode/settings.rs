//! What the search tries, by effort.

/// Which transform types of luma are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types {
    Dct,
    /// The DCT, and the type that chroma of the same mode has.
    Likely,
    /// Those that are the identity in no direction.
    BothDirections,
    All,
}

/// What the search tries, and what a bit is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// The least and the largest side of squares that are one block.
    pub(super) block_sides: (usize, usize),
    /// The least side of squares that are halved, if any are.
    pub(super) least_halved: Option<usize>,
    /// Whether only quarters with the same mode are joined to halves.
    pub(super) joins_alike: bool,
    /// Whether PARTITION_HORZ_4 and PARTITION_VERT_4 are tried.
    pub(super) four_way: bool,
    /// Whether PARTITION_HORZ_A, _B, PARTITION_VERT_A and _B are tried.
    pub(super) ab_partitions: bool,
    /// The luma modes whose residuals are transformed.
    pub(super) luma_trials: usize,
    /// How much larger the guess at the cost of a mode may be than that of the best, to be one of them.
    pub(super) guess_margin: f32,
    /// Whether the levels of only one of them are chosen, by a guess at the cost of its coefficients.
    pub(super) guesses_mode: bool,
    /// The chroma modes that are, beside chroma from luma.
    pub(super) chroma_trials: usize,
    /// Whether all chroma modes are ranked, rather than those that are likely.
    pub(super) all_chroma_modes: bool,
    /// The diagonal directions that are ranked: those along which the picture changes least.
    pub(super) diagonals: usize,
    /// The directional modes whose angles are tried.
    pub(super) angle_modes: usize,
    pub(super) filter_intra: bool,
    /// The transform types that are tried.
    pub(super) types: Types,
    /// How much larger the guess at the cost of a type may be than that of the best, for a trial.
    pub(super) type_margin: f32,
    /// The transform types whose levels are chosen by rate and distortion.
    pub(super) type_trials: usize,
    /// Whether transforms smaller than the block are tried.
    pub(super) splits_transforms: bool,
    /// The bits of a sample from which on they are.
    pub(super) least_split_bits: f32,
    /// The luma samples on which filters are tried.
    pub(super) filter_sample: usize,
    /// Whether strengths of CDEF are chosen; otherwise it is off.
    pub(super) cdef: bool,
    /// The squared error that a bit must save, in squared steps of the quantizer.
    pub(super) lambda: f32,
}

impl Settings {
    /// For an effort of 0 to 9. `is_drawn`: the picture has text or drawings, for which guesses are less often right.
    pub(super) fn new(effort: u8, is_drawn: bool) -> Self {
        let settings = Self::of_effort(effort);
        if is_drawn || effort > 5 {
            return settings;
        }
        Self {
            guess_margin: 1.08,
            types: if effort < 3 { Types::Dct } else { Types::BothDirections },
            type_margin: 1.05,
            least_split_bits: 1.0 / 8.0,
            ..settings
        }
    }

    /// For pictures of all kinds.
    fn of_effort(effort: u8) -> Self {
        let (guess_margin, type_margin) = match effort {
            0..=5 => (1.2, 1.03),
            6 | 7 => (1.1, 1.1),
            _ => (1.3, 1.3),
        };
        Self {
            block_sides: match effort {
                0 => (16, 32),
                1 | 2 => (8, 32),
                3..=5 => (8, 64),
                _ => (4, 64),
            },
            least_halved: match effort {
                0..=3 => None,
                4 => Some(16),
                _ => Some(8),
            },
            joins_alike: effort <= 5,
            four_way: effort >= 8,
            ab_partitions: effort >= 9,
            luma_trials: match effort {
                0..=2 => 1,
                3..=5 => 5,
                6 | 7 => 4,
                _ => 6,
            },
            guess_margin,
            guesses_mode: effort <= 5,
            all_chroma_modes: effort >= 8,
            chroma_trials: match effort {
                0..=5 => 1,
                6..=8 => 2,
                _ => 4,
            },
            diagonals: if effort <= 5 { 2 } else { 6 },
            angle_modes: match effort {
                0..=1 => 0,
                2..=4 => 1,
                _ => 2,
            },
            filter_intra: effort >= 4,
            types: if effort < 3 { Types::Dct } else { Types::All },
            type_margin,
            type_trials: match effort {
                0..=7 => 2,
                _ => 4,
            },
            splits_transforms: effort >= 2,
            least_split_bits: 1.0 / 16.0,
            filter_sample: match effort {
                0 | 1 => 1 << 16,
                2..=5 => 1 << 17,
                _ => 1 << 18,
            },
            cdef: effort >= 1,
            lambda: 0.1,
        }
    }

    /// For lossless pictures, whose transforms have 4×4 samples: only blocks with 4×4 samples of chroma predict it from luma.
    pub(super) fn lossless(effort: u8, is_drawn: bool) -> Self {
        Self { block_sides: (4, if effort < 6 { 8 } else { 32 }), ..Self::new(effort, is_drawn) }
    }
}
