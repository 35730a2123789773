//! Sixteen rows of a picture as luma and chroma, as long as whole macroblocks are: beyond its edges a picture goes on
//! as it ends.

use crate::light::Light;
use crate::picture::{Layout, Picture};
use crate::rows::Rows;

pub(crate) struct Band {
    /// In pixels of luma.
    pub(crate) width: usize,
    pub(crate) luma: Vec<u8>,
    pub(crate) chroma: [Vec<u8>; 2],
    /// Two rows of samples, with the last pixel again.
    rows: [Vec<u8>; 2],
    /// Where the picture has alpha.
    pub(crate) alpha: Vec<u8>,
}

impl Band {
    pub(crate) fn new(rows: &Rows<'_>) -> Self {
        let width = 16 * rows.macroblocks().0;
        let (samples, alpha) = match rows {
            Rows::Picture(picture) => (picture.layout.samples(), picture.layout != Layout::Rgb),
            Rows::Planes { .. } => (0, false),
        };
        let row = vec![0; width * samples];
        Self {
            width,
            luma: vec![0; width * 16],
            chroma: [0, 1].map(|_| vec![0; width * 4]),
            rows: [row.clone(), row],
            alpha: vec![u8::MAX; if alpha { width * 16 } else { 0 }],
        }
    }

    /// Takes the rows of a row of macroblocks.
    pub(crate) fn load(&mut self, rows: &Rows<'_>, row: usize) {
        match rows {
            Rows::Picture(picture) => self.take(picture, row),
            Rows::Planes { planes, .. } => planes.copy_row(row, &mut self.luma, &mut self.chroma),
        }
    }

    // Called from several places, and large.
    #[inline(never)]
    fn take(&mut self, picture: &Picture<'_>, row: usize) {
        for pair in 0..8 {
            for line in 0..2 {
                self.take_row(picture, 16 * row + 2 * pair + line, line);
            }
            match picture.layout {
                Layout::Rgb => self.convert::<3>(pair),
                #[cfg(feature = "alpha")]
                Layout::Rgba => self.convert::<4>(pair),
            }
        }
        #[cfg(feature = "alpha")]
        if picture.layout == Layout::Rgba {
            crate::clear::settle(self);
        }
    }

    fn take_row(&mut self, picture: &Picture<'_>, y: usize, line: usize) {
        let (row, samples) = (picture.row(y), picture.layout.samples());
        let (inside, beyond) = self.rows[line].split_at_mut(row.len());
        inside.copy_from_slice(row);
        for pixel in beyond.chunks_exact_mut(samples) {
            pixel.copy_from_slice(&row[row.len() - samples..]);
        }
    }

    fn convert<const SAMPLES: usize>(&mut self, pair: usize) {
        for (line, row) in self.rows.iter().enumerate() {
            let start = (2 * pair + line) * self.width;
            let luma = &mut self.luma[start..start + self.width];
            for (luma, pixel) in luma.iter_mut().zip(row.chunks_exact(SAMPLES)) {
                let [red, green, blue] = [pixel[0], pixel[1], pixel[2]].map(i32::from);
                *luma = ((16839 * red + 33059 * green + 6420 * blue + (16 << 16) + (1 << 15)) >> 16) as u8;
            }
            if SAMPLES == 4 {
                let alpha = &mut self.alpha[start..start + self.width];
                for (alpha, pixel) in alpha.iter_mut().zip(row.chunks_exact(SAMPLES)) {
                    *alpha = pixel[3];
                }
            }
        }
        let light = Light::get();
        let [blue, red] = &mut self.chroma;
        let columns = pair * self.width / 2..(pair + 1) * self.width / 2;
        let chroma = blue[columns.clone()].iter_mut().zip(&mut red[columns]);
        let pixels = self.rows[0].chunks_exact(2 * SAMPLES).zip(self.rows[1].chunks_exact(2 * SAMPLES));
        for ((blue, red), (upper, lower)) in chroma.zip(pixels) {
            let four = [&upper[..SAMPLES], &upper[SAMPLES..], &lower[..SAMPLES], &lower[SAMPLES..]];
            let [r, g, b] = if SAMPLES == 4 && !four.iter().all(|pixel| pixel[3] == four[0][3]) {
                weighted(light, four)
            } else {
                std::array::from_fn(|sample| {
                    light.four_samples(four.iter().map(|pixel| light.of(pixel[sample])).sum())
                })
            };
            // In quarters of samples.
            let close = |value: i32| ((value + (128 << 18) + (1 << 17)) >> 18).clamp(0, 255) as u8;
            *blue = close(-9719 * r - 19081 * g + 28800 * b);
            *red = close(28800 * r - 24116 * g - 4684 * b);
        }
    }
}

/// The mean of four pixels, each by its alpha.
fn weighted(light: &Light, four: [&[u8]; 4]) -> [i32; 3] {
    let total: u32 = four.iter().map(|pixel| u32::from(pixel[3])).sum();
    std::array::from_fn(|sample| {
        let sum: u32 = four.iter().map(|pixel| u32::from(pixel[3]) * light.of(pixel[sample])).sum();
        light.four_samples((4 * sum).checked_div(total).unwrap_or(0))
    })
}
