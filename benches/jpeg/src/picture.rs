//! A picture, what encodes it, and how well.

use std::collections::HashMap;
use std::sync::Mutex;

use filepress_bd_rate::{Original, Point};
use filepress_jpeg::{Color, Sampling, Settings, Tuning};
use mozjpeg_rs::{Preset, Subsampling};

pub struct Picture {
    pub original: Original,
    /// The points of peers.
    known: Mutex<HashMap<String, Point>>,
}

pub enum Encoder<'a> {
    Ours(&'a Tuning, f32, Sampling),
    /// `mozjpeg-rs` is the crate, others are files.
    Peer(String, f32),
}

impl Picture {
    pub fn new(original: Original) -> Self {
        Self { original, known: Mutex::default() }
    }

    pub fn encode(&self, encoder: &Encoder) -> Vec<u8> {
        let Original { size: (width, height), rgb, .. } = &self.original;
        match encoder {
            Encoder::Ours(tuning, quality, sampling) => {
                let size = (*width as u16, *height as u16);
                let settings = Settings { quality: *quality, ..Settings::default() };
                filepress_jpeg::encode_with(rgb, size, Color::Rgb, *sampling, &settings, tuning).unwrap()
            }
            Encoder::Peer(name, quality) if name == "mozjpeg-rs" => {
                let sampling = if *quality >= 90.0 { Subsampling::S444 } else { Subsampling::S420 };
                let encoder = mozjpeg_rs::Encoder::new(Preset::ProgressiveBalanced).quality(*quality as u8);
                let encoder = encoder.subsampling(sampling).force_baseline(true);
                encoder.encode_rgb(rgb, *width as u32, *height as u32).unwrap()
            }
            Encoder::Peer(name, quality) => {
                let file = format!("{}.{name}.{quality}.jpg", self.original.name);
                std::fs::read(self.original.peers().join(file)).expect("a file of bench.mjs")
            }
        }
    }

    fn decode(&self, file: &[u8]) -> Vec<u8> {
        let image = libjpeg_turbo_rs::decompress_to(file, libjpeg_turbo_rs::PixelFormat::Rgb).unwrap();
        assert_eq!((image.width, image.height), self.original.size);
        image.data
    }

    pub fn score(&self, encoder: &Encoder) -> f64 {
        self.original.ssimulacra2(&self.decode(&self.encode(encoder)))
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
        let scores = self.original.scores(&self.decode(&file));
        let point = Point { bytes: file.len() as f64, scores };
        if !key.is_empty() {
            self.known.lock().unwrap().insert(key, point);
        }
        point
    }
}
