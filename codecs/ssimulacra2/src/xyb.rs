//! Light as the eye's cones answer to it: the XYB colours of JPEG XL (ISO/IEC 18181-1, annex L.2), moved to about 0 to 1.

use crate::lanes::{Exact, Fuse, LANES, Lanes, Quick};

/// How much of red, green and blue each of the cones takes.
const CONES: [[f32; LANES]; 3] = [
    [0.30, 0.23, 0.243_422_69, 0.0],
    [1.0 - 0.078 - 0.30, 1.0 - 0.078 - 0.23, 0.204_767_45, 0.0],
    [0.078, 0.078, 1.0 - 0.243_422_69 - 0.204_767_45, 0.0],
];
/// What they answer in the dark.
const BIAS: f32 = 0.003_793_073_4;

/// Of the light of a pixel red against green, brightness, and blue against brightness.
#[inline(always)]
pub(crate) fn xyb(light: Lanes) -> Lanes {
    let mut quick = Quick::default();
    let found = convert(&mut quick, light);
    if quick.failed() { slowly(light) } else { found }
}

#[cold]
#[inline(never)]
fn slowly(light: Lanes) -> Lanes {
    convert(&mut Exact, light)
}

#[inline(always)]
fn convert(by: &mut impl Fuse, light: Lanes) -> Lanes {
    let [red, green, blue, _] = light.array().map(Lanes::splat);
    let [reds, greens, blues] = CONES.map(Lanes::new);
    let blue = by.fused(blues, blue, Lanes::splat(BIAS));
    let green = by.fused(greens, green, blue);
    let answers = by.fused(reds, red, green);
    let dark = cube_roots(Lanes::splat(BIAS));
    let [long, medium, short, _] = cube_roots(answers.positive()).sub(dark).array();
    let (x, y) = (0.5 * (long - medium), 0.5 * (long + medium));
    let [x, ..] = by.fused(Lanes::splat(14.0), Lanes::splat(x), Lanes::splat(0.42)).array();
    Lanes::new([x, y + 0.01, (short - y) + 0.55, 0.0])
}

/// By two steps of Newton in double precision from a guess at the exponent (FreeBSD, `s_cbrtf.c`): the platform's own
/// differs from others.
#[inline(always)]
fn cube_roots(values: Lanes) -> Lanes {
    let mut root = values.third_of_bits(709_958_130).doubles();
    let value = values.doubles();
    for _ in 0..2 {
        let cube = root.mul(root).mul(root);
        root = root.mul(value.add(value).add(cube)).div(value.add(cube).add(cube));
    }
    root.lanes()
}
