//! Forward transforms against the inverse transforms of the decoder: what is transformed comes back.

use super::{ForwardTransform, SCALE, wht};
use crate::plane::Plane;
use crate::transform::{InverseTransform, Residual, TxSize, TxType};

const TYPES: [TxType; 7] = [
    TxType::DctDct,
    TxType::AdstDct,
    TxType::DctAdst,
    TxType::AdstAdst,
    TxType::Idtx,
    TxType::VDct,
    TxType::HDct,
];

/// Soft residuals, which the coefficients that 64 samples lack do not change much.
fn residual(w: usize, h: usize) -> Vec<f32> {
    let sample = |x: usize, y: usize| {
        let (column, row) = (x as f32 / w as f32, y as f32 / h as f32);
        (60.0 * (3.0 * column + 2.0 * row).sin() + 30.0 * column - 20.0 * row).round()
    };
    (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| sample(x, y)).collect()
}

#[test]
fn the_inverse_brings_back_what_is_transformed() {
    let mut cases = 0;
    for tx_size in TxSize::ALL {
        for tx_type in TYPES {
            let (w, h) = (tx_size.width(), tx_size.height());
            if w.max(h) > 16 && tx_type != TxType::DctDct {
                continue;
            }
            let residual = residual(w, h);
            let mut coefficients = vec![0.0; 1024];
            let mut forward = ForwardTransform::new();
            forward.start(tx_size);
            forward.transform(&residual, tx_type, &mut coefficients);
            // Large transforms are coded with one or two bits less.
            let shift = match w * h {
                ..=256 => 1.0,
                257..=1024 => 2.0,
                _ => 4.0,
            };
            let mut rounded: Vec<i32> =
                coefficients.iter().map(|value| (value / shift).round() as i32).collect();
            let kind = Residual {
                tx_size,
                tx_type,
                lossless: false,
                bit_depth: 8,
                rows: h.min(32),
                cols: w.min(32),
            };
            let mut plane = Plane::new(w, h, w, h).unwrap();
            plane.data.fill(128);
            InverseTransform::new().add(&mut plane, 0, 0, &mut rounded, &kind);
            for (sample, wanted) in plane.data.iter().zip(&residual) {
                let actual = f32::from(*sample) - 128.0;
                assert!((actual - wanted).abs() < 2.5, "{tx_size:?} {tx_type:?}: {actual}, not {wanted}");
            }
            cases += 1;
        }
    }
    assert_eq!(cases, 9 * 7 + 10);
}

#[test]
fn a_flat_block_has_a_dc_only() {
    for tx_size in TxSize::ALL {
        let area = tx_size.width() * tx_size.height();
        let mut coefficients = vec![0.0; 1024];
        let mut forward = ForwardTransform::new();
        forward.start(tx_size);
        forward.transform(&vec![5.0; area], TxType::DctDct, &mut coefficients);
        let dc = 5.0 * SCALE * (area as f32).sqrt();
        assert!((coefficients[0] - dc).abs() < 0.01 * dc, "{tx_size:?}: {}, not {dc}", coefficients[0]);
        assert!(coefficients[1..].iter().all(|value| value.abs() < 0.1));
    }
}

#[test]
fn lossless_blocks_come_back_exactly() {
    for bit_depth in [8_u8, 10] {
        let middle = 1_i32 << (bit_depth - 1);
        for seed in 1..20_u32 {
            let noise = |at: usize| {
                let bits = (seed * 16 + at as u32).wrapping_mul(0x9E37_79B1) >> (32 - bit_depth);
                bits as i32 - middle
            };
            let residual: [i32; 16] = std::array::from_fn(noise);
            let kind = Residual {
                tx_size: TxSize::Tx4x4,
                tx_type: TxType::DctDct,
                lossless: true,
                bit_depth,
                rows: 4,
                cols: 4,
            };
            let mut plane = Plane::new(4, 4, 4, 4).unwrap();
            plane.data.fill(middle as u16);
            // Dequantization multiplies a lossless level by 4.
            InverseTransform::new().add(&mut plane, 0, 0, &mut wht(residual).map(|level| level << 2), &kind);
            let back: Vec<i32> = plane.data.iter().map(|sample| i32::from(*sample) - middle).collect();
            assert_eq!(back, residual, "{bit_depth} bits");
        }
    }
}
