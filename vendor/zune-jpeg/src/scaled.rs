//! Decoding at a half, a quarter or an eighth of the size: of each block only the coefficients that the smaller picture
//! shows are transformed. Chroma that is stored in fewer samples is reduced by less, so that it need not be upsampled.
//!
//! All of it is integer arithmetic.

use alloc::vec;

use zune_core::bytestream::ZByteReaderTrait;
use zune_core::colorspace::ColorSpace;

use crate::components::Components;
use crate::decoder::MAX_COMPONENTS;
use crate::errors::DecodeErrors;
use crate::worker::color_convert;
use crate::JpegDecoder;

/// Bits after the point of the constants below.
const BITS: i32 = 13;

/// cos(i π / 16) / 2 for i = 0, 1, ... 8.
const HALF_COS: [i32; 9] = [4096, 4017, 3784, 3406, 2896, 2276, 1567, 799, 0];

/// Row n, column k: what coefficient k adds to sample n of `N`.
const fn basis<const N: usize>() -> [[i32; N]; N] {
    let mut table = [[0; N]; N];
    let mut n = 0;
    while n < N {
        // cos(π/4) / 2
        table[n][0] = HALF_COS[4];
        let mut k = 1;
        while k < N {
            let turn = (2 * n + 1) * k * (8 / N) % 32;
            let half = if turn > 16 { 32 - turn } else { turn };
            table[n][k] = if half > 8 { -HALF_COS[16 - half] } else { HALF_COS[half] };
            k += 1;
        }
        n += 1;
    }
    table
}

/// The inverse DCT of the lowest `W` × `H` coefficients of a dequantized block, into as many samples of 0 to 255.
#[inline(always)]
fn reduce<const W: usize, const H: usize>(
    block: &[i32; 64], out: &mut [i16], stride: usize
) {
    let (across, down) = (const { basis::<W>() }, const { basis::<H>() });
    let mut rows = [[0_i32; W]; H];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, to) in row.iter_mut().enumerate() {
            let mut sum = 1 << (BITS - 4);
            for k in 0..H {
                sum = i32::wrapping_add(sum, block[k * 8 + x].wrapping_mul(down[y][k]));
            }
            // Three bits more than a sample stay.
            *to = sum >> (BITS - 3);
        }
    }
    for (row, out) in rows.iter().zip(out.chunks_mut(stride)) {
        let Some(out) = out.get_mut(..W) else { return };
        for (x, to) in out.iter_mut().enumerate() {
            let mut sum = (128 << (BITS + 3)) + (1 << (BITS + 2));
            for k in 0..W {
                sum = i32::wrapping_add(sum, row[k].wrapping_mul(across[x][k]));
            }
            *to = (sum >> (BITS + 3)).clamp(0, 255) as i16;
        }
    }
}

/// Transforms a dequantized block into `size` (width, height) samples: 1, 2, 4 or 8 each, not both 8.
pub(crate) fn idct(block: &[i32; 64], size: (usize, usize), out: &mut [i16], stride: usize) {
    match size {
        (4, 4) => reduce::<4, 4>(block, out, stride),
        (2, 2) => reduce::<2, 2>(block, out, stride),
        (1, 1) => reduce::<1, 1>(block, out, stride),
        (8, 4) => reduce::<8, 4>(block, out, stride),
        (4, 8) => reduce::<4, 8>(block, out, stride),
        (4, 2) => reduce::<4, 2>(block, out, stride),
        (2, 4) => reduce::<2, 4>(block, out, stride),
        (2, 1) => reduce::<2, 1>(block, out, stride),
        (1, 2) => reduce::<1, 2>(block, out, stride),
        // Set up by `block_size`, which knows no other.
        _ => {}
    }
}

