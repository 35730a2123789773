//! The cost of coded bools and of prediction modes, in 256ths of a bit.

use std::sync::OnceLock;

use crate::partition0::mode_tree::{b_pred_path, intra4_path, intra16_path, uv_path};

/// The cost of a bool: indexed by its value, then by the probability that it is 0.
pub(crate) type BoolCosts = [[u16; 256]; 2];

/// The bool coder splits its range into whole numbers, so the cost of a bool depends on the range at that moment. This is
/// the mean over all ranges.
pub(crate) fn bool_costs() -> &'static BoolCosts {
    static COSTS: OnceLock<BoolCosts> = OnceLock::new();
    COSTS.get_or_init(|| {
        let mut log2_table = [0; 256];
        for (number, log) in log2_table.iter_mut().enumerate().skip(1) {
            *log = log2(number as u64);
        }
        let mean = |prob: usize, bit: usize| {
            let sum: u32 = (128..256_usize)
                .map(|range| {
                    let split = 1 + (((range - 1) * prob) >> 8);
                    log2_table[range] - log2_table[[split, range - split][bit]]
                })
                .sum();
            // The sum of 128 ranges in 4096ths of a bit, as a mean in 256ths.
            ((sum + 1024) >> 11) as u16
        };
        std::array::from_fn(|bit| std::array::from_fn(|prob| mean(prob, bit)))
    })
}

/// The base 2 logarithm, in 4096ths.
pub(crate) fn log2(number: u64) -> u32 {
    let exponent = number.ilog2();
    let mut mantissa = (number << 31) >> exponent;
    let mut log = exponent;
    for _ in 0..12 {
        mantissa = (mantissa * mantissa) >> 31;
        log <<= 1;
        // Each squaring yields one binary digit: whether the square reached two.
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            log |= 1;
        }
    }
    log
}

/// The cost of each prediction mode. Key frames cannot change the probabilities of modes, so it is constant.
pub(crate) struct ModeCosts {
    /// Indexed by intra16 mode, including the bool that tells intra16 from intra4.
    pub(crate) intra16: [u16; 4],
    /// The bool that tells intra4 (`B_PRED`) from intra16.
    pub(crate) b_pred: u16,
    pub(crate) uv: [u16; 4],
    /// Indexed by the mode above, the mode on the left, and the intra4 mode.
    pub(crate) intra4: [[[u16; 10]; 10]; 10],
}

pub(crate) fn mode_costs() -> &'static ModeCosts {
    static COSTS: OnceLock<ModeCosts> = OnceLock::new();
    COSTS.get_or_init(|| {
        let cost = |path: &[(bool, u8)]| {
            path.iter().map(|&(bit, prob)| bool_costs()[usize::from(bit)][usize::from(prob)]).sum()
        };
        ModeCosts {
            intra16: std::array::from_fn(|mode| cost(intra16_path(mode).as_slice())),
            b_pred: cost(b_pred_path().as_slice()),
            uv: std::array::from_fn(|mode| cost(uv_path(mode).as_slice())),
            intra4: std::array::from_fn(|top| {
                std::array::from_fn(|left| {
                    std::array::from_fn(|mode| cost(intra4_path(mode, top, left).as_slice()))
                })
            }),
        }
    })
}
