//! The operations as 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    i16x8, i16x8_extend_high_u8x16, i16x8_extend_low_u8x16, i16x8_extract_lane, i16x8_narrow_i32x4,
    i32x4_add, i32x4_dot_i16x8, i32x4_shr, i32x4_shuffle, i32x4_splat, u8x16, u8x16_narrow_i16x8,
    u8x16_shuffle, u8x16_swizzle, u64x2, u64x2_extract_lane, v128,
};

use super::{ACROSS_SHIFT, DOWN_SHIFT, NEAR, SAMPLES, WINDOW};
use crate::taps::Taps;

/// The samples of pixels.
#[inline(always)]
#[rustfmt::skip]
pub(super) fn thirds(pixels: &[u8; 3 * SAMPLES]) -> [[u8; SAMPLES]; 3] {
    let (parts, _) = pixels.as_chunks::<SAMPLES>();
    let (v0, v1, v2) = (bytes(&parts[0]), bytes(&parts[1]), bytes(&parts[2]));
    let part = u8x16_shuffle::<0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0>(v0, v1);
    let plane0 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29>(part, v2);
    let part = u8x16_shuffle::<1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0>(v0, v1);
    let plane1 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30>(part, v2);
    let part = u8x16_shuffle::<2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0>(v0, v1);
    let plane2 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31>(part, v2);
    [array(plane0), array(plane1), array(plane2)]
}

/// The weighted sums of columns, of pairs of rows from the pair `first` on: each is in the place of its number modulo `slots`.
pub(crate) fn down(pairs: &[u8], (first, slots): (usize, usize), weights: &[[i16; 2]], sums: &mut [i16]) {
    let size = 2 * sums.len();
    for (column, sums) in sums.as_chunks_mut::<SAMPLES>().0.iter_mut().enumerate() {
        let mut wide = [i32x4_splat(1 << (DOWN_SHIFT - 1)); 4];
        let mut slot = first % slots;
        for &[even, odd] in weights {
            let at = slot * size + column * 2 * SAMPLES;
            let Some(samples) = pairs.get(at..at + 2 * SAMPLES) else { break };
            slot = if slot + 1 == slots { 0 } else { slot + 1 };
            let weight = i32x4_splat(i32::from(even) & 0xFFFF | i32::from(odd) << 16);
            for (samples, wide) in samples.as_chunks().0.iter().zip(wide.as_chunks_mut::<2>().0) {
                let samples = bytes(samples);
                let low = i32x4_dot_i16x8(i16x8_extend_low_u8x16(samples), weight);
                let high = i32x4_dot_i16x8(i16x8_extend_high_u8x16(samples), weight);
                *wide = [i32x4_add(wide[0], low), i32x4_add(wide[1], high)];
            }
        }
        let [a, b, c, d] = wide.map(|sum| i32x4_shr(sum, DOWN_SHIFT));
        let (to, _) = sums.as_chunks_mut();
        to[0] = numbers(i16x8_narrow_i32x4(a, b));
        to[1] = numbers(i16x8_narrow_i32x4(c, d));
    }
}

/// The pixels of a row, of one plane for each channel. `out` has room for a vector behind them.
pub(crate) fn across(planes: &[&[i16]], taps: &Taps, out: &mut [u8]) {
    let weights = taps.weights.as_chunks().0;
    match taps.window / WINDOW {
        1 => pixels(planes, taps, &Near::<1>(weights.as_chunks().0.as_chunks().0), out),
        2 => pixels(planes, taps, &Near::<2>(weights.as_chunks().0.as_chunks().0), out),
        vectors => pixels(planes, taps, &Any { weights, vectors }, out),
    }
}

fn pixels(planes: &[&[i16]], taps: &Taps, windows: &impl Windows, out: &mut [u8]) {
    let channels = planes.len();
    let order = match channels {
        1 => u8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
        3 => u8x16(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 12, 13, 14, 15),
        _ => u8x16(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
    };
    for (number, firsts) in taps.firsts.as_chunks().0.iter().enumerate() {
        let pixels = match *planes {
            [a, b, c, ref d @ ..] => {
                let (a, b) = (sums(windows, a, number, firsts), sums(windows, b, number, firsts));
                let c = sums(windows, c, number, firsts);
                let d = d.first().map_or(c, |plane| sums(windows, plane, number, firsts));
                u8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d))
            }
            _ => {
                let sums = sums(windows, planes.first().copied().unwrap_or_default(), number, firsts);
                let narrow = i16x8_narrow_i32x4(sums, sums);
                u8x16_narrow_i16x8(narrow, narrow)
            }
        };
        if let Some(to) = out.get_mut(number * 4 * channels..).and_then(|out| out.first_chunk_mut()) {
            *to = array(u8x16_swizzle(pixels, order));
        }
    }
}

