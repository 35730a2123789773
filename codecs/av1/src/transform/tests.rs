//! Inverse transforms through their interface: against a transform in floats, for each size and type, and exact cases.

use super::{InverseTransform, Residual, TxSize, TxType};
use crate::plane::Plane;
use std::f64::consts::PI;

#[derive(Clone, Copy, PartialEq)]
enum Basis {
    Dct,
    Adst,
    Flipped,
    Identity,
}

/// Transforms of columns and rows, by number of the type.
const BASES: [(Basis, Basis); 16] = {
    use Basis::{Adst, Dct, Flipped, Identity};
    [
        (Dct, Dct),
        (Adst, Dct),
        (Dct, Adst),
        (Adst, Adst),
        (Flipped, Dct),
        (Dct, Flipped),
        (Flipped, Flipped),
        (Adst, Flipped),
        (Flipped, Adst),
        (Identity, Identity),
        (Dct, Identity),
        (Identity, Dct),
        (Adst, Identity),
        (Identity, Adst),
        (Flipped, Identity),
        (Identity, Flipped),
    ]
};

/// The weight of coefficient `k` in sample `i` of an orthonormal transform of `n` samples.
fn weight(basis: Basis, n: usize, k: usize, i: usize) -> f64 {
    let (length, k_, i_) = (n as f64, k as f64, i as f64);
    match basis {
        Basis::Identity => f64::from(u8::from(k == i)),
        Basis::Dct => {
            let scale = if k == 0 { (1.0 / length).sqrt() } else { (2.0 / length).sqrt() };
            scale * (PI * (2.0 * i_ + 1.0) * k_ / (2.0 * length)).cos()
        }
        Basis::Adst if n == 4 => 2.0 / 3.0 * (PI * (i_ + 1.0) * (2.0 * k_ + 1.0) / 9.0).sin(),
        Basis::Adst => {
            (2.0 / length).sqrt() * (PI * (2.0 * i_ + 1.0) * (2.0 * k_ + 1.0) / (4.0 * length)).sin()
        }
        Basis::Flipped => weight(Basis::Adst, n, k, n - 1 - i),
    }
}

/// Residuals in floats. The specification's transforms scale by 8, halved for each factor of two between the sides beyond, and for
/// areas above 256 and 1024.
fn reference(coefficients: &[i32], size: TxSize, kind: TxType) -> Vec<f64> {
    let (w, h) = (size.width(), size.height());
    let (columns, rows) = BASES[kind as usize];
    let tw = w.min(32);
    let scale = match w * h {
        ..=256 => 8.0,
        257..=1024 => 4.0,
        _ => 2.0,
    };
    let mut rows_done = vec![0.0; w * h.min(32)];
    for i in 0..h.min(32) {
        for x in 0..w {
            let terms = (0..tw).map(|j| f64::from(coefficients[i * tw + j]) * weight(rows, w, j, x));
            rows_done[i * w + x] = terms.sum();
        }
    }
    let sample = |x: usize, y: usize| {
        let terms = (0..h.min(32)).map(|i| rows_done[i * w + x] * weight(columns, h, i, y));
        terms.sum::<f64>() / scale
    };
    (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| sample(x, y)).collect()
}

fn allowed(size: TxSize, kind: TxType) -> bool {
    let longest = size.width().max(size.height());
    let (columns, rows) = BASES[kind as usize];
    let dct_or_identity = |basis| matches!(basis, Basis::Dct | Basis::Identity);
    match longest {
        ..=16 => true,
        32 => dct_or_identity(columns) && dct_or_identity(rows),
        _ => kind == TxType::DctDct,
    }
}

