//! Encodes a picture in a YUV4MPEG2 file (`.y4m`; 8 bits: mono, 420jpeg, 444) to an AV1 bitstream (open bitstream units), as `dav1d` and
//! `aomdec` read it, and prints its size, the time and the PSNR of luma.
//!
//!     cargo run --release -p filepress-av1 --example encode_still -- INPUT OUTPUT QUALITY EFFORT

use std::process::ExitCode;

use filepress_av1::{ColorConfig, EncodeOptions, Picture, encode_with_reconstruction};

/// A temporal delimiter, which programs want and AVIF does not.
const TEMPORAL_DELIMITER: [u8; 2] = [0x12, 0];

#[expect(clippy::print_stdout, reason = "an example for the command line")]
#[expect(clippy::disallowed_methods, reason = "an example runs natively")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, quality, effort] = arguments.as_slice() else {
        return fail("arguments: INPUT OUTPUT QUALITY EFFORT");
    };
    let (Ok(quality), Ok(effort)) = (quality.parse(), effort.parse()) else {
        return fail("quality and effort are numbers");
    };
    let Ok(file) = std::fs::read(input) else { return fail("the input cannot be read") };
    let Some(picture) = picture(&file) else { return fail("the input is no file of a kind that is read") };
    let start = std::time::Instant::now();
    let (encoded, reconstruction) =
        match encode_with_reconstruction(&picture, &EncodeOptions { quality, effort, lossless: false }) {
            Ok(encoded) => encoded,
            Err(error) => return fail(&error.to_string()),
        };
    let milliseconds = start.elapsed().as_millis();
    let psnr = psnr(&picture, &reconstruction);
    println!("{} bytes, {milliseconds} ms, {psnr:.3} dB", encoded.obus.len());
    match std::fs::write(output, [&TEMPORAL_DELIMITER, encoded.obus.as_slice()].concat()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => fail("the output cannot be written"),
    }
}

/// The first frame of a file.
fn picture(file: &[u8]) -> Option<Picture> {
    let end = file.iter().position(|byte| *byte == b'\n')?;
    let header = std::str::from_utf8(&file[..end]).ok()?;
    let frame = file[end + 1..].iter().position(|byte| *byte == b'\n')?;
    let samples: Vec<u16> = file[end + 1 + frame + 1..].iter().map(|byte| u16::from(*byte)).collect();
    let field = |letter: char| header.split(' ').skip(1).find_map(|field| field.strip_prefix(letter));
    let (width, height): (usize, usize) = (field('W')?.parse().ok()?, field('H')?.parse().ok()?);
    let (is_gray, subsamples) = match field('C').unwrap_or("420jpeg") {
        "mono" => (true, true),
        "420" | "420jpeg" => (false, true),
        "444" => (false, false),
        _ => return None,
    };
    let side = |luma: usize| if subsamples { luma.div_ceil(2) } else { luma };
    let (luma, chroma) = samples.split_at_checked(width * height)?;
    let mut planes = vec![luma];
    if !is_gray {
        let (u, v) = chroma.split_at_checked(side(width) * side(height))?;
        planes.extend([u, v.get(..u.len())?]);
    }
    Picture::from_planes((width, height), ColorConfig::new(8, is_gray, (subsamples, subsamples)), &planes)
        .ok()
}

fn psnr(one: &Picture, other: &Picture) -> f64 {
    let rows = (0..one.height()).flat_map(|y| one.row(0, y).iter().zip(other.row(0, y)));
    let sum: f64 = rows.map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum();
    let error = sum / (one.width() * one.height()) as f64;
    10.0 * (255.0 * 255.0 / error.max(1e-9)).log10()
}

#[expect(clippy::print_stderr, reason = "an example for the command line")]
fn fail(reason: &str) -> ExitCode {
    eprintln!("{reason}");
    ExitCode::FAILURE
}