/// The sums of four windows.
#[inline(always)]
fn sums(windows: &impl Windows, plane: &[i16], number: usize, firsts: &[usize; 4]) -> v128 {
    let [a, b, c, d] = windows.products(plane, number, firsts);
    let (ab, cd) = (pairs(a, b), pairs(c, d));
    let sums = i32x4_add(i32x4_shuffle::<0, 1, 4, 5>(ab, cd), i32x4_shuffle::<2, 3, 6, 7>(ab, cd));
    i32x4_shr(i32x4_add(sums, i32x4_splat(1 << (ACROSS_SHIFT - 1))), ACROSS_SHIFT)
}

/// The windows of a row.
trait Windows {
    /// Weighted samples of four windows, of each in four parts. The windows are those of group `number`, and begin with the samples
    /// `firsts`.
    fn products(&self, plane: &[i16], number: usize, firsts: &[usize; 4]) -> [v128; 4];
}

/// Windows of one or two vectors, which are so close to each other that the samples of four are checked to be there at once.
struct Near<'a, const V: usize>(&'a [[[[i16; WINDOW]; V]; 4]]);

impl<const V: usize> Windows for Near<'_, V> {
    #[inline(always)]
    fn products(&self, plane: &[i16], number: usize, firsts: &[usize; 4]) -> [v128; 4] {
        let mut products = [i32x4_splat(0); 4];
        let all = plane.get(firsts[0]..).and_then(|plane| plane.first_chunk::<NEAR>());
        let (Some(samples), Some(weights)) = (all, self.0.get(number)) else { return products };
        for (product, (first, weights)) in products.iter_mut().zip(firsts.iter().zip(weights)) {
            let samples = &samples[(first - firsts[0]) % SAMPLES..][..V * WINDOW];
            for (samples, weights) in samples.as_chunks().0.iter().zip(weights) {
                *product = i32x4_add(*product, i32x4_dot_i16x8(words(samples), words(weights)));
            }
        }
        products
    }
}

/// Windows of any number of vectors.
struct Any<'a> {
    weights: &'a [[i16; WINDOW]],
    vectors: usize,
}

impl Windows for Any<'_> {
    #[inline(always)]
    fn products(&self, plane: &[i16], number: usize, firsts: &[usize; 4]) -> [v128; 4] {
        let mut products = [i32x4_splat(0); 4];
        let weights = self.weights.chunks_exact(self.vectors).skip(4 * number);
        for (product, (&first, weights)) in products.iter_mut().zip(firsts.iter().zip(weights)) {
            let samples = plane.get(first..).unwrap_or_default().as_chunks().0;
            for (samples, weights) in samples.iter().zip(weights) {
                *product = i32x4_add(*product, i32x4_dot_i16x8(words(samples), words(weights)));
            }
        }
        products
    }
}

/// Of both the sums of lanes that are two apart, side by side: first those of even lanes.
#[inline(always)]
fn pairs(a: v128, b: v128) -> v128 {
    i32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b))
}

#[inline(always)]
fn words(values: &[i16; 8]) -> v128 {
    let &[a, b, c, d, e, f, g, h] = values;
    i16x8(a, b, c, d, e, f, g, h)
}

/// In halves: of single bytes the compiler makes single loads.
#[inline(always)]
fn bytes(values: &[u8; SAMPLES]) -> v128 {
    let (halves, _) = values.as_chunks();
    u64x2(u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1]))
}

#[inline(always)]
fn numbers(v: v128) -> [i16; 8] {
    [
        i16x8_extract_lane::<0>(v),
        i16x8_extract_lane::<1>(v),
        i16x8_extract_lane::<2>(v),
        i16x8_extract_lane::<3>(v),
        i16x8_extract_lane::<4>(v),
        i16x8_extract_lane::<5>(v),
        i16x8_extract_lane::<6>(v),
        i16x8_extract_lane::<7>(v),
    ]
}

#[inline(always)]
fn array(v: v128) -> [u8; SAMPLES] {
    let mut bytes = [0; SAMPLES];
    let (halves, _) = bytes.as_chunks_mut();
    halves[0] = u64x2_extract_lane::<0>(v).to_le_bytes();
    halves[1] = u64x2_extract_lane::<1>(v).to_le_bytes();
    bytes
}
