//! Film grain of whole planes.

use super::{FilmGrain, apply};
use crate::plane::Plane;

fn grain() -> FilmGrain {
    FilmGrain {
        grain_seed: 1234,
        y_points: vec![(0, 40), (255, 80)],
        cb_points: vec![(128, 50)],
        cr_points: vec![(128, 50)],
        scaling_shift: 10,
        ar_coeff_lag: 2,
        ar_coeffs_y: [3; 24],
        ar_coeffs_cb: [2; 25],
        ar_coeffs_cr: [-2; 25],
        ar_coeff_shift: 7,
        cb_mult: 128,
        cb_luma_mult: 192,
        cb_offset: 256,
        cr_mult: 128,
        cr_luma_mult: 192,
        cr_offset: 256,
        overlap: true,
        ..FilmGrain::default()
    }
}

fn planes(value: u16) -> [Plane; 3] {
    [(0, 0), (1, 1), (1, 1)].map(|(ss_x, ss_y)| {
        let mut plane = Plane::padded(101, 75, ss_x, ss_y).unwrap();
        plane.data.fill(value);
        plane
    })
}

fn grained(value: u16, grain: &FilmGrain, bit_depth: u8) -> [Plane; 3] {
    let mut planes = planes(value);
    apply(&mut planes, grain, 1, 1, bit_depth).unwrap();
    planes
}

#[test]
fn noise_is_around_the_samples_and_the_same_for_a_seed() {
    let first = grained(512, &grain(), 10);
    for plane in &first {
        let samples: Vec<f64> = (0..plane.height).flat_map(|y| plane.row(y)).map(|&s| f64::from(s)).collect();
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let deviation =
            (samples.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / samples.len() as f64).sqrt();
        assert!((mean - 512.0).abs() < 12.0 && deviation > 2.0, "{mean} {deviation}");
    }
    let again = grained(512, &grain(), 10);
    assert!(first.iter().zip(&again).all(|(a, b)| a.data == b.data));
    let other = grained(512, &FilmGrain { grain_seed: 1235, ..grain() }, 10);
    assert!(first.iter().zip(&other).all(|(a, b)| a.data != b.data));
}

#[test]
fn planes_without_points_stay() {
    let luma_only = FilmGrain { cb_points: vec![], cr_points: vec![], ..grain() };
    let [luma, u, v] = grained(100, &luma_only, 8);
    assert!(luma.data != planes(100)[0].data);
    assert!([u, v].iter().all(|plane| plane.data == planes(100)[1].data));
    let nothing = FilmGrain { y_points: vec![], ..luma_only };
    assert!(grained(100, &nothing, 8).iter().zip(planes(100)).all(|(a, b)| a.data == b.data));
}

#[test]
fn the_restricted_range_is_kept() {
    let clipped = FilmGrain { clip: true, y_points: vec![(0, 255)], scaling_shift: 8, ..grain() };
    let [luma, u, _] = grained(235, &clipped, 8);
    assert!((0..75).flat_map(|y| luma.row(y)).all(|&sample| (16..=235).contains(&sample)));
    assert!((0..38).flat_map(|y| u.row(y)).all(|&sample| (16..=240).contains(&sample)));
    assert!(luma.row(40).contains(&235));
}

#[test]
fn strength_is_interpolated_between_points() {
    // Between strengths of 0 at 64 and 255 at 192, samples of 64 have no noise, and those of 128 half of it.
    let ramp = FilmGrain { y_points: vec![(64, 0), (192, 254)], scaling_shift: 8, ..grain() };
    let noise = |value: u16| {
        let [luma, ..] = grained(value, &ramp, 8);
        luma.row(20).iter().map(|&sample| i32::from(sample) - i32::from(value)).collect::<Vec<_>>()
    };
    assert!(noise(64).iter().all(|&noise| noise == 0));
    let (half, whole) = (noise(128), noise(192));
    assert!(whole.iter().any(|&noise| noise.abs() > 8));
    for (half, whole) in half.iter().zip(&whole).filter(|&(_, &whole)| whole < 63) {
        assert!((2 * half - whole).abs() <= 2, "{half} {whole}");
    }
}