/// What a block of a component becomes; `None` where the scale asks for more samples than are stored, or for a part of one.
fn block_size(
    component: &Components, (h_max, v_max): (usize, usize), scale: usize
) -> Option<(usize, usize)> {
    let (h, v) = (component.horizontal_sample, component.vertical_sample);
    if h_max % h != 0 || v_max % v != 0 {
        return None;
    }
    let side = |ratio: usize| Some(8 * ratio / scale).filter(|side| matches!(side, 1 | 2 | 4 | 8));
    let (width, height) = (side(h_max / h)?, side(v_max / v)?);
    // Neither more than twice the other.
    (width <= height * 2 && height <= width * 2).then_some((width, height))
}

impl<T: ZByteReaderTrait> JpegDecoder<T> {
    /// Whether the picture can be decoded at 1/`scale`: 2, 4 or 8. Known once the headers are decoded.
    ///
    /// Not so where it has other colours than grey and YCbCr, unusual sampling factors, or a scan for each component
    /// without being progressive.
    pub fn can_scale(&self, scale: usize) -> bool {
        let h_max = self.components.iter().map(|c| c.horizontal_sample).max().unwrap_or(1);
        let v_max = self.components.iter().map(|c| c.vertical_sample).max().unwrap_or(1);
        let colours = match self.input_colorspace {
            ColorSpace::Luma => self.components.len() == 1,
            ColorSpace::YCbCr => self.components.len() == 3,
            _ => false
        };
        // Alone, a component is never sampled.
        let alone = self.components.len() == 1;
        matches!(scale, 2 | 4 | 8)
            && self.headers_decoded
            && colours
            && (self.is_progressive || usize::from(self.num_scans) == self.components.len())
            && self.components.iter().all(|component| {
                alone || block_size(component, (h_max, v_max), scale).is_some()
            })
    }

    /// Decodes from now on at 1/`scale`: `decode_into` then fills `scaled_size` pixels.
    ///
    /// # Errors
    /// Where [`can_scale`](Self::can_scale) says no.
    pub fn set_scale(&mut self, scale: usize) -> Result<(), DecodeErrors> {
        if !self.can_scale(scale) {
            return Err(DecodeErrors::FormatStatic("The image can not be decoded at this scale"));
        }
        self.scale = scale;
        Ok(())
    }

    /// Width and height of what is decoded: those of the image, divided by the scale and rounded up.
    pub fn scaled_size(&self) -> (usize, usize) {
        (
            usize::from(self.info.width).div_ceil(self.scale),
            usize::from(self.info.height).div_ceil(self.scale)
        )
    }

    /// Tells the components how large their blocks become, and what a row of MCUs is in samples.
    pub(crate) fn set_up_blocks(&mut self) -> Result<(), DecodeErrors> {
        for component in &mut self.components {
            component.block = match self.scale {
                1 => (8, 8),
                scale => block_size(component, (self.h_max, self.v_max), scale)
                    .ok_or(DecodeErrors::FormatStatic("The image can not be decoded at this scale"))?
            };
            component.out_stride = component.width_stride / 8 * component.block.0;
        }
        Ok(())
    }

    /// Writes the rows of pixels that a row of MCUs has become.
    pub(crate) fn post_process_scaled(
        &mut self, pixels: &mut [u8], pixels_written: &mut usize
    ) -> Result<(), DecodeErrors> {
        let (width, _) = self.scaled_size();
        let out_colorspace = self.options.jpeg_get_out_colorspace();
        let row_len = width * out_colorspace.num_components();
        let rows = pixels.get_mut(*pixels_written..).unwrap_or_default().chunks_exact_mut(row_len);
        let stride = self.components[0].out_stride;
        for (row, output) in rows.take(8 * self.v_max / self.scale).enumerate() {
            let mut samples: [&[i16]; MAX_COMPONENTS] = [&[]; MAX_COMPONENTS];
            for (samples, component) in samples.iter_mut().zip(&self.components) {
                *samples = component
                    .raw_coeff
                    .get(row * stride..(row + 1) * stride)
                    .ok_or(DecodeErrors::FormatStatic("Missing samples"))?;
            }
            color_convert(
                &samples,
                self.color_convert_16,
                self.input_colorspace,
                out_colorspace,
                output,
                width,
                stride
            )?;
            *pixels_written += row_len;
        }
        Ok(())
    }
}
