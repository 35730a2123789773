//! Eight 4 × 4 blocks side by side, so that one instruction of 128 bits works on the same place of each.

pub(crate) const LANES: usize = 8;

/// One place of eight blocks.
pub(crate) type Lanes = [i16; LANES];

/// Sixteen places, row by row, of eight blocks.
pub(crate) type Blocks = [Lanes; 16];

/// The same number for each of eight blocks, where 16 bits do not hold it.
pub(crate) type Sums = [i32; LANES];

#[inline(always)]
pub(crate) fn map(a: Lanes, operation: impl Fn(i16) -> i16) -> Lanes {
    std::array::from_fn(|lane| operation(a[lane]))
}

#[inline(always)]
pub(crate) fn zip(a: Lanes, b: Lanes, operation: impl Fn(i16, i16) -> i16) -> Lanes {
    std::array::from_fn(|lane| operation(a[lane], b[lane]))
}

#[inline(always)]
pub(crate) fn add(a: Lanes, b: Lanes) -> Lanes {
    zip(a, b, i16::wrapping_add)
}

#[inline(always)]
pub(crate) fn sub(a: Lanes, b: Lanes) -> Lanes {
    zip(a, b, i16::wrapping_sub)
}

/// One of the eight blocks.
#[inline(always)]
pub(crate) fn block(blocks: &Blocks, lane: usize) -> [i16; 16] {
    std::array::from_fn(|place| blocks[place][lane])
}