/// Adds to a plane of the middle value, and returns the differences from it.
fn residuals(coefficients: &[i32], residual: Residual) -> Vec<f64> {
    let (w, h) = (residual.tx_size.width(), residual.tx_size.height());
    let middle = 1_u16 << (residual.bit_depth - 1);
    let mut plane = Plane::new(w + 8, h + 8, w + 8, h + 8).unwrap();
    plane.data.fill(middle);
    let mut coefficients = coefficients.to_vec();
    InverseTransform::new().add(&mut plane, 4, 4, &mut coefficients, &residual);
    assert!(coefficients.iter().all(|&coefficient| coefficient == 0));
    let inside = |at: usize| (4..4 + w).contains(&(at % (w + 8))) && (4..4 + h).contains(&(at / (w + 8)));
    let (block, around): (Vec<_>, Vec<_>) = plane.data.iter().enumerate().partition(|&(at, _)| inside(at));
    assert!(around.iter().all(|&(_, &sample)| sample == middle));
    block.iter().map(|&(_, &sample)| f64::from(sample) - f64::from(middle)).collect()
}

/// A generator of small numbers (a linear congruence).
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn every_size_and_type_agrees_with_floats() {
    let mut noise = Noise(1);
    let mut cases = 0;
    for bit_depth in [8, 10, 12] {
        for (tx_size, tx_type) in TxSize::ALL.iter().flat_map(|&size| TxType::ALL.map(|kind| (size, kind))) {
            if !allowed(tx_size, tx_type) {
                continue;
            }
            let (tw, th) = (tx_size.width().min(32), tx_size.height().min(32));
            for (rows, cols, amplitude) in
                [(1, 1, 900), (3.min(th), 2, 500), (th, tw, 60), (th.min(9), tw.min(11), 90)]
            {
                let mut coefficients = vec![0; tw * th];
                for i in 0..rows {
                    for j in 0..cols {
                        coefficients[i * tw + j] = noise.below(2 * amplitude) as i32 - amplitude as i32;
                    }
                }
                let residual = Residual { tx_size, tx_type, lossless: false, bit_depth, rows, cols };
                let expected = reference(&coefficients, tx_size, tx_type);
                let limit = f64::from(1 << (bit_depth - 1));
                let actual = residuals(&coefficients, residual);
                for (actual, expected) in actual.iter().zip(&expected) {
                    let expected = expected.clamp(-limit, limit - 1.0);
                    assert!((actual - expected).abs() < 2.2, "{residual:?}: {actual}, not {expected}");
                }
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 3 * 4 * (9 * 16 + 5 * 4 + 5));
}

#[test]
fn bounds_do_not_change_the_result() {
    let mut noise = Noise(7);
    for tx_size in TxSize::ALL {
        let (tw, th) = (tx_size.width().min(32), tx_size.height().min(32));
        let mut coefficients = vec![0; tw * th];
        (0..3).for_each(|i| (0..2).for_each(|j| coefficients[i * tw + j] = noise.below(400) as i32 - 200));
        let with = |rows, cols| Residual {
            tx_size,
            tx_type: TxType::DctDct,
            lossless: false,
            bit_depth: 8,
            rows,
            cols,
        };
        assert_eq!(
            residuals(&coefficients, with(3, 2)),
            residuals(&coefficients, with(th, tw)),
            "{tx_size:?}"
        );
    }
}

#[test]
fn a_lone_dc_takes_the_way_of_the_others() {
    for tx_size in TxSize::ALL {
        let (tw, th) = (tx_size.width().min(32), tx_size.height().min(32));
        for (dc, bit_depth) in
            [(731, 8), (-20_000, 10), (32_767, 8), (-32_768, 8), (131_071, 10), (-524_288, 12)]
        {
            let mut coefficients = vec![0; tw * th];
            coefficients[0] = dc;
            let with = |rows, cols| Residual {
                tx_size,
                tx_type: TxType::DctDct,
                lossless: false,
                bit_depth,
                rows,
                cols,
            };
            let [alone, among] =
                [with(1, 1), with(th, tw)].map(|residual| residuals(&coefficients, residual));
            assert_eq!(alone, among, "{tx_size:?} {dc}");
        }
    }
}
