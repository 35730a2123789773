//! A picture, and how well a file of it scores.

use std::path::{Path, PathBuf};
use std::time::Instant;

use butteraugli::{ButteraugliParams, ButteraugliReference};
use filepress_av1::{DecodeOptions, EncodeOptions, Limits, decode, encode};
use filepress_ssimulacra2::Reference;

use crate::color;
use crate::curve::Point;

pub struct Picture {
    pub name: String,
    path: PathBuf,
    size: (usize, usize),
    rgb: Vec<u8>,
    reference: Reference,
    butteraugli: ButteraugliReference,
}

impl Picture {
    /// The pictures of a folder: `*.ppm`.
    pub fn all(folder: &str) -> Vec<Self> {
        let entries = std::fs::read_dir(folder).expect("a folder of pictures");
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "ppm"))
            .collect();
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let mut words =
            bytes.split(|&byte| byte == b'\n').take(3).map(|line| std::str::from_utf8(line).unwrap());
        assert_eq!(words.next(), Some("P6"));
        let size: Vec<usize> = words.next().unwrap().split(' ').map(|side| side.parse().unwrap()).collect();
        let size = (size[0], size[1]);
        let rgb = bytes[bytes.len() - 3 * size.0 * size.1..].to_vec();
        let reference = Reference::new(size.0 as u32, size.1 as u32, rgba(&rgb), false, true);
        let butteraugli =
            ButteraugliReference::new(&rgb, size.0, size.1, ButteraugliParams::default()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        Self { name, path: path.into(), size, rgb, reference, butteraugli }
    }

    /// The point of our file, and the seconds of encoding.
    pub fn ours(&self, options: &EncodeOptions, subsampled: bool) -> (Point, f64) {
        let planes = color::planes(&self.rgb, self.size, subsampled);
        let start = Instant::now();
        let encoded = encode(&planes, options).unwrap();
        let time = start.elapsed().as_secs_f64();
        let decoded = decode(&encoded.obus, &Limits::default(), &DecodeOptions::default()).unwrap();
        let scores = self.scores(&color::rgb(&decoded));
        // The boxes of AVIF.
        const BOXES: usize = 290;
        let bytes = (encoded.obus.len() + BOXES) as f64;
        (Point { bytes, scores }, time)
    }

    /// The points of a peer's files, `peers/NAME.PEER.QUALITY.avif`, by quality.
    pub fn peer(&self, peer: &str) -> Vec<(u32, Point)> {
        let start = format!("{}.{peer}.", self.name);
        let mut points = Vec::new();
        for entry in std::fs::read_dir(self.path.parent().unwrap().join("peers")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if let Some(quality) = name.strip_prefix(&start).and_then(|rest| rest.strip_suffix(".avif")) {
                points.push((quality.parse().unwrap(), self.of_file(&std::fs::read(&path).unwrap())));
            }
        }
        points.sort_by_key(|point| point.0);
        points
    }

    fn of_file(&self, file: &[u8]) -> Point {
        let picture = decode(media_data(file), &Limits::default(), &DecodeOptions::default()).unwrap();
        assert_eq!((picture.width(), picture.height()), self.size);
        Point { bytes: file.len() as f64, scores: self.scores(&color::rgb(&picture)) }
    }

    fn scores(&self, rgb: &[u8]) -> [f64; 2] {
        let distance = self.butteraugli.compare(rgb).unwrap().pnorm_3;
        [self.reference.score(&rgba(rgb)), -distance.max(1e-6).ln()]
    }
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

fn rgba(rgb: &[u8]) -> Vec<u8> {
    rgb.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
}
