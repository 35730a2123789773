//! Makes a small matrix/TRC or gray profile from the primaries and the curve that a PNG states (ICC.1:2022, 8.3 and
//! 8.4).

use crate::pixels::srgb;

/// The transfer function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tones {
    /// The sRGB transfer function.
    Srgb,
    /// Linear values are encoded values to this power.
    Power(f64),
}

type Vector = [f64; 3];
type Matrix = [Vector; 3];

/// The creation date: 1 October 1996, when PNG was published. It is fixed, so that the bytes are always the same.
const DATE: [u8; 12] = [0x07, 0xCC, 0, 10, 0, 1, 0, 0, 0, 0, 0, 0];

/// D50, as in the header of every profile.
const D50: Vector = [0.964_2, 1.0, 0.824_9];

/// The Bradford matrix for the adaptation of white points (annex E.3), and its inverse.
const BRADFORD: Matrix =
    [[0.895_1, 0.266_4, -0.161_4], [-0.750_2, 1.713_5, 0.036_7], [0.038_9, -0.068_5, 1.029_6]];
const FROM_BRADFORD: Matrix = [
    [0.986_992_9, -0.147_054_3, 0.159_962_7],
    [0.432_305_3, 0.518_360_3, 0.049_291_2],
    [-0.008_528_7, 0.040_042_8, 0.968_486_7],
];

/// A profile for color. The x and y of white, red, green and blue are in 1/100,000. `None` if the primaries span no
/// gamut.
pub(crate) fn rgb(chromaticities: &[u32; 8], tones: Tones) -> Option<Vec<u8>> {
    let [white, red, green, blue] = [0, 2, 4, 6].map(|at| {
        let (x, y) =
            (f64::from(chromaticities[at]) / 100_000.0, f64::from(chromaticities[at + 1]) / 100_000.0);
        [x / y, 1.0, (1.0 - x - y) / y]
    });
    let shares = solve([red, green, blue], white)?;
    let adapt = |color: Vector| {
        let (cones, from, to) =
            (multiply(&BRADFORD, color), multiply(&BRADFORD, white), multiply(&BRADFORD, D50));
        multiply(&FROM_BRADFORD, [0, 1, 2].map(|at| cones[at] * to[at] / from[at]))
    };
    let column = |primary: Vector, share: f64| xyz(adapt(primary.map(|part| part * share)));
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(adapt);
    let adaptation: Vec<f64> = (0..3).flat_map(|row| [x[row], y[row], z[row]]).collect();
    let curve = curve(tones)?;
    let tags = [
        (b"desc", text("PNG")),
        (b"cprt", text("CC0")),
        (b"wtpt", xyz(D50)?),
        (b"chad", fixed(b"sf32", &adaptation)?),
        (b"rXYZ", column(red, shares[0])?),
        (b"gXYZ", column(green, shares[1])?),
        (b"bXYZ", column(blue, shares[2])?),
        (b"rTRC", curve.clone()),
        (b"gTRC", curve.clone()),
        (b"bTRC", curve),
    ];
    Some(profile(b"RGB ", &tags))
}

/// A profile for gray.
pub(crate) fn gray(tones: Tones) -> Option<Vec<u8>> {
    let tags =
        [(b"desc", text("PNG")), (b"cprt", text("CC0")), (b"wtpt", xyz(D50)?), (b"kTRC", curve(tones)?)];
    Some(profile(b"GRAY", &tags))
}

fn multiply(matrix: &Matrix, vector: Vector) -> Vector {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

/// Solves for the share of each column in the sum, by Cramer's rule.
fn solve(columns: Matrix, sum: Vector) -> Option<Vector> {
    let determinant = |[a, b, c]: Matrix| {
        a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
            + c[0] * (a[1] * b[2] - a[2] * b[1])
    };
    let whole = determinant(columns);
    let shares = [0, 1, 2].map(|at| {
        let mut replaced = columns;
        replaced[at] = sum;
        determinant(replaced) / whole
    });
    // Collinear primaries span nothing, and a white point outside the gamut needs a negative share.
    shares.iter().all(|share| share.is_finite() && *share > 0.0).then_some(shares)
}

/// Numbers in 1/65,536 after their type signature; `None` if one is out of range.
fn fixed(kind: &[u8; 4], values: &[f64]) -> Option<Vec<u8>> {
    let mut data = [kind.as_slice(), &[0; 4]].concat();
    for value in values.iter().map(|value| (value * 65_536.0).round()) {
        let in_range = value.abs() <= f64::from(i32::MAX);
        data.extend(in_range.then_some(value as i32)?.to_be_bytes());
    }
    Some(data)
}

fn xyz(vector: Vector) -> Option<Vec<u8>> {
    fixed(b"XYZ ", &vector)
}

/// The sRGB transfer function as the parameters g, a, b, c and d of `parametricCurveType`.
const SRGB: [f64; 5] =
    [srgb::EXPONENT, 1.0 / srgb::SCALE, srgb::OFFSET / srgb::SCALE, 1.0 / srgb::SLOPE, srgb::ENCODED_BREAK];

/// `parametricCurveType`: the function type, then its parameters.
fn curve(tones: Tones) -> Option<Vec<u8>> {
    let (formula, parameters): (u8, &[f64]) = match &tones {
        Tones::Power(exponent) => (0, std::slice::from_ref(exponent)),
        Tones::Srgb => (3, &SRGB),
    };
    let mut data = fixed(b"para", parameters)?;
    data.splice(8..8, [0, formula, 0, 0]);
    Some(data)
}

/// `multiLocalizedUnicodeType` with one English text.
fn text(text: &str) -> Vec<u8> {
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut data = b"mluc\0\0\0\0\0\0\0\x01\0\0\0\x0CenUS".to_vec();
    data.extend((utf16.len() as u32).to_be_bytes());
    data.extend(28u32.to_be_bytes());
    data.extend(utf16);
    data
}

fn profile(space: &[u8; 4], tags: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut table = (tags.len() as u32).to_be_bytes().to_vec();
    let mut behind = Vec::new();
    let start = 128 + 4 + 12 * tags.len();
    for (kind, data) in tags {
        table.extend_from_slice(*kind);
        table.extend([start + behind.len(), data.len()].map(|number| (number as u32).to_be_bytes()).concat());
        behind.extend_from_slice(data);
        behind.resize(behind.len().next_multiple_of(4), 0);
    }
    // Size, no preferred CMM, version 4.3, display device; all other fields are 0.
    let mut icc = ((start + behind.len()) as u32).to_be_bytes().to_vec();
    icc.extend_from_slice(b"\0\0\0\0\x04\x30\0\0mntr");
    icc.extend_from_slice(space);
    icc.extend_from_slice(b"XYZ ");
    icc.extend(DATE);
    icc.extend_from_slice(b"acsp");
    icc.resize(68, 0);
    icc.extend_from_slice(b"\0\0\xF6\xD6\0\x01\0\0\0\0\xD3\x2D");
    icc.resize(128, 0);
    icc.extend(table);
    icc.extend(behind);
    icc
}
