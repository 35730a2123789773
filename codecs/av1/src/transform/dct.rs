//! The inverse DCT of section 7.13.2.3. Each size is the next smaller one on its even inputs, and butterflies on the others.

use super::lanes::{Element, Lanes, hadamard, rotate};

/// Transforms 4, 8, 16, 32 or 64 values, clamped to `largest` between the steps.
pub(super) fn inverse<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    permute(t);
    match t.len() {
        4 => dct4(t, largest),
        8 => dct8(t, largest),
        16 => dct16(t, largest),
        32 => dct32(t, largest),
        _ => dct64(t, largest),
    }
}

/// Sorts by reversed index (section 7.13.2.2).
fn permute<T: Element>(t: &mut [Lanes<T>]) {
    let bits = t.len().trailing_zeros();
    for index in 0..t.len() {
        let reversed = reverse(bits, index);
        if index < reversed {
            t.swap(index, reversed);
        }
    }
}

/// `brev`.
fn reverse(bits: u32, value: usize) -> usize {
    value.reverse_bits() >> (usize::BITS - bits)
}

fn dct4<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    let Some(t) = t.first_chunk_mut::<4>() else { return };
    rotate(t, 0, 1, 32, true);
    rotate(t, 2, 3, 48, false);
    hadamard(t, 0, 3, false, largest);
    hadamard(t, 1, 2, false, largest);
}

fn dct8<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    dct4(t, largest);
    let Some(t) = t.first_chunk_mut::<8>() else { return };
    rotate(t, 4, 7, 56, false);
    rotate(t, 5, 6, 24, false);
    hadamard(t, 4, 5, false, largest);
    hadamard(t, 6, 7, true, largest);
    rotate(t, 6, 5, 32, true);
    for i in 0..4 {
        hadamard(t, i, 7 - i, false, largest);
    }
}

fn dct16<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    dct8(t, largest);
    let Some(t) = t.first_chunk_mut::<16>() else { return };
    for i in 0..4 {
        rotate(t, 8 + i, 15 - i, 12 + (reverse(2, 3 - i) << 4), false);
    }
    for i in 0..4 {
        hadamard(t, 8 + 2 * i, 9 + 2 * i, i & 1 == 1, largest);
    }
    for i in 0..2 {
        rotate(t, 14 - i, 9 + i, 48 + 64 * i, true);
    }
    for i in 0..2 {
        for j in 0..2 {
            hadamard(t, 8 + 4 * i + j, 11 + 4 * i - j, i == 1, largest);
        }
    }
    for i in 0..2 {
        rotate(t, 13 - i, 10 + i, 32, true);
    }
    for i in 0..8 {
        hadamard(t, i, 15 - i, false, largest);
    }
}

fn dct32<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    dct16(t, largest);
    let Some(t) = t.first_chunk_mut::<32>() else { return };
    for i in 0..8 {
        rotate(t, 16 + i, 31 - i, 6 + (reverse(3, 7 - i) << 3), false);
    }
    for i in 0..8 {
        hadamard(t, 16 + 2 * i, 17 + 2 * i, i & 1 == 1, largest);
    }
    for (i, j) in pairs(2, 2) {
        rotate(t, 30 - 4 * i - j, 17 + 4 * i + j, 24 + (j << 6) + ((1 - i) << 5), true);
    }
    for (i, j) in pairs(4, 2) {
        hadamard(t, 16 + 4 * i + j, 19 + 4 * i - j, i & 1 == 1, largest);
    }
    for i in 0..4 {
        rotate(t, 29 - i, 18 + i, 48 + (i >> 1) * 64, true);
    }
    for (i, j) in pairs(2, 4) {
        hadamard(t, 16 + 8 * i + j, 23 + 8 * i - j, i == 1, largest);
    }
    for i in 0..4 {
        rotate(t, 27 - i, 20 + i, 32, true);
    }
    for i in 0..16 {
        hadamard(t, i, 31 - i, false, largest);
    }
}

fn dct64<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    dct32(t, largest);
    let Some(t) = t.first_chunk_mut::<64>() else { return };
    for i in 0..16 {
        rotate(t, 32 + i, 63 - i, 63 - 4 * reverse(4, i), false);
    }
    for i in 0..16 {
        hadamard(t, 32 + 2 * i, 33 + 2 * i, i & 1 == 1, largest);
    }
    for (i, j) in pairs(4, 2) {
        // The specification's angle, 60 - 16 × brev(2, i) + 64 × j.
        rotate(t, 62 - 4 * i - j, 33 + 4 * i + j, 60 + 64 * j - 16 * reverse(2, i), true);
    }
    for (i, j) in pairs(8, 2) {
        hadamard(t, 32 + 4 * i + j, 35 + 4 * i - j, i & 1 == 1, largest);
    }
    for (i, j) in pairs(2, 4) {
        rotate(t, 61 - 8 * i - j, 34 + 8 * i + j, 56 - 32 * i + (j >> 1) * 64, true);
    }
    for (i, j) in pairs(4, 4) {
        hadamard(t, 32 + 8 * i + j, 39 + 8 * i - j, i & 1 == 1, largest);
    }
    for i in 0..8 {
        rotate(t, 59 - i, 36 + i, if i < 4 { 48 } else { 112 }, true);
    }
    for i in 0..8 {
        hadamard(t, 32 + i, 47 - i, false, largest);
        hadamard(t, 48 + i, 63 - i, true, largest);
    }
    for i in 0..8 {
        rotate(t, 55 - i, 40 + i, 32, true);
    }
    for i in 0..32 {
        hadamard(t, i, 63 - i, false, largest);
    }
}

fn pairs(outer: usize, inner: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..outer).flat_map(move |i| (0..inner).map(move |j| (i, j)))
}
