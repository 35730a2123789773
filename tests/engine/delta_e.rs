//! Color difference by CIEDE2000 (CIE 142-2001), with the formulas of Sharma, Wu and Dalal (2005).

/// CIE Lab under D50 of a color in sRGB, 0 to 1.
pub(super) fn lab(srgb: [f64; 3]) -> [f64; 3] {
    let [r, g, b] = srgb.map(linear);
    // The columns of sRGB's matrix, adapted to D50, as its profiles have them.
    let xyz = [
        0.436_07 * r + 0.385_15 * g + 0.143_07 * b,
        0.222_49 * r + 0.716_87 * g + 0.060_61 * b,
        0.013_92 * r + 0.097_08 * g + 0.714_10 * b,
    ];
    let white = [0.964_2, 1.0, 0.824_9];
    let [x, y, z] = [0, 1, 2].map(|at| {
        let share: f64 = xyz[at] / white[at];
        if share > 216.0 / 24_389.0 { share.cbrt() } else { (share * 24_389.0 / 27.0 + 16.0) / 116.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The light of a level of sRGB (IEC 61966-2-1), both 0 to 1.
pub(super) fn linear(level: f64) -> f64 {
    if level <= 0.040_45 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
}

/// The level of a light, both 0 to 1; what sRGB does not hold is cut off.
pub(super) fn encoded(light: f64) -> f64 {
    let light = light.clamp(0.0, 1.0);
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// The difference of two colors in CIE Lab; 1 can just be seen.
pub(super) fn delta_e([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let seventh = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25.0_f64.powi(7))).sqrt();
    let stretch = 1.5 - 0.5 * seventh((a1.hypot(b1) + a2.hypot(b2)) / 2.0);
    let (a1, a2) = (a1 * stretch, a2 * stretch);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue =
        |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let gray = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if gray => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let (lightness, chroma) = (l2 - l1, c2 - c1);
    let hues = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let h = match h1 + h2 {
        sum if gray => sum,
        sum if (h1 - h2).abs() <= 180.0 => sum / 2.0,
        sum if sum < 360.0 => (sum + 360.0) / 2.0,
        sum => (sum - 360.0) / 2.0,
    };
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0)
        - 0.20 * cos(4.0 * h - 63.0);
    let from_middle = (l - 50.0).powi(2);
    let lightness = lightness / (1.0 + 0.015 * from_middle / (20.0 + from_middle).sqrt());
    let chroma = chroma / (1.0 + 0.045 * c);
    let hues = hues / (1.0 + 0.015 * c * t);
    let rotation = -(60.0 * (-((h - 275.0) / 25.0).powi(2)).exp()).to_radians().sin() * 2.0 * seventh(c);
    (lightness.powi(2) + chroma.powi(2) + hues.powi(2) + rotation * chroma * hues).sqrt()
}

/// The mean difference of colors in sRGB, 8 bit.
pub(super) fn mean(pairs: impl Iterator<Item = ([u8; 3], [u8; 3])>) -> f64 {
    let color = |color: [u8; 3]| lab(color.map(|level| f64::from(level) / 255.0));
    let (sum, count) = pairs
        .map(|(one, other)| delta_e(color(one), color(other)))
        .fold((0.0, 0), |(sum, count), difference| (sum + difference, count + 1));
    assert!(count > 0, "nothing was compared");
    sum / f64::from(count)
}

#[test]
fn the_published_pairs_have_their_differences() {
    for (one, other, expected) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0009], 7.1792),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0011], 7.2195),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ] {
        let found = delta_e(one, other);
        assert!((found - expected).abs() < 0.00005, "{one:?} {other:?}: {found}");
    }
}
