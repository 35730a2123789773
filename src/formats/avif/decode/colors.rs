//! Converts YCbCr to RGB (ITU-T H.273, 8.3), in integers, so that every machine has the same result.

use std::ops::Range;

use crate::containers::isobmff::{CodePoints, Coding, unsupported};
use crate::error::Result;
use crate::formats::avif::decode::IDENTITY;
use crate::formats::avif::decode::planes::{CHROMA_UNIT, Lines};

/// The number of fractional bits of the coefficients.
const FRACTION: u32 = 24;

/// The matrix for stored samples.
pub(crate) struct Conversion {
    coefficients: [[i64; 3]; 3],
    offsets: [i64; 3],
    top: i64,
}

impl Conversion {
    /// For values from 0 to `top`.
    ///
    /// # Errors
    /// [`crate::ErrorCode::UnsupportedType`] for matrices that are not linear, or rare.
    pub(crate) fn new(colors: CodePoints, coding: Coding, top: u16) -> Result<Self> {
        let matrix = match coding.gray {
            true => [[1.0, 0.0, 0.0]; 3],
            false => matrix(colors)?,
        };
        let highest = f64::from((1u32 << coding.depth) - 1);
        let step = f64::from(1u32 << (coding.depth - 8));
        // The sample value for 0, and the number of steps to full scale.
        let luma = if colors.full_range { (0.0, highest) } else { (16.0 * step, 219.0 * step) };
        let chroma = (128.0 * step, if colors.full_range { highest } else { 224.0 * step });
        let channels = if colors.matrix == IDENTITY { [luma; 3] } else { [luma, chroma, chroma] };

        let one = f64::from(1u32 << FRACTION);
        let mut conversion = Self { coefficients: [[0; 3]; 3], offsets: [0; 3], top: i64::from(top) };
        for ((row, coefficients), offset) in
            matrix.iter().zip(&mut conversion.coefficients).zip(&mut conversion.offsets)
        {
            // Half a step, for rounding.
            *offset = 1 << (FRACTION - 1);
            for ((share, (nothing, steps)), coefficient) in row.iter().zip(channels).zip(coefficients) {
                let scaled = share * f64::from(top) / steps * one / CHROMA_UNIT as f64;
                *coefficient = scaled.round() as i64;
                *offset -= *coefficient * nothing as i64 * CHROMA_UNIT;
            }
        }
        Ok(conversion)
    }

    /// Converts a part of a row to pixels with `channels` values, 1 or 3.
    pub(crate) fn apply(&self, lines: &Lines, columns: Range<usize>, channels: usize, out: &mut Vec<u16>) {
        out.clear();
        let luma = lines.luma.get(columns.clone()).unwrap_or_default();
        let [blue, red] = lines.chroma.each_ref().map(|line| line.get(columns.clone()).unwrap_or_default());
        let luma = luma.iter().map(|luma| i64::from(*luma) * CHROMA_UNIT);
        if channels == 1 || blue.is_empty() {
            out.extend(luma.flat_map(|luma| std::iter::repeat_n(self.level(0, [luma, 0, 0]), channels)));
            return;
        }
        for ((luma, blue), red) in luma.zip(blue).zip(red) {
            let samples = [luma, i64::from(*blue), i64::from(*red)];
            out.extend([0, 1, 2].map(|channel| self.level(channel, samples)));
        }
    }

    fn level(&self, channel: usize, samples: [i64; 3]) -> u16 {
        let [a, b, c] = self.coefficients[channel];
        let sum = a * samples[0] + b * samples[1] + c * samples[2] + self.offsets[channel];
        (sum >> FRACTION).clamp(0, self.top) as u16
    }
}

/// The weights of luma and of both chroma components in red, green and blue, relative to full scale.
fn matrix(colors: CodePoints) -> Result<[[f64; 3]; 3]> {
    let (red, blue) = match (colors.matrix, colors.primaries) {
        (IDENTITY, _) => return Ok([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        // YCgCo
        (8, _) => return Ok([[1.0, -1.0, 1.0], [1.0, 1.0, 0.0], [1.0, -1.0, -1.0]]),
        (1, _) | (12, 1 | 2) => (0.2126, 0.0722),
        // Unspecified: what most encoders mean, and what browsers assume.
        (2 | 5 | 6, _) => (0.299, 0.114),
        (4, _) => (0.30, 0.11),
        (7, _) => (0.212, 0.087),
        (9, _) | (12, 9) => (0.2627, 0.0593),
        // Derived from the primaries of P3.
        (12, 12) => (0.228_975, 0.079_287),
        (other, _) => return Err(unsupported(&format!("its colors are in matrix {other} of H.273"))),
    };
    let green = 1.0 - red - blue;
    let (of_red, of_blue) = (2.0 * (1.0 - red), 2.0 * (1.0 - blue));
    Ok([[1.0, 0.0, of_red], [1.0, -of_blue * blue / green, -of_red * red / green], [1.0, of_blue, 0.0]])
}
