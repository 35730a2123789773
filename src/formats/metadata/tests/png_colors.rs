//! The four ways of a PNG to say what its colors are.

use filepress_wire::MediaType;
use moxcms::{ColorProfile, DataColorSpace, ToneReprCurve};

use crate::formats::metadata::read;
use crate::formats::metadata::tests::fixtures;

const SRGB: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
const ADOBE_RGB: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000];

fn gamma(value: u32) -> Vec<u8> {
    fixtures::chunk(b"gAMA", &[&value.to_be_bytes()])
}

fn chromaticities(values: [u32; 8]) -> Vec<u8> {
    fixtures::chunk(b"cHRM", &[&values.map(u32::to_be_bytes).concat()])
}

fn cicp(values: [u8; 4]) -> Vec<u8> {
    fixtures::chunk(b"cICP", &[&values])
}

fn icc(icc: &[u8]) -> Vec<u8> {
    fixtures::chunk(b"iCCP", &[b"x\0\0", &miniz_oxide::deflate::compress_to_vec_zlib(icc, 6)])
}

fn profile_of(chunks: &[Vec<u8>]) -> Option<ColorProfile> {
    let png = fixtures::png_with(&fixtures::plain(MediaType::Png), &chunks.concat(), &[]);
    read(&png, MediaType::Png).icc.map(|icc| ColorProfile::new_from_slice(&icc).unwrap())
}

fn assert_near(profile: &ColorProfile, expected: &ColorProfile) {
    for (got, want) in [
        (profile.red_colorant, expected.red_colorant),
        (profile.green_colorant, expected.green_colorant),
        (profile.blue_colorant, expected.blue_colorant),
    ] {
        let distance = [got.x - want.x, got.y - want.y, got.z - want.z].map(f64::abs);
        assert!(distance.into_iter().all(|part| part < 0.002), "{got:?} {want:?}");
    }
}

#[test]
fn gamma_and_chromaticities_become_a_profile() {
    let profile = profile_of(&[gamma(45_455), chromaticities(ADOBE_RGB)]).unwrap();
    assert_near(&profile, &ColorProfile::new_adobe_rgb());
    let curve = profile.green_trc.unwrap().make_linear_evaluator().unwrap();
    assert!((curve.evaluate_value(0.5) - 0.5f32.powf(2.2)).abs() < 0.001);

    for old_mac in [vec![gamma(55_556), chromaticities(SRGB)], vec![gamma(55_556)]] {
        let profile = profile_of(&old_mac).unwrap();
        assert_near(&profile, &ColorProfile::new_srgb());
        let curve = profile.green_trc.unwrap().make_linear_evaluator().unwrap();
        assert!((curve.evaluate_value(0.5) - 0.5f32.powf(1.8)).abs() < 0.001);
    }
}

#[test]
fn shades_of_gray_get_a_gray_profile() {
    let gray = image::GrayImage::from_pixel(4, 4, image::Luma([90]));
    let mut png = Vec::new();
    gray.write_with_encoder(image::codecs::png::PngEncoder::new(&mut png)).unwrap();
    let png = fixtures::png_with(&png, &[gamma(100_000), chromaticities(SRGB)].concat(), &[]);
    let profile = ColorProfile::new_from_slice(&read(&png, MediaType::Png).icc.unwrap()).unwrap();
    assert_eq!(profile.color_space, DataColorSpace::Gray);
}

#[test]
fn what_is_srgb_needs_no_profile() {
    assert!(profile_of(&[gamma(45_455), chromaticities(SRGB)]).is_none());
    assert!(profile_of(&[gamma(45_455)]).is_none());
    assert!(profile_of(&[chromaticities(ADOBE_RGB)]).is_none());
    let intent = fixtures::chunk(b"sRGB", &[&[0]]);
    assert!(profile_of(&[intent, gamma(100_000), chromaticities(ADOBE_RGB)]).is_none());
    assert!(profile_of(&[cicp([1, 13, 0, 1])]).is_none());
}

