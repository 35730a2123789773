//! One row of macroblocks as Y, U and V (RFC 6386, section 2): RGB converted to BT.601 limited range, chroma subsampled 4:2:0.
//! The last pixels of the picture are repeated up to whole macroblocks.

use filepress_ycbcr::{Samples, Subsampler, convert_rgb};

#[cfg(feature = "alpha")]
use crate::picture::Layout;
use crate::picture::Picture;
use crate::yuv_source::{Planes, YuvSource};

/// How much of the difference in light that subsampled chroma makes is made up for by luma: photos need the fewest bytes with it
/// (`make bench-webp`).
const LUMA_ADJUSTMENT: f32 = 1.2;

pub(crate) struct MbRow {
    /// In luma pixels.
    pub(crate) width: usize,
    pub(crate) y: Vec<u8>,
    pub(crate) uv: [Vec<u8>; 2],
    /// Empty for a picture without alpha.
    #[cfg(feature = "alpha")]
    pub(crate) alpha: Vec<u8>,
    /// Of a picture that is converted, and its rows that it has.
    subsampler: Option<Subsampler>,
    taken: usize,
    /// The colors of a row of pixels that have alpha.
    #[cfg(feature = "alpha")]
    colors: Vec<u8>,
}

impl MbRow {
    pub(crate) fn new(source: &YuvSource<'_>) -> Self {
        let width = 16 * source.mb_size().0;
        let subsampler = match source {
            YuvSource::Picture(picture) => Some(Subsampler::new(picture.width, 2, LUMA_ADJUSTMENT)),
            YuvSource::Planes { .. } => None,
        };
        #[cfg(feature = "alpha")]
        let has_alpha = matches!(source, YuvSource::Picture(picture) if picture.layout == Layout::Rgba);
        Self {
            width,
            y: vec![0; width * 16],
            uv: [0, 1].map(|_| vec![0; width * 4]),
            #[cfg(feature = "alpha")]
            alpha: vec![u8::MAX; if has_alpha { width * 16 } else { 0 }],
            subsampler,
            taken: 0,
            #[cfg(feature = "alpha")]
            colors: vec![],
        }
    }

    /// Loads the row of macroblocks `mb_y`: the first one, or the one below that of the last call.
    pub(crate) fn load(&mut self, source: &YuvSource<'_>, mb_y: usize) {
        match source {
            YuvSource::Picture(picture) => self.convert_row(picture, mb_y),
            YuvSource::Planes { planes, .. } => planes.copy_row(mb_y, &mut self.y, &mut self.uv),
        }
    }

    // Not inlined: it is large and has several callers.
    #[inline(never)]
    fn convert_row(&mut self, picture: &Picture<'_>, mb_y: usize) {
        let Some(mut subsampler) = self.subsampler.take() else { return };
        if mb_y == 0 {
            self.taken = 0;
            subsampler.restart();
        }
        let mut pair = 0;
        while pair < 8 {
            let samples = match self.taken < picture.height {
                true => {
                    let pixels = self.row_of_colors(picture, self.taken);
                    subsampler.push(|rows| convert_rgb(pixels, rows))
                }
                false => subsampler.repeat(),
            };
            self.taken += 1;
            if let Some(samples) = samples {
                self.quantize(&samples, pair);
                pair += 1;
            }
        }
        self.subsampler = Some(subsampler);
        #[cfg(feature = "alpha")]
        self.finish_alpha(picture, mb_y);
    }

    /// The red, green and blue of a row of pixels.
    #[cfg(not(feature = "alpha"))]
    fn row_of_colors<'a>(&'a mut self, picture: &Picture<'a>, y: usize) -> &'a [u8] {
        picture.row(y)
    }

    /// The red, green and blue of a row of pixels. Transparent ones do not have theirs, where others share their chroma.
    #[cfg(feature = "alpha")]
    fn row_of_colors<'a>(&'a mut self, picture: &Picture<'a>, y: usize) -> &'a [u8] {
        let row = picture.row(y);
        if self.alpha.is_empty() {
            return row;
        }
        self.colors.resize(3 * picture.width, 0);
        crate::transparent_area::visible_colors([row, picture.row(y ^ 1)], &mut self.colors);
        &self.colors
    }

    #[cfg(feature = "alpha")]
    fn finish_alpha(&mut self, picture: &Picture<'_>, mb_y: usize) {
        if self.alpha.is_empty() {
            return;
        }
        for (line, to) in self.alpha.chunks_exact_mut(self.width).enumerate() {
            let pixels = picture.row(16 * mb_y + line).as_chunks::<4>().0;
            let (inside, padding) = to.split_at_mut(pixels.len());
            inside.iter_mut().zip(pixels).for_each(|(alpha, pixel)| *alpha = pixel[3]);
            padding.fill(inside[inside.len() - 1]);
        }
        crate::transparent_area::flatten(self.width, &mut self.y, &mut self.uv, &self.alpha);
    }

    /// Two rows of luma and one of chroma.
    fn quantize(&mut self, samples: &Samples<'_>, pair: usize) {
        let rows = self.y[2 * pair * self.width..].chunks_exact_mut(self.width);
        for (to, from) in rows.zip(samples.luma.chunks_exact(samples.stride)) {
            quantize(to, from, 219.0 / 255.0, 16.0 + 128.0 * 219.0 / 255.0);
        }
        let width = self.width / 2;
        for (plane, from) in self.uv.iter_mut().zip(samples.chroma) {
            quantize(&mut plane[pair * width..][..width], from, 224.0 / 255.0, 128.0);
        }
    }
}

/// Rounds samples after a change of their scale. Those beyond the picture have the value of the last one.
fn quantize(to: &mut [u8], from: &[f32], scale: f32, zero: f32) {
    let zero = zero + 0.5;
    let (inside, padding) = to.split_at_mut(from.len().min(to.len()));
    inside.iter_mut().zip(from).for_each(|(to, from)| *to = (from * scale + zero) as i32 as u8);
    padding.fill(inside[inside.len() - 1]);
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
