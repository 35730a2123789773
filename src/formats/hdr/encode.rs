//! Radiance HDR with run-length encoding: linear light as three 8-bit mantissas with a shared exponent.
//!
//! Limits: no alpha, no negative light; the darker channels of a pixel have less precision the brighter the brightest
//! is. Mantissas are rounded to the nearest; the writer of `image` truncates them, which darkens the picture.

use image::{DynamicImage, Rgb32FImage};

use crate::error::{Error, ErrorCode, Result};
use crate::warning::Warning;

/// Shorter runs need as many bytes as literals.
const LEAST_RUN: usize = 3;
const LONGEST_RUN: usize = 127;
const LONGEST_LITERAL: usize = 128;

/// The widths for which run-length encoding is allowed.
const RUN_WIDTHS: std::ops::RangeInclusive<usize> = 8..=32_767;

/// The maximum exponent of a number; 2 to this power exceeds every mantissa.
const MAX_EXPONENT: i32 = 127;

/// Writes linear light.
pub(crate) fn encode(image: DynamicImage, warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let DynamicImage::ImageRgb32F(light) = image else {
        return Err(Error::new(ErrorCode::EncodeFailed, "Radiance HDR needs opaque linear light."));
    };
    if light.iter().any(|&light| light < 0.0) {
        let message = "Radiance HDR has no negative values; they became black.";
        warnings.push(Warning::new("light_clipped", message));
    }
    Ok(write(&light))
}

fn write(light: &Rgb32FImage) -> Vec<u8> {
    let (width, height) = (light.width(), light.height());
    let mut out = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n").into_bytes();
    let mut channel = Vec::with_capacity(width as usize);
    let mut line = Vec::with_capacity(width as usize);
    for row in light.rows() {
        line.clear();
        line.extend(row.map(|pixel| coded(pixel.0)));
        if !RUN_WIDTHS.contains(&line.len()) {
            out.extend(line.as_flattened());
            continue;
        }
        let [high, low] = (width as u16).to_be_bytes();
        out.extend([2, 2, high, low]);
        for part in 0..4 {
            channel.clear();
            channel.extend(line.iter().map(|pixel: &[u8; 4]| pixel[part]));
            push_runs(&mut out, &channel);
        }
    }
    out
}

/// The mantissas and the exponent of a color. The brightest channel has full precision.
fn coded(color: [f32; 3]) -> [u8; 4] {
    let brightest = color[0].max(color[1]).max(color[2]);
    if brightest <= 0.0 {
        return [0; 4];
    }
    let (_, mut exponent) = libm::frexpf(brightest);
    let mantissa = |light: f32, exponent: i32| (libm::ldexp(f64::from(light), 8 - exponent) + 0.5) as u64;
    if mantissa(brightest, exponent) > 255 {
        exponent += 1;
    }
    if exponent < -127 {
        return [0; 4];
    }
    let exponent = exponent.min(MAX_EXPONENT);
    let [r, g, b] = color.map(|light| mantissa(light, exponent).min(255) as u8);
    [r, g, b, (exponent + 128) as u8]
}

/// Runs of a byte, and literal bytes between them.
fn push_runs(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let start = run_start(rest);
        for literal in rest[..start].chunks(LONGEST_LITERAL) {
            out.push(literal.len() as u8);
            out.extend_from_slice(literal);
        }
        rest = &rest[start..];
        let run = rest.iter().take(LONGEST_RUN).take_while(|&byte| Some(byte) == rest.first()).count();
        if run >= LEAST_RUN {
            out.extend([128 + run as u8, rest[0]]);
            rest = &rest[run..];
        }
    }
}

/// The start of the first run that is worth encoding. The end if there is none.
fn run_start(bytes: &[u8]) -> usize {
    let is_run = |window: &[u8]| window.iter().all(|byte| *byte == window[0]);
    bytes.windows(LEAST_RUN).position(is_run).unwrap_or(bytes.len())
}
