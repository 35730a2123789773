//! What coding costs, in 256ths of a bit.

use std::sync::OnceLock;

use crate::tables::modes;

/// Of a bit that is coded with a probability: by the bit, then by the probability that it is 0.
pub(crate) type BitCosts = [[u16; 256]; 2];

/// The mean over the states that the coder can be in, since it divides its range by whole numbers.
pub(crate) fn bits() -> &'static BitCosts {
    static COSTS: OnceLock<BitCosts> = OnceLock::new();
    COSTS.get_or_init(|| {
        let mut logarithms = [0; 256];
        for (number, logarithm) in logarithms.iter_mut().enumerate().skip(1) {
            *logarithm = logarithm_of(number as u64);
        }
        // Of 128 ranges, from 4096ths to 256ths of a bit.
        let mean = |probability: usize, bit: usize| {
            let sum: u32 = (128..256_usize)
                .map(|range| {
                    let zeros = 1 + (((range - 1) * probability) >> 8);
                    logarithms[range] - logarithms[[zeros, range - zeros][bit]]
                })
                .sum();
            ((sum + 1024) >> 11) as u16
        };
        std::array::from_fn(|bit| std::array::from_fn(|probability| mean(probability, bit)))
    })
}

/// To the base 2, in 4096ths.
pub(crate) fn logarithm_of(number: u64) -> u32 {
    let whole = number.ilog2();
    let mut rest = (number << 31) >> whole;
    let mut logarithm = whole;
    for _ in 0..12 {
        rest = (rest * rest) >> 31;
        logarithm <<= 1;
        // A square of two or more is one binary digit of the logarithm.
        if rest >> 32 != 0 {
            rest >>= 1;
            logarithm |= 1;
        }
    }
    logarithm
}

/// What prediction modes cost; nothing changes it.
pub(crate) struct ModeCosts {
    /// By the mode of 16 × 16 pixels, with what says that it is one.
    pub(crate) luma: [u16; 4],
    /// What says that a macroblock is predicted in pieces.
    pub(crate) in_pieces: u16,
    pub(crate) chroma: [u16; 4],
    /// By the mode above, the mode on the left, the mode of 4 × 4 pixels.
    pub(crate) small: [[[u16; 10]; 10]; 10],
}

pub(crate) fn modes() -> &'static ModeCosts {
    static COSTS: OnceLock<ModeCosts> = OnceLock::new();
    COSTS.get_or_init(|| {
        let sum = |steps: &[(bool, u8)]| {
            steps.iter().map(|&(bit, probability)| bits()[usize::from(bit)][usize::from(probability)]).sum()
        };
        ModeCosts {
            luma: std::array::from_fn(|mode| sum(crate::trees::luma(mode).as_slice())),
            in_pieces: bits()[0][usize::from(modes::IN_PIECES)],
            chroma: std::array::from_fn(|mode| sum(crate::trees::chroma(mode).as_slice())),
            small: std::array::from_fn(|above| {
                std::array::from_fn(|left| {
                    std::array::from_fn(|mode| sum(crate::trees::small(mode, above, left).as_slice()))
                })
            }),
        }
    })
}
