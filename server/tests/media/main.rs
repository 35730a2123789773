//! The effect of each setting on real conversions.

#![allow(clippy::expect_used, reason = "a test may stop at what it does not expect")]

mod animations;
mod audio_fidelity;
mod damaged;
mod heic;
mod image_to_pdf;
mod pdf;
#[path = "../../../tests/common/seed.rs"]
mod seed;
mod size_limits;
#[path = "../tools/mod.rs"]
mod tools;
mod tracks;
mod video;
mod video_fidelity;

use tools::probe;

/// Width and height of the picture, as ffprobe sees the output file.
fn size(path: &std::path::Path) -> (String, String) {
    let entries = probe(path, "stream=width,height");
    (entries[0].clone(), entries[1].clone())
}

fn pair(width: u32, height: u32) -> (String, String) {
    (width.to_string(), height.to_string())
}

/// Behind the three lines of a PPM's header.
fn pixels(ppm: &[u8]) -> &[u8] {
    let ends: Vec<usize> =
        ppm.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).take(3).collect();
    &ppm[ends[2] + 1..]
}
