//! What encoders make of a picture: bytes and scores.

use std::time::Instant;

use filepress_av1::{DecodeOptions, EncodeOptions, Limits, decode, encode};
use filepress_bd_rate::{Original, Point};

use crate::color;

/// The point of our file, and the seconds of encoding.
pub fn ours(original: &Original, options: &EncodeOptions, subsampled: bool) -> (Point, f64) {
    let planes = color::planes(&original.rgb, original.size, subsampled);
    let start = Instant::now();
    let encoded = encode(&planes, options).unwrap();
    let time = start.elapsed().as_secs_f64();
    let decoded = decode(&encoded.obus, &Limits::default(), &DecodeOptions::default()).unwrap();
    let scores = original.scores(&color::rgb(&decoded));
    // The boxes of AVIF.
    const BOXES: usize = 290;
    let bytes = (encoded.obus.len() + BOXES) as f64;
    (Point { bytes, scores }, time)
}

/// The points of a peer's files, `peers/NAME.PEER.QUALITY.avif`, by quality.
pub fn peer(original: &Original, peer: &str) -> Vec<(u32, Point)> {
    let start = format!("{}.{peer}.", original.name);
    let mut points = Vec::new();
    for entry in std::fs::read_dir(original.peers()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some(quality) = name.strip_prefix(&start).and_then(|rest| rest.strip_suffix(".avif")) {
            points.push((quality.parse().unwrap(), of_file(original, &std::fs::read(&path).unwrap())));
        }
    }
    points.sort_by_key(|point| point.0);
    points
}

fn of_file(original: &Original, file: &[u8]) -> Point {
    let picture = decode(media_data(file), &Limits::default(), &DecodeOptions::default()).unwrap();
    assert_eq!((picture.width(), picture.height()), original.size);
    Point { bytes: file.len() as f64, scores: original.scores(&color::rgb(&picture)) }
}

/// The contents of `mdat`: the only item of files without alpha and metadata.
fn media_data(file: &[u8]) -> &[u8] {
    let mut rest = file;
    loop {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        let end = if length == 0 { rest.len() } else { length };
        if &rest[4..8] == b"mdat" {
            return &rest[8..end];
        }
        rest = &rest[end..];
    }
}
