//! Decodes a JPEG to a PNM: `decode INPUT OUTPUT [EIGHTHS]`. Gray is a PGM, all else a PPM.

#![allow(clippy::print_stderr, reason = "a tool tells what it did")]

use std::error::Error;

use filepress_jpeg::{DecodeOptions, Decoder};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [input, output, rest @ ..] = &arguments[..] else {
        return Err("decode INPUT OUTPUT [EIGHTHS]".into());
    };
    let bytes = std::fs::read(input)?;
    let mut decoder = Decoder::new(&bytes, DecodeOptions::default())?;
    if let [eighths] = rest {
        decoder.set_scale(eighths.parse()?)?;
    }
    let ((width, height), samples) = (decoder.size(), decoder.samples_per_pixel());
    let kind = if samples == 1 { 5 } else { 6 };
    let mut pixels = vec![0; width as usize * height as usize * samples];
    decoder.read_rows(&mut pixels)?;
    if let Some(damage) = decoder.damage() {
        eprintln!("{:.1} % of the picture is lost", 100.0 * damage.share);
    }
    let mut pnm = format!("P{kind}\n{width} {height}\n255\n").into_bytes();
    pnm.extend(pixels);
    Ok(std::fs::write(output, pnm)?)
}
