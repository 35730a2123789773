//! An opaque image as indices of at most 256 colors.

use crate::formats::bmp::encode::{Pixels, row_size};

/// Indices in the order of a BMP: bottom row first.
pub(crate) struct Indexed {
    /// 2 to 256 colors, sorted.
    pub(crate) palette: Vec<[u8; 3]>,
    pub(crate) indices: Vec<u8>,
    pub(crate) width: usize,
}

impl Indexed {
    /// `None` if there are more colors, which is found before anything of the image's size is allocated.
    pub(crate) fn of(pixels: &Pixels) -> Option<Self> {
        let mut palette = Vec::new();
        let mut last = None;
        for color in pixels.colors().filter(|&color| last.replace(color) != Some(color)) {
            if let Err(place) = palette.binary_search(&color) {
                if palette.len() == 256 {
                    return None;
                }
                palette.insert(place, color);
            }
        }
        let mut last = ([0; 3], None);
        let mut index = |color| {
            let known = last.1.filter(|_| last.0 == color);
            let index = known.unwrap_or_else(|| palette.binary_search(&color).unwrap_or_default() as u8);
            last = (color, Some(index));
            index
        };
        let indices = pixels.colors().map(&mut index).collect();
        // One bit distinguishes two colors, and readers expect two entries.
        palette.resize(palette.len().max(2), [0; 3]);
        Some(Self { palette, indices, width: pixels.width })
    }

    /// 1, 4 or 8 bits per pixel.
    pub(crate) fn bits(&self) -> u16 {
        match self.palette.len() {
            ..=2 => 1,
            3..=16 => 4,
            _ => 8,
        }
    }

    /// The packed indices, the first in the highest bits. Rows are padded to multiples of 4 bytes.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let bits = usize::from(self.bits());
        let row_size = row_size(self.width, bits as u64);
        let mut data = Vec::with_capacity(row_size * (self.indices.len() / self.width));
        for row in self.indices.chunks_exact(self.width) {
            let end = data.len() + row_size;
            data.extend(row.chunks(8 / bits).map(|group| {
                let places = (0..8 / bits).rev().map(|place| place * bits);
                group.iter().zip(places).fold(0, |byte, (index, place)| byte | index << place)
            }));
            data.resize(end, 0);
        }
        data
    }
}
