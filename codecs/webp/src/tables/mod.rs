//! The numbers that RFC 6386 gives.

pub(crate) mod coefficients;
pub(crate) mod modes;
pub(crate) mod steps;

/// By the kind of block, the band of the coefficient, and what came before it: the nodes of the tree of tokens.
pub(crate) type TokenProbabilities = [[[[u8; 11]; 3]; 8]; 4];

/// Where each coefficient in the order of coding stands in its block (section 13).
pub(crate) const ZIGZAG: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];

/// The band of each coefficient in the order of coding (section 13.3).
pub(crate) const BANDS: [usize; 16] = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7];

/// The categories of levels above four (section 13.2): the first level, and the probabilities of the bits that follow.
pub(crate) const CATEGORIES: [(u16, &[u8]); 6] = [
    (5, &[159]),
    (7, &[165, 145]),
    (11, &[173, 148, 140]),
    (19, &[176, 155, 140, 135]),
    (35, &[180, 157, 141, 134, 130]),
    (67, &[254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129]),
];

/// The largest level of a coefficient.
pub(crate) const MAX_LEVEL: u16 = 2047;
