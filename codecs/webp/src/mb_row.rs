//! One row of macroblocks as Y, U and V (RFC 6386, section 2): RGB converted to BT.601 limited range, chroma subsampled 4:2:0.
//! The last pixels of the picture are repeated up to whole macroblocks.

use crate::gamma::GammaTable;
use crate::picture::{Layout, Picture};
use crate::yuv_source::{Planes, YuvSource};

pub(crate) struct MbRow {
    /// In luma pixels.
    pub(crate) width: usize,
    pub(crate) y: Vec<u8>,
    pub(crate) uv: [Vec<u8>; 2],
    /// Two rows of source samples, padded to `width`.
    samples: [Vec<u8>; 2],
    /// Empty for a picture without alpha.
    pub(crate) alpha: Vec<u8>,
}

impl MbRow {
    pub(crate) fn new(source: &YuvSource<'_>) -> Self {
        let width = 16 * source.mb_size().0;
        let (channels, has_alpha) = match source {
            YuvSource::Picture(picture) => (picture.layout.channels(), picture.layout != Layout::Rgb),
            YuvSource::Planes { .. } => (0, false),
        };
        let row = vec![0; width * channels];
        Self {
            width,
            y: vec![0; width * 16],
            uv: [0, 1].map(|_| vec![0; width * 4]),
            samples: [row.clone(), row],
            alpha: vec![u8::MAX; if has_alpha { width * 16 } else { 0 }],
        }
    }

    /// Loads the row of macroblocks `mb_y`.
    pub(crate) fn load(&mut self, source: &YuvSource<'_>, mb_y: usize) {
        match source {
            YuvSource::Picture(picture) => self.convert_row(picture, mb_y),
            YuvSource::Planes { planes, .. } => planes.copy_row(mb_y, &mut self.y, &mut self.uv),
        }
    }

    // Not inlined: it is large and has several callers.
    #[inline(never)]
    fn convert_row(&mut self, picture: &Picture<'_>, mb_y: usize) {
        for pair in 0..8 {
            for line in 0..2 {
                self.copy_samples(picture, 16 * mb_y + 2 * pair + line, line);
            }
            match picture.layout {
                Layout::Rgb => self.convert_pair::<3>(pair),
                #[cfg(feature = "alpha")]
                Layout::Rgba => self.convert_pair::<4>(pair),
            }
        }
        #[cfg(feature = "alpha")]
        if picture.layout == Layout::Rgba {
            crate::transparent_area::flatten(self.width, &mut self.y, &mut self.uv, &self.alpha);
        }
    }

    fn copy_samples(&mut self, picture: &Picture<'_>, y: usize, line: usize) {
        let (row, channels) = (picture.row(y), picture.layout.channels());
        let (inside, padding) = self.samples[line].split_at_mut(row.len());
        inside.copy_from_slice(row);
        for pixel in padding.chunks_exact_mut(channels) {
            pixel.copy_from_slice(&row[row.len() - channels..]);
        }
    }

    /// Converts two rows of pixels: two rows of luma and one of chroma.
    fn convert_pair<const CHANNELS: usize>(&mut self, pair: usize) {
        for (line, row) in self.samples.iter().enumerate() {
            let start = (2 * pair + line) * self.width;
            let luma = &mut self.y[start..start + self.width];
            for (luma, pixel) in luma.iter_mut().zip(row.chunks_exact(CHANNELS)) {
                let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(i32::from);
                *luma = ((16839 * r + 33059 * g + 6420 * b + (16 << 16) + (1 << 15)) >> 16) as u8;
            }
            if CHANNELS == 4 {
                let alpha = &mut self.alpha[start..start + self.width];
                for (alpha, pixel) in alpha.iter_mut().zip(row.chunks_exact(CHANNELS)) {
                    *alpha = pixel[3];
                }
            }
        }
        let gamma = GammaTable::get();
        let [u, v] = &mut self.uv;
        let columns = pair * self.width / 2..(pair + 1) * self.width / 2;
        let chroma = u[columns.clone()].iter_mut().zip(&mut v[columns]);
        let pixels =
            self.samples[0].chunks_exact(2 * CHANNELS).zip(self.samples[1].chunks_exact(2 * CHANNELS));
        for ((u, v), (upper, lower)) in chroma.zip(pixels) {
            let four = [&upper[..CHANNELS], &upper[CHANNELS..], &lower[..CHANNELS], &lower[CHANNELS..]];
            let [r, g, b] = if CHANNELS == 4 && !four.iter().all(|pixel| pixel[3] == four[0][3]) {
                mean_by_alpha(gamma, four)
            } else {
                std::array::from_fn(|channel| {
                    gamma.to_samples(four.iter().map(|pixel| gamma.to_linear(pixel[channel])).sum())
                })
            };
            // The samples are in quarters: 16 bits of the factors and 2 more.
            let round = |value: i32| ((value + (128 << 18) + (1 << 17)) >> 18).clamp(0, 255) as u8;
            *u = round(-9719 * r - 19081 * g + 28800 * b);
            *v = round(28800 * r - 24116 * g - 4684 * b);
        }
    }
}

/// Converts a whole picture.
pub(crate) fn planes_of(picture: &Picture<'_>) -> Planes {
    let source = YuvSource::Picture(picture);
    let mut mb_row = MbRow::new(&source);
    let mut planes = Planes::with_capacity(source.mb_size());
    for mb_y in 0..source.mb_size().1 {
        mb_row.load(&source, mb_y);
        planes.push_row(&mb_row.y, &mb_row.uv);
    }
    planes
}

/// The mean of four pixels, weighted by their alpha, in quarters of a sample.
fn mean_by_alpha(gamma: &GammaTable, four: [&[u8]; 4]) -> [i32; 3] {
    let total: u32 = four.iter().map(|pixel| u32::from(pixel[3])).sum();
    std::array::from_fn(|channel| {
        let weighted = four.iter().map(|pixel| u32::from(pixel[3]) * gamma.to_linear(pixel[channel]));
        gamma.to_samples((4 * weighted.sum::<u32>()).checked_div(total).unwrap_or(0))
    })
}
