//! The inverse ADST of 4, 8 and 16 values (sections 7.13.2.4 to 7.13.2.9).

use super::lanes::{Element, LANES, Lanes, hadamard, rotate, round12};

/// `SINPI_1_9` to `SINPI_4_9`.
const SINPI: [i32; 4] = [1321, 2482, 3344, 3803];

/// Transforms 4, 8 or 16 values, clamped to `largest` between the steps.
pub(super) fn inverse<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    match t.len() {
        4 => adst4(t),
        8 => adst8(t, largest),
        _ => adst16(t, largest),
    }
}

fn adst4<T: Element>(t: &mut [Lanes<T>]) {
    let Some(t) = t.first_chunk_mut::<4>() else { return };
    for lane in 0..LANES {
        let input = t.map(|lanes| lanes[lane].widen());
        let times = |index: usize, sine: usize| input[index].wrapping_mul(SINPI[sine - 1]);
        let s0 = times(0, 1).wrapping_add(times(2, 4)).wrapping_add(times(3, 2));
        let s1 = times(0, 2).wrapping_sub(times(2, 1)).wrapping_sub(times(3, 4));
        let s2 = input[0].wrapping_sub(input[2]).wrapping_add(input[3]).wrapping_mul(SINPI[2]);
        let s3 = times(1, 3);
        t[0][lane] = T::wrap(round12(s0.wrapping_add(s3)));
        t[1][lane] = T::wrap(round12(s1.wrapping_add(s3)));
        t[2][lane] = T::wrap(round12(s2));
        t[3][lane] = T::wrap(round12(s0.wrapping_add(s1).wrapping_sub(s3)));
    }
}

fn adst8<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    let Some(t) = t.first_chunk_mut::<8>() else { return };
    permute_input(t);
    for i in 0..4 {
        rotate(t, 2 * i, 2 * i + 1, 60 - 16 * i, true);
    }
    for i in 0..4 {
        hadamard(t, i, 4 + i, false, largest);
    }
    for i in 0..2 {
        rotate(t, 4 + 3 * i, 5 + i, 48 - 32 * i, true);
    }
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        hadamard(t, 4 * j + i, 2 + 4 * j + i, false, largest);
    }
    for i in 0..2 {
        rotate(t, 2 + 4 * i, 3 + 4 * i, 32, true);
    }
    permute_output(t, &[0, 4, 6, 2, 3, 7, 5, 1]);
}

fn adst16<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    let Some(t) = t.first_chunk_mut::<16>() else { return };
    permute_input(t);
    for i in 0..8 {
        rotate(t, 2 * i, 2 * i + 1, 62 - 8 * i, true);
    }
    for i in 0..8 {
        hadamard(t, i, 8 + i, false, largest);
    }
    for i in 0..2 {
        rotate(t, 8 + 2 * i, 9 + 2 * i, 56 - 32 * i, true);
        rotate(t, 13 + 2 * i, 12 + 2 * i, 8 + 32 * i, true);
    }
    for i in 0..4 {
        hadamard(t, i, 4 + i, false, largest);
        hadamard(t, 8 + i, 12 + i, false, largest);
    }
    for i in 0..2 {
        rotate(t, 4 + 3 * i, 5 + i, 48 - 32 * i, true);
        rotate(t, 12 + 3 * i, 13 + i, 48 - 32 * i, true);
    }
    for j in 0..4 {
        hadamard(t, 4 * j, 2 + 4 * j, false, largest);
        hadamard(t, 4 * j + 1, 3 + 4 * j, false, largest);
    }
    for i in 0..4 {
        rotate(t, 2 + 4 * i, 3 + 4 * i, 32, true);
    }
    permute_output(t, &[0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1]);
}

/// Section 7.13.2.4.
fn permute_input<T: Element, const N: usize>(t: &mut [Lanes<T>; N]) {
    let copy = *t;
    for (i, to) in t.iter_mut().enumerate() {
        *to = copy[if i & 1 == 1 { i - 1 } else { N - 1 - i }];
    }
}

/// Section 7.13.2.5, with its indices worked out. Odd outputs are negated.
fn permute_output<T: Element, const N: usize>(t: &mut [Lanes<T>; N], order: &[usize; N]) {
    let copy = *t;
    for (i, (to, &from)) in t.iter_mut().zip(order).enumerate() {
        *to = copy[from];
        if i & 1 == 1 {
            *to = to.map(|value| T::wrap(value.widen().wrapping_neg()));
        }
    }
}
