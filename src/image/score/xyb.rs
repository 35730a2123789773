//! Light as the eye's cones answer to it: the XYB colours of JPEG XL (ISO/IEC 18181-1, annex L.2), moved to about 0 to 1.

/// Red, green and blue, linear.
pub(super) type Light = [f32; 3];

/// How much of red, green and blue each of the cones takes.
const CONES: [Light; 3] = [
    [0.30, 1.0 - 0.078 - 0.30, 0.078],
    [0.23, 1.0 - 0.078 - 0.23, 0.078],
    [0.243_422_69, 0.204_767_45, 1.0 - 0.243_422_69 - 0.204_767_45],
];
/// What they answer in the dark.
const BIAS: f32 = 0.003_793_073_4;

/// Red against green, brightness, and blue against brightness.
pub(super) fn xyb(light: Light) -> [f32; 3] {
    let dark = cube_root(BIAS);
    let [long, medium, short] = CONES.map(|[red, green, blue]| {
        let answer = fused(red, light[0], fused(green, light[1], fused(blue, light[2], BIAS)));
        cube_root(answer.max(0.0)) - dark
    });
    let (x, y) = (0.5 * (long - medium), 0.5 * (long + medium));
    [fused(x, 14.0, 0.42), y + 0.01, (short - y) + 0.55]
}

/// By two steps of Newton in double precision from a guess at the exponent (FreeBSD, `s_cbrtf.c`): the platform's own
/// differs from others.
fn cube_root(value: f32) -> f32 {
    let guess = value.to_bits() / 3 + 709_958_130;
    let (value, mut root) = (f64::from(value), f64::from(f32::from_bits(guess)));
    for _ in 0..2 {
        let cube = root * root * root;
        root = root * (value + value + cube) / (value + cube + cube);
    }
    root as f32
}

/// `a × b + c`, rounded once. In double precision the product is exact, and the sum all but rounded as it has to be, unless
/// it lies halfway; that is several times faster than a call where the machine has no such instruction.
pub(super) fn fused(a: f32, b: f32, c: f32) -> f32 {
    let sum = f64::from(a) * f64::from(b) + f64::from(c);
    match sum.to_bits() & 0x1FFF_FFFF {
        0x1000_0000 => a.mul_add(b, c),
        _ => sum as f32,
    }
}
