//! A picture, what encodes it, and how well.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use butteraugli::{ButteraugliParams, ButteraugliReference};
use filepress_jpeg::{Color, Sampling, Settings, Tuning};
use filepress_ssimulacra2::Reference;
use mozjpeg_rs::{Preset, Subsampling};

use crate::curve::Point;

pub struct Picture {
    pub name: String,
    path: PathBuf,
    width: usize,
    height: usize,
    rgb: Vec<u8>,
    reference: Reference,
    butteraugli: ButteraugliReference,
    /// The points of peers.
    known: Mutex<HashMap<String, Point>>,
}

pub enum Encoder<'a> {
    Ours(&'a Tuning, f32, Sampling),
    /// `mozjpeg-rs` is the crate, others are files.
    Peer(String, f32),
}

impl Picture {
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
        let (width, height) = (size[0], size[1]);
        let rgb = bytes[bytes.len() - 3 * width * height..].to_vec();
        let reference = Reference::new(width as u32, height as u32, rgba(&rgb), false, true);
        let butteraugli =
            ButteraugliReference::new(&rgb, width, height, ButteraugliParams::default()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        Self { name, path: path.into(), width, height, rgb, reference, butteraugli, known: Mutex::default() }
    }

    pub fn encode(&self, encoder: &Encoder) -> Vec<u8> {
        match encoder {
            Encoder::Ours(tuning, quality, sampling) => {
                let size = (self.width as u16, self.height as u16);
                let settings = Settings { quality: *quality, ..Settings::default() };
                filepress_jpeg::encode_with(&self.rgb, size, Color::Rgb, *sampling, &settings, tuning)
                    .unwrap()
            }
            Encoder::Peer(name, quality) if name == "mozjpeg-rs" => {
                let sampling = if *quality >= 90.0 { Subsampling::S444 } else { Subsampling::S420 };
                let encoder = mozjpeg_rs::Encoder::new(Preset::ProgressiveBalanced).quality(*quality as u8);
                let encoder = encoder.subsampling(sampling).force_baseline(true);
                encoder.encode_rgb(&self.rgb, self.width as u32, self.height as u32).unwrap()
            }
            Encoder::Peer(name, quality) => {
                let file = format!("{}.{name}.{quality}.jpg", self.name);
                std::fs::read(self.path.parent().unwrap().join("peers").join(file))
                    .expect("a file of bench.mjs")
            }
        }
    }

    fn decode(&self, file: &[u8]) -> Vec<u8> {
        let image = libjpeg_turbo_rs::decompress_to(file, libjpeg_turbo_rs::PixelFormat::Rgb).unwrap();
        assert_eq!((image.width, image.height), (self.width, self.height));
        image.data
    }

    pub fn score(&self, encoder: &Encoder) -> f64 {
        self.reference.score(&rgba(&self.decode(&self.encode(encoder))))
    }

    pub fn point(&self, encoder: &Encoder) -> Point {
        let key = match encoder {
            Encoder::Peer(name, quality) => format!("{name} {quality}"),
            _ => String::new(),
        };
        if let Some(&point) = self.known.lock().unwrap().get(&key) {
            return point;
        }
        let file = self.encode(encoder);
        let decoded = self.decode(&file);
        let distance = self.butteraugli.compare(&decoded).unwrap().pnorm_3;
        let scores = [self.reference.score(&rgba(&decoded)), -distance.max(1e-6).ln()];
        let point = Point { bytes: file.len() as f64, scores };
        if !key.is_empty() {
            self.known.lock().unwrap().insert(key, point);
        }
        point
    }
}

fn rgba(rgb: &[u8]) -> Vec<u8> {
    rgb.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
}
