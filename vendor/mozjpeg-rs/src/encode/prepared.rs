//! An image that is coded at several qualities: what does not depend on them is done once.

use super::optimized::{shifted, transform};
use super::rows::{McuRows, RgbRows};
use super::{Encoder, try_alloc_vec, try_alloc_vec_array};
use crate::consts::{DCTSIZE, DCTSIZE2};
use crate::error::{Error, Result};
use crate::types::Subsampling;

/// The blocks of an image, transformed but not quantised: 3 bytes a pixel at 4:2:0, 6 at 4:4:4.
pub struct Prepared {
    width: usize,
    height: usize,
    subsampling: Subsampling,
    components: Vec<Blocks>,
}

/// The blocks of a component in whole MCUs, row by row.
pub(super) struct Blocks {
    pub(super) stride: usize,
    values: Vec<[i16; DCTSIZE2]>,
    /// Which are samples still: those with the brightest, which deringing changes by the step of the DC coefficient.
    bright: Vec<bool>,
}

/// Rows that are cut into blocks already.
struct PreparedRows<'a>(&'a Prepared);

impl McuRows for PreparedRows<'_> {
    fn row(&mut self, _: usize) -> [&[u8]; 3] {
        [&[]; 3]
    }

    fn blocks(&self) -> Option<&[Blocks]> {
        Some(&self.0.components)
    }
}

impl Blocks {
    /// Puts the coefficients of a block there, in natural order.
    pub(super) fn transformed(
        &self,
        encoder: &Encoder,
        dc_step: u16,
        index: usize,
        raw: &mut [i16; DCTSIZE2],
    ) {
        match self.bright[index] {
            true => transform(encoder, dc_step, self.values[index], raw),
            false => *raw = self.values[index],
        }
    }

    /// Cuts a row of blocks out of samples that begin there.
    fn push_row(&mut self, encoder: &Encoder, samples: &[u8]) {
        for index in 0..self.stride {
            let samples = shifted(samples, DCTSIZE * self.stride, index);
            let bright = samples.contains(&127);
            let mut values = samples;
            if !bright {
                encoder.simd.do_forward_dct(&samples, &mut values);
            }
            self.values.push(values);
            self.bright.push(bright);
        }
    }
}

impl Encoder {
    /// Converts and transforms RGB pixels, with the subsampling of this encoder. Smoothing is not applied.
    ///
    /// # Errors
    /// As [`encode_rgb`](Self::encode_rgb).
    pub fn prepare_rgb(&self, rgb_data: &[u8], width: u32, height: u32) -> Result<Prepared> {
        self.check_limits(width, height, false)?;
        let (width, height) = (width as usize, height as usize);
        let expected = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(3));
        if expected != Some(rgb_data.len()) || rgb_data.is_empty() {
            return Err(Error::BufferSizeMismatch {
                expected: expected.unwrap_or(usize::MAX),
                actual: rgb_data.len(),
            });
        }
        let mut rows = RgbRows::new(self, rgb_data, width, height)?;
        let (mcu_width, mcu_height, chroma_width) = rows.mcu_size();
        let down = usize::from(self.subsampling.luma_factors().1);
        let lines = [down, 1, 1];
        let mcu_rows = mcu_height / (DCTSIZE * down);
        let mut components = Vec::new();
        for (width, lines) in [mcu_width, chroma_width, chroma_width].into_iter().zip(lines) {
            let stride = width / DCTSIZE;
            let count = stride.checked_mul(mcu_rows * lines).ok_or(Error::AllocationFailed)?;
            let (mut values, mut bright) = (try_alloc_vec_array(count)?, try_alloc_vec(false, count)?);
            values.clear();
            bright.clear();
            components.push(Blocks { stride, values, bright });
        }
        for mcu_row in 0..mcu_rows {
            let planes = rows.row(mcu_row);
            for ((blocks, samples), lines) in components.iter_mut().zip(planes).zip(lines) {
                for line in 0..lines {
                    blocks.push_row(self, &samples[line * DCTSIZE2 * blocks.stride..]);
                }
            }
        }
        Ok(Prepared { width, height, subsampling: self.subsampling, components })
    }

    /// What [`encode_rgb`](Self::encode_rgb) makes of the pixels that were prepared.
    ///
    /// # Errors
    /// As [`encode_rgb`](Self::encode_rgb); [`Error::UnsupportedFeature`] where the subsampling is another one, and where Huffman
    /// tables are not made for the image.
    pub fn encode_prepared(&self, image: &Prepared) -> Result<Vec<u8>> {
        if self.subsampling != image.subsampling || !(self.progressive || self.optimize_huffman) {
            return Err(Error::UnsupportedFeature("an image that was prepared otherwise"));
        }
        let (width, height) = (image.width, image.height);
        let factors = self.subsampling.luma_factors();
        let factors = (usize::from(factors.0), usize::from(factors.1));
        let (mcu_width, mcu_height) =
            crate::sample::mcu_aligned_dimensions(width, height, factors.0, factors.1);
        let (chroma_width, chroma_height) =
            crate::sample::subsampled_dimensions(width, height, factors.0, factors.1);
        let mut output = Vec::new();
        self.encode_ycbcr_mcu_to_writer(
            &mut PreparedRows(image),
            width,
            height,
            mcu_width,
            mcu_height,
            chroma_width,
            chroma_height,
            mcu_width / factors.0,
            &mut output,
        )?;
        Ok(output)
    }
}
