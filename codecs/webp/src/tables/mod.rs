//! Constant tables of RFC 6386. Tables that the encoder chose for itself stand beside the code that uses them.

pub(crate) mod coeff_update_probs;
pub(crate) mod default_coeff_probs;
pub(crate) mod mode_probs;
pub(crate) mod quant;

/// Token probabilities by block type, coefficient band, context and node of the token tree (RFC 6386, section 13.3).
pub(crate) type CoeffProbs = [[[[u8; 11]; 3]; 8]; 4];

/// The raster position of each coefficient in coding order (section 13).
pub(crate) const ZIGZAG: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];

/// The band of each coefficient in coding order (section 13.3).
pub(crate) const COEFF_BANDS: [usize; 16] = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7];

/// `DCT_CAT1` to `DCT_CAT6` (section 13.2): the smallest level, and the probabilities of the extra bits.
pub(crate) const DCT_CATEGORIES: [(u16, &[u8]); 6] = [
    (5, &[159]),
    (7, &[165, 145]),
    (11, &[173, 148, 140]),
    (19, &[176, 155, 140, 135]),
    (35, &[180, 157, 141, 134, 130]),
    (67, &[254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129]),
];

/// The largest level of a coefficient.
pub(crate) const MAX_LEVEL: u16 = 2047;
