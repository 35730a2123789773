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
    rotate_all(t, &[[0, 1, 60], [2, 3, 44], [4, 5, 28], [6, 7, 12]]);
    add_all(t, 4, largest);
    rotate_all(t, &[[4, 5, 48], [7, 6, 16]]);
    add_all(t, 2, largest);
    rotate_all(t, &[[2, 3, 32], [6, 7, 32]]);
    permute_output(t, &[0, 4, 6, 2, 3, 7, 5, 1]);
}

fn adst16<T: Element>(t: &mut [Lanes<T>], largest: i32) {
    let Some(t) = t.first_chunk_mut::<16>() else { return };
    permute_input(t);
    const FIRST: [[u8; 3]; 8] =
        [[0, 1, 62], [2, 3, 54], [4, 5, 46], [6, 7, 38], [8, 9, 30], [10, 11, 22], [12, 13, 14], [14, 15, 6]];
    rotate_all(t, &FIRST);
    add_all(t, 8, largest);
    rotate_all(t, &[[8, 9, 56], [13, 12, 8], [10, 11, 24], [15, 14, 40]]);
    add_all(t, 4, largest);
    rotate_all(t, &[[4, 5, 48], [7, 6, 16], [12, 13, 48], [15, 14, 16]]);
    add_all(t, 2, largest);
    rotate_all(t, &[[2, 3, 32], [6, 7, 32], [10, 11, 32], [14, 15, 32]]);
    permute_output(t, &[0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1]);
}

/// Butterfly rotations with flipping, of two indices and an angle each. Not inlined: unrolled, they would be most of the code.
#[inline(never)]
fn rotate_all<T: Element>(t: &mut [Lanes<T>], rotations: &[[u8; 3]]) {
    for rotation in rotations {
        let [a, b, angle] = rotation.map(usize::from);
        rotate(t, a, b, angle, true);
    }
}

/// Hadamard rotations of the first half of each run of `2 * distance` values with the second.
#[inline(never)]
fn add_all<T: Element>(t: &mut [Lanes<T>], distance: usize, largest: i32) {
    for run in t.chunks_exact_mut(2 * distance) {
        (0..distance).for_each(|i| hadamard(run, i, distance + i, false, largest));
    }
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
