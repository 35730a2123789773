//! Converts linear light to the primaries of sRGB, through CIE XYZ, with Bradford adaptation of the white point (Lam
//! 1985; ICC.1:2022, annex E).

use filepress_exr::Chromaticities;

type Matrix = [[f64; 3]; 3];

/// ITU-R BT.709, which is also the default of OpenEXR.
const SRGB: Chromaticities = [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06], [0.3127, 0.329]];
/// Coordinates with a smaller difference count as equal.
const TOLERANCE: f64 = 0.001;

const BRADFORD: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

/// The conversion matrix. `None` if the primaries are those of sRGB, or if there is no such matrix.
pub(crate) fn to_srgb(from: &Chromaticities) -> Option<Matrix> {
    let is_same = from.iter().flatten().zip(SRGB.iter().flatten()).all(|(a, b)| (a - b).abs() < TOLERANCE);
    if is_same {
        return None;
    }
    let cones = [from, &SRGB].map(|chromaticities| times(&BRADFORD, xyz(chromaticities[3])));
    let gain = |cone: usize| cones[1][cone] / cones[0][cone];
    let adapted = multiply(&inverse(&BRADFORD)?, &scaled_rows(&BRADFORD, [gain(0), gain(1), gain(2)]));
    let matrix = multiply(&inverse(&rgb_to_xyz(&SRGB)?)?, &multiply(&adapted, &rgb_to_xyz(from)?));
    matrix.iter().flatten().all(|number| number.is_finite()).then_some(matrix)
}

/// A point with luminance 1.
fn xyz([x, y]: [f64; 2]) -> [f64; 3] {
    [x / y, 1.0, (1.0 - x - y) / y]
}

/// The primaries scaled so that their sum is white.
fn rgb_to_xyz(chromaticities: &Chromaticities) -> Option<Matrix> {
    let primaries = [0, 1, 2].map(|primary| xyz(chromaticities[primary]));
    let columns: Matrix = [0, 1, 2].map(|row| [0, 1, 2].map(|column| primaries[column][row]));
    let amounts = times(&inverse(&columns)?, xyz(chromaticities[3]));
    Some(columns.map(|row| [0, 1, 2].map(|column| row[column] * amounts[column])))
}

fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1, 2].map(|column| row[0] * b[0][column] + row[1] * b[1][column] + row[2] * b[2][column]))
}

fn scaled_rows(matrix: &Matrix, by: [f64; 3]) -> Matrix {
    [0, 1, 2].map(|row| matrix[row].map(|number| number * by[row]))
}

fn inverse(m: &Matrix) -> Option<Matrix> {
    let cofactor = |row: usize, column: usize| {
        let (r1, r2, c1, c2) = ((row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3);
        m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    };
    let determinant = (0..3).map(|column| m[0][column] * cofactor(0, column)).sum::<f64>();
    let inverse = [0, 1, 2].map(|row| [0, 1, 2].map(|column| cofactor(column, row) / determinant));
    (determinant.is_finite() && determinant.abs() > 1e-9).then_some(inverse)
}
