//! BMP in the smallest form that can store the pixels: a palette of 2, 16 or 256 colors, run-length encoding, 24 bits,
//! or 32 bits with alpha (Microsoft, "Bitmap Storage": BITMAPINFOHEADER and BITMAPV4HEADER), bottom row first.
//!
//! Limits: 8 bits per channel, and less than 4 GiB.

mod indexed;
mod run_length;

use std::borrow::Cow;

use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;
use indexed::Indexed;

const FILE_HEADER: usize = 14;
const INFO_HEADER: usize = 40;
const V4_HEADER: usize = 108;

const BI_RGB: u32 = 0;
const BI_RLE8: u32 = 1;
const BI_BITFIELDS: u32 = 3;

/// 72 dots per inch, in dots per meter.
const DENSITY: u32 = 2835;

/// Writes the image.
///
/// # Errors
/// [`ErrorCode::OutputTooLarge`] where the file could have 4 GiB or more; [`ErrorCode::EncodeFailed`] without pixels.
pub(crate) fn encode(image: &DynamicImage) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    if width == 0 || height == 0 {
        return Err(Error::new(ErrorCode::EncodeFailed, "A BMP file needs at least one pixel."));
    }
    let largest = u64::from(width) * u64::from(height) * 4 + (FILE_HEADER + V4_HEADER) as u64;
    if largest > u64::from(u32::MAX) || width.max(height) > i32::MAX as u32 {
        let message = format!("A BMP file has less than 4 GiB; {width} × {height} pixels can need more.");
        return Err(Error::limit(ErrorCode::OutputTooLarge, message, largest, u32::MAX.into()));
    }
    let pixels = Pixels::of(image);
    if !pixels.is_opaque() {
        return Ok(Coding::alpha(&pixels).write(width, height));
    }
    let full_color_size = FILE_HEADER + INFO_HEADER + row_size(width as usize, 24) * height as usize;
    let smallest = Indexed::of(&pixels)
        .map(|indexed| [Coding::packed(&indexed), Coding::runs(&indexed)])
        .into_iter()
        .flatten()
        .min_by_key(Coding::size)
        .filter(|coding| coding.size() < full_color_size);
    Ok(smallest.unwrap_or_else(|| Coding::full_color(&pixels)).write(width, height))
}

/// 8-bit samples: red, green, blue, and alpha if there are four channels.
struct Pixels<'a> {
    samples: Cow<'a, [u8]>,
    channels: usize,
    width: usize,
}

impl<'a> Pixels<'a> {
    fn of(image: &'a DynamicImage) -> Self {
        let width = image.width() as usize;
        let (samples, channels) = match image {
            DynamicImage::ImageRgb8(rgb) => (Cow::Borrowed(rgb.as_raw().as_slice()), 3),
            DynamicImage::ImageRgba8(rgba) => (Cow::Borrowed(rgba.as_raw().as_slice()), 4),
            other if other.color().has_alpha() => (Cow::Owned(pixels::rgba8(other.clone()).into_raw()), 4),
            other => (Cow::Owned(pixels::rgb8(other.clone()).into_raw()), 3),
        };
        Self { samples, channels, width }
    }

    /// From bottom to top.
    fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.samples.chunks_exact(self.width * self.channels).rev()
    }

    /// From bottom to top, without alpha.
    fn colors(&self) -> impl Iterator<Item = [u8; 3]> {
        let channels = self.channels;
        self.rows()
            .flat_map(move |row| row.chunks_exact(channels))
            .map(|pixel| [pixel[0], pixel[1], pixel[2]])
    }

    fn is_opaque(&self) -> bool {
        self.channels == 3 || self.samples.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX)
    }
}

/// The bytes of a row, a multiple of 4. The caller has checked that a file of such rows has less than 4 GiB.
fn row_size(width: usize, bits: u64) -> usize {
    ((width as u64 * bits).div_ceil(32) * 4) as usize
}

/// An encoding of the pixels: the parameters and the encoded bytes.
struct Coding {
    bits: u16,
    compression: u32,
    palette: Vec<[u8; 3]>,
    data: Vec<u8>,
}

impl Coding {
    fn packed(indexed: &Indexed) -> Self {
        let bits = indexed.bits();
        Self { bits, compression: BI_RGB, palette: indexed.palette.clone(), data: indexed.pack() }
    }

    fn runs(indexed: &Indexed) -> Self {
        let data = run_length::encode(&indexed.indices, indexed.width);
        Self { bits: 8, compression: BI_RLE8, palette: indexed.palette.clone(), data }
    }

    fn full_color(pixels: &Pixels) -> Self {
        let row_size = row_size(pixels.width, 24);
        let mut data =
            Vec::with_capacity(row_size * (pixels.samples.len() / (pixels.width * pixels.channels)));
        for row in pixels.rows() {
            data.extend(row.chunks_exact(pixels.channels).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]));
            data.resize(data.len().next_multiple_of(4), 0);
        }
        Self { bits: 24, compression: BI_RGB, palette: Vec::new(), data }
    }

    fn alpha(pixels: &Pixels) -> Self {
        let mut data = Vec::with_capacity(pixels.samples.len());
        for row in pixels.rows() {
            data.extend(row.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0], pixel[3]]));
        }
        Self { bits: 32, compression: BI_BITFIELDS, palette: Vec::new(), data }
    }

    fn size(&self) -> usize {
        self.offset() + self.data.len()
    }

    /// The offset of the pixel data.
    fn offset(&self) -> usize {
        FILE_HEADER + self.header() + self.palette.len() * 4
    }

    fn header(&self) -> usize {
        if self.compression == BI_BITFIELDS { V4_HEADER } else { INFO_HEADER }
    }

    fn write(&self, width: u32, height: u32) -> Vec<u8> {
        let mut bmp = Vec::with_capacity(self.size());
        let words =
            |bmp: &mut Vec<u8>, words: &[u32]| words.iter().for_each(|word| bmp.extend(word.to_le_bytes()));
        bmp.extend(b"BM");
        words(&mut bmp, &[self.size() as u32, 0, self.offset() as u32]);
        words(&mut bmp, &[self.header() as u32, width, height]);
        bmp.extend(1u16.to_le_bytes());
        bmp.extend(self.bits.to_le_bytes());
        let colors = self.palette.len() as u32;
        words(&mut bmp, &[self.compression, self.data.len() as u32, DENSITY, DENSITY, colors, colors]);
        if self.compression == BI_BITFIELDS {
            words(&mut bmp, &[0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000]);
            words(&mut bmp, &[u32::from_be_bytes(*b"sRGB")]);
            // End points and gamma, which only apply to calibrated colors.
            words(&mut bmp, &[0; 12]);
        }
        for [red, green, blue] in &self.palette {
            bmp.extend([*blue, *green, *red, 0]);
        }
        bmp.extend_from_slice(&self.data);
        bmp
    }
}

#[cfg(test)]
mod tests;