#[test]
fn code_points_come_before_a_profile_and_that_before_the_rest() {
    let p3 = profile_of(&[cicp([12, 13, 0, 1]), icc(&fixtures::srgb())]).unwrap();
    assert_near(&p3, &ColorProfile::new_display_p3());
    let p3 = profile_of(&[icc(&fixtures::display_p3()), gamma(45_455), chromaticities(ADOBE_RGB)]).unwrap();
    assert_near(&p3, &ColorProfile::new_display_p3());
    assert!(profile_of(&[cicp([1, 13, 0, 1]), icc(&fixtures::display_p3())]).is_none());
}

#[test]
fn the_curves_of_video_are_those_that_browsers_show() {
    for (transfer, exponent) in [(1, 2.4), (4, 2.2), (5, 2.8), (6, 2.4), (8, 1.0), (14, 2.4), (15, 2.4)] {
        let profile = profile_of(&[cicp([1, transfer, 0, 1])]).unwrap();
        assert_near(&profile, &ColorProfile::new_srgb());
        let curve = profile.blue_trc.unwrap().make_linear_evaluator().unwrap();
        assert!((curve.evaluate_value(0.5) - 0.5f32.powf(exponent)).abs() < 0.001);
    }
    assert_near(&profile_of(&[cicp([9, 13, 0, 1])]).unwrap(), &ColorProfile::new_bt2020());
}

#[test]
fn what_no_profile_says_stays_code_points() {
    let found = |chunks: &[Vec<u8>]| {
        let png = fixtures::png_with(&fixtures::plain(MediaType::Png), &chunks.concat(), &[]);
        let metadata = read(&png, MediaType::Png);
        (metadata.code_points.map(|points| (points.primaries, points.transfer)), metadata.icc.is_some())
    };
    assert_eq!(found(&[cicp([9, 16, 0, 1])]), (Some((9, 16)), false));
    // A profile that comes with them is for readers that do not know them.
    assert_eq!(found(&[cicp([9, 18, 0, 1]), icc(&fixtures::display_p3())]), (Some((9, 18)), true));
    assert_eq!(found(&[cicp([22, 13, 0, 1])]), (Some((22, 13)), false));
    for said_by_a_profile in [[12, 13, 0, 1], [1, 13, 0, 1], [9, 8, 0, 1]] {
        assert_eq!(found(&[cicp(said_by_a_profile)]).0, None);
    }
    for senseless in [[2, 16, 0, 1], [9, 2, 0, 1], [9, 16, 9, 1], [9, 16, 0, 0], [0, 16, 0, 1], [9, 19, 0, 1]]
    {
        assert_eq!(found(&[cicp(senseless)]).0, None, "{senseless:?}");
    }
}

#[test]
fn senseless_values_are_passed_over() {
    // Nothing at all, far out, and all points on one line.
    let line = [31_270, 32_900, 60_000, 32_900, 30_000, 32_900, 15_000, 32_900];
    assert!(profile_of(&[gamma(50_000), chromaticities(line)]).is_none());
    for values in [[0; 8], [u32::MAX; 8]] {
        assert!(profile_of(&[gamma(45_455), chromaticities(values)]).is_none());
    }
    for value in [0, 1, u32::MAX] {
        assert!(profile_of(&[gamma(value), chromaticities(ADOBE_RGB)]).is_none());
    }
    assert!(profile_of(&[cicp([0, 0, 0, 1])]).is_none());
    assert!(profile_of(&[cicp([12, 13, 1, 1])]).is_none());
}

#[test]
fn the_same_chunks_give_the_same_bytes() {
    let png = [gamma(55_556), chromaticities(ADOBE_RGB)].concat();
    let png = fixtures::png_with(&fixtures::plain(MediaType::Png), &png, &[]);
    let icc = read(&png, MediaType::Png).icc.unwrap();
    assert_eq!(icc[24..36], [0x07, 0xCC, 0, 10, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert!(matches!(
        ColorProfile::new_from_slice(&icc).unwrap().red_trc,
        Some(ToneReprCurve::Parametric(_))
    ));
}
