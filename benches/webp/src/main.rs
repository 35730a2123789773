//! Bytes of lossy WebPs at equal scores (BD-rate) beside libwebp, by SSIMULACRA2 and by butteraugli's 3-norm.
//!
//! `filepress-bench-webp FOLDER… [q=QUALITIES] [effort=N] [peer=NAMES]`: pictures are FOLDER/*.ppm, files of peers
//! FOLDER/peers/NAME.PEER.QUALITY.webp (written by `bench.mjs`).

use std::io::Cursor;

use filepress_bd_rate::{Curve, Original, Point, parallel, print_rates, rate};
use filepress_webp::{Layout, Picture, Settings, encode};

fn main() {
    let mut folders = Vec::new();
    let (mut qualities, mut effort): (Vec<u8>, u8) = (vec![20, 35, 50, 65, 80], 4);
    let mut peers = vec!["libwebp".to_string()];
    for word in std::env::args().skip(1) {
        match word.split_once('=') {
            Some(("q", values)) => {
                qualities = values.split(',').map(|value| value.parse().unwrap()).collect()
            }
            Some(("peer", values)) => peers = values.split(',').map(String::from).collect(),
            Some(("effort", value)) => effort = value.parse().unwrap(),
            Some(_) => panic!("{word}?"),
            None => folders.push(word),
        }
    }
    let pictures: Vec<Original> = folders.iter().flat_map(|folder| Original::all(folder)).collect();
    let rows = parallel(&pictures, |picture| {
        let points = qualities.iter().map(|&quality| of_file(picture, &ours(picture, quality, effort)));
        let ours: Curve = points.collect();
        let beside = |peer: &String| {
            let peer = of_peer(picture, peer);
            [0, 1].map(|score| rate(&ours, &peer, score))
        };
        peers.iter().map(beside).collect::<Vec<_>>()
    });
    for (index, peer) in peers.iter().enumerate() {
        let rates: Vec<[f64; 2]> = rows.iter().map(|row| row[index]).collect();
        print_rates(peer, pictures.iter().map(|picture| picture.name.as_str()), &rates);
    }
}

fn ours(picture: &Original, quality: u8, effort: u8) -> Vec<u8> {
    let (width, height) = (picture.size.0 as u32, picture.size.1 as u32);
    let pixels = Picture::new(width, height, Layout::Rgb, &picture.rgb).unwrap();
    encode(&pixels, Settings { quality, effort }).unwrap()
}

/// The curve of a peer's files.
fn of_peer(picture: &Original, peer: &str) -> Curve {
    let start = format!("{}.{peer}.", picture.name);
    let mut files: Vec<(u32, std::path::PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(picture.peers()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some(quality) = name.strip_prefix(&start).and_then(|rest| rest.strip_suffix(".webp")) {
            files.push((quality.parse().unwrap(), path));
        }
    }
    files.sort();
    files.iter().map(|(_, path)| of_file(picture, &std::fs::read(path).unwrap())).collect()
}

fn of_file(picture: &Original, file: &[u8]) -> Point {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(file)).unwrap();
    let mut rgb = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.read_image(&mut rgb).unwrap();
    assert_eq!(rgb.len(), picture.rgb.len());
    Point { bytes: file.len() as f64, scores: picture.scores(&rgb) }
}
