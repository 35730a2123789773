//! Converts PQ (SMPTE ST 2084) and HLG, as in ITU-R BT.2100, to linear light with the primaries of sRGB. 1 is reference
//! white, 203 cd/m² (ITU-R BT.2408); highlights are above it.

use image::{DynamicImage, Rgb32FImage, Rgba32FImage};

use crate::metadata::code_points::CodePoints;
use crate::pixels;

/// Reference white in cd/m².
const WHITE: f64 = 203.0;
/// The peak luminance of PQ in cd/m².
const PQ_PEAK: f64 = 10_000.0;
/// The nominal display for HLG: its peak luminance in cd/m², and the system gamma for it.
const HLG_PEAK: f64 = 1_000.0;
const HLG_GAMMA: f64 = 1.2;

/// Matrices from linear light with the primaries of BT.2020, and of P3, to those of sRGB. All have the same white
/// point.
const FROM_BT2020: [[f32; 3]; 3] = [
    [1.660_491, -0.587_641, -0.072_850],
    [-0.124_550, 1.132_9, -0.008_349],
    [-0.018_151, -0.100_579, 1.118_73],
];
const FROM_P3: [[f32; 3]; 3] =
    [[1.224_94, -0.224_94, 0.0], [-0.042_057, 1.042_057, 0.0], [-0.019_638, -0.078_636, 1.098_274]];

/// The number of code values.
const LEVELS: usize = 1 << 16;

/// The transfer function of an HDR picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Curve {
    is_hlg: bool,
    /// The matrix to the primaries of sRGB.
    to_srgb: [[f32; 3]; 3],
}

impl Curve {
    /// Of code points of ITU-T H.273. `None` for standard dynamic range.
    pub(crate) fn of(primaries: u16, transfer: u16) -> Option<Self> {
        let is_hlg = match u8::try_from(transfer) {
            Ok(CodePoints::PQ) => false,
            Ok(CodePoints::HLG) => true,
            _ => return None,
        };
        let to_srgb = match primaries {
            9 => FROM_BT2020,
            12 => FROM_P3,
            _ => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        };
        Some(Self { is_hlg, to_srgb })
    }
}

/// A transfer function as tables.
pub(crate) struct Light {
    curve: Curve,
    /// Linear light for all code values. For HLG, scene light from 0 to 1.
    linear: Vec<f32>,
    /// For HLG: the factor by scene luminance, as a code value.
    system: Vec<f32>,
}

impl Light {
    pub(crate) fn new(curve: Curve) -> Self {
        let levels = || (0..LEVELS).map(|level| level as f64 / (LEVELS - 1) as f64);
        let (linear, system) = match curve.is_hlg {
            false => (levels().map(|level| (pq(level) * PQ_PEAK / WHITE) as f32).collect(), Vec::new()),
            true => {
                let system = |luminance| libm::pow(luminance, HLG_GAMMA - 1.0) * HLG_PEAK / WHITE;
                (
                    levels().map(|level| hlg(level) as f32).collect(),
                    levels().map(|y| system(y) as f32).collect(),
                )
            }
        };
        Self { curve, linear, system }
    }

    /// Appends the linear light of RGB or RGBA code values. Alpha is not converted.
    pub(crate) fn apply(&self, channels: usize, row: &[u16], out: &mut Vec<f32>) {
        for pixel in row.chunks_exact(channels) {
            let [red, green, blue, alpha @ ..] = pixel else { continue };
            let mut light = [red, green, blue].map(|level| self.linear[usize::from(*level)]);
            if self.curve.is_hlg {
                let luminance = 0.2627 * light[0] + 0.678 * light[1] + 0.0593 * light[2];
                let level = (luminance * (LEVELS - 1) as f32).round() as usize;
                let factor = self.system[level.min(LEVELS - 1)];
                light = light.map(|light| light * factor);
            }
            out.extend(
                self.curve
                    .to_srgb
                    .map(|row| (row[0] * light[0] + row[1] * light[1] + row[2] * light[2]).max(0.0)),
            );
            out.extend(alpha.iter().map(|level| f32::from(*level) / (LEVELS - 1) as f32));
        }
    }
}

/// The linear light of a picture of code values, whatever its type: RGB or RGBA in floating point.
pub(crate) fn to_light(image: DynamicImage, curve: Curve) -> DynamicImage {
    let (width, height) = (image.width(), image.height());
    let light = |channels, values: Vec<u16>| {
        let mut out = Vec::with_capacity(values.len());
        Light::new(curve).apply(channels, &values, &mut out);
        out
    };
    match image.color().has_alpha() {
        true => Rgba32FImage::from_raw(width, height, light(4, pixels::rgba16(image).into_raw()))
            .map(DynamicImage::ImageRgba32F),
        false => Rgb32FImage::from_raw(width, height, light(3, pixels::rgb16(image).into_raw()))
            .map(DynamicImage::ImageRgb32F),
    }
    .unwrap_or_default()
}

/// The fraction of the peak luminance for a PQ value (BT.2100, table 4).
fn pq(level: f64) -> f64 {
    let (m1, m2) = (2_610.0 / 16_384.0, 2_523.0 / 32.0);
    let (c1, c2, c3) = (3_424.0 / 4_096.0, 2_413.0 / 128.0, 2_392.0 / 128.0);
    let power = libm::pow(level, 1.0 / m2);
    libm::pow((power - c1).max(0.0) / (c2 - c3 * power), 1.0 / m1)
}

/// Scene light, 0 to 1, for an HLG value (BT.2100, table 5).
fn hlg(level: f64) -> f64 {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73);
    if level <= 0.5 { level * level / 3.0 } else { (libm::exp((level - c) / a) + b) / 12.0 }
}
