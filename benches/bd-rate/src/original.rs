//! A picture, and its judges.

use std::path::{Path, PathBuf};

use butteraugli::{ButteraugliParams, ButteraugliReference};
use filepress_ssimulacra2::Reference;

/// A picture in a PPM file.
pub struct Original {
    /// The name of its file without extension.
    pub name: String,
    /// Width and height.
    pub size: (usize, usize),
    /// Red, green and blue of all pixels, 8 bits each.
    pub rgb: Vec<u8>,
    path: PathBuf,
    reference: Reference,
    butteraugli: ButteraugliReference,
}

impl Original {
    /// The pictures of a folder: `*.ppm`, as `bench.mjs` writes them.
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
        Self { name, size, rgb, path: path.into(), reference, butteraugli }
    }

    /// The folder with the files of other encoders.
    pub fn peers(&self) -> PathBuf {
        self.path.with_file_name("peers")
    }

    /// The SSIMULACRA2 score of a picture of the same size.
    pub fn ssimulacra2(&self, rgb: &[u8]) -> f64 {
        self.reference.score(&rgba(rgb))
    }

    /// SSIMULACRA2, and the negative logarithm of butteraugli's 3-norm: the larger the better.
    pub fn scores(&self, rgb: &[u8]) -> [f64; 2] {
        let distance = self.butteraugli.compare(rgb).unwrap().pnorm_3;
        [self.ssimulacra2(rgb), -distance.max(1e-6).ln()]
    }
}

fn rgba(rgb: &[u8]) -> Vec<u8> {
    rgb.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
}
