//! TIFF 6.0 in the smallest form that can store the pixels: gray with one or four bits, a palette, or gray or RGB with
//! 8 or 16 bits, with alpha if needed. Strips are compressed by Deflate (Adobe Photoshop TIFF Technical Note 2), after
//! horizontal differencing if that makes them smaller.
//!
//! Limits: less than 4 GiB. Floating-point pixels are converted to 16 bits before.

use filepress_deflate::{Container, Level, compress};
use image::{DynamicImage, RgbImage};

use crate::containers::tiff_ifd::{Endian, Entry, Value, Writer};
use crate::containers::tiff_tags as tag;
use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::{self, Document as _};
use crate::pixels;
use crate::pixels::palette;

const DEFLATE: u16 = 8;
const HORIZONTAL: u16 = 2;
const UNASSOCIATED: u16 = 2;
const BLACK_IS_ZERO: u16 = 1;
const RGB: u16 = 2;
const PALETTE: u16 = 3;

/// The uncompressed size of a strip in bytes: large enough for compression, small enough for readers that load one
/// strip at a time.
const STRIP_SIZE: usize = 1 << 20;

/// The number of pixels that are checked before a full scan.
const PROBE: u32 = 1 << 16;

/// Writes one picture. With `has_profile`, gray stays gray and color stays color.
pub(crate) fn encode(image: DynamicImage, effort: u8, has_profile: bool) -> Result<Vec<u8>> {
    let mut document = Box::new(Document::new(effort, has_profile));
    document.add(image)?;
    document.finish()
}

/// A file with several pages. They are encoded one by one, so that only one page is in memory as pixels.
pub(crate) struct Document {
    writer: Writer,
    level: Level,
    has_profile: bool,
}

impl Document {
    pub(crate) fn new(effort: u8, has_profile: bool) -> Self {
        let level = match effort {
            0 => Level::Fast,
            1..=3 => Level::Lazy,
            4..=6 => Level::Quick,
            7..=8 => Level::Optimal,
            _ => Level::Slow,
        };
        Self { writer: Writer::new(Endian::Little), level, has_profile }
    }

    /// The form that compresses best, estimated from a sample of each.
    fn smallest(form: Form) -> Form {
        if form.bits < 8 {
            return form;
        }
        let plain = form.estimated_size();
        let differences = Form { predicted: true, ..form };
        let predicted = differences.estimated_size();
        let least = plain.min(predicted);
        if let Some(indexed) = differences.with_palette()
            && indexed.estimated_size() < least
        {
            return indexed;
        }
        Form { predicted: predicted < plain, ..differences }
    }
}

impl codec::Document for Document {
    fn add(&mut self, image: DynamicImage) -> Result<()> {
        let form = Self::smallest(Form::of(image, self.has_profile));
        let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
        for strip in form.strips(self.level) {
            lengths.push(u32::try_from(strip.len()).map_err(|_| too_large())?);
            offsets.push(self.writer.chunk(&strip).ok_or_else(too_large)?);
        }
        self.writer.page(form.entries(offsets, lengths)).ok_or_else(too_large)
    }

    fn len(&self) -> usize {
        self.writer.len()
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>> {
        self.writer.finish().ok_or_else(too_large)
    }
}

/// The samples before compression.
struct Form {
    width: u32,
    height: u32,
    /// Bits per sample: 1, 4, 8 or 16.
    bits: u16,
    /// Samples per pixel.
    samples: u16,
    photometric: u16,
    /// The samples are differences from their left neighbors.
    predicted: bool,
    /// The red values of all entries, then green, then blue.
    palette: Vec<u16>,
    rows: Vec<u8>,
}

impl Form {
    /// Reduces the pixels to the smallest depth and the fewest channels without loss.
    fn of(image: DynamicImage, has_profile: bool) -> Self {
        let (width, height) = (image.width(), image.height());
        let (has_alpha, colorful) = (image.color().has_alpha(), image.color().has_color());
        let mut samples = u16::from(image.color().channel_count());
        let (mut rows, mut bits) = bytes(image);
        let size = usize::from(bits / 8);
        let pixel_size = usize::from(samples) * size;
        let is_gray = |pixel: &[u8]| {
            pixel[..size] == pixel[size..2 * size] && pixel[..size] == pixel[2 * size..3 * size]
        };
        let mut photometric = if colorful { RGB } else { BLACK_IS_ZERO };
        if colorful && !has_profile && rows.chunks_exact(pixel_size).all(is_gray) {
            let alpha = if has_alpha { size } else { 0 };
            let kept = |pixel: &[u8]| [&pixel[..size], &pixel[pixel_size - alpha..]].concat();
            rows = rows.chunks_exact(pixel_size).flat_map(kept).collect();
            samples -= 2;
            photometric = BLACK_IS_ZERO;
        }
        if (bits, samples) == (8, 1) {
            let fits = |step: u8| rows.iter().all(|gray| gray.is_multiple_of(step));
            if let Some((fewer, step)) = [(1, 255), (4, 17)].into_iter().find(|&(_, step)| fits(step)) {
                let levels: Vec<u8> = rows.iter().map(|gray| gray / step).collect();
                rows = pack(&levels, width as usize, fewer);
                bits = fewer;
            }
        }
        Self { width, height, bits, samples, photometric, predicted: false, palette: Vec::new(), rows }
    }

    /// The indices if there are at most 256 colors.
    fn with_palette(&self) -> Option<Self> {
        if (self.bits, self.samples, self.photometric) != (8, 3, RGB) {
            return None;
        }
        let few = |height: u32| {
            let rows = self.rows.get(..self.row_size() * height as usize)?.to_vec();
            let colors = RgbImage::from_raw(self.width, height, rows)?;
            palette::exact(pixels::rgba8(colors.into()).as_raw())
        };
        // Most pictures exceed that within the first rows, so that no copy of the whole picture is made.
        few((PROBE / self.width).clamp(1, self.height))?;
        let found = few(self.height)?;
        let bits = if found.colors.len() <= 16 { 4 } else { 8 };
        let channel = |channel: usize| {
            let colors = found.colors.iter().map(move |color| u16::from(color[channel]) * 257);
            colors.chain(std::iter::repeat(0)).take(1 << bits)
        };
        let palette = channel(0).chain(channel(1)).chain(channel(2)).collect();
        let rows = pack(&found.indices, self.width as usize, bits);
        Some(Self { bits, samples: 1, photometric: PALETTE, predicted: false, palette, rows, ..*self })
    }

    fn row_size(&self) -> usize {
        (self.width as usize * usize::from(self.samples) * usize::from(self.bits)).div_ceil(8)
    }

    fn rows_per_strip(&self) -> usize {
        (STRIP_SIZE / self.row_size()).clamp(1, self.height as usize)
    }

    /// The compressed strips.
    fn strips(&self, level: Level) -> impl Iterator<Item = Vec<u8>> {
        self.rows.chunks(self.row_size() * self.rows_per_strip()).map(move |strip| {
            let mut strip = strip.to_vec();
            if self.predicted {
                strip.chunks_exact_mut(self.row_size()).for_each(|row| self.apply_predictor(row));
            }
            compress(&strip, Container::Zlib, level)
        })
    }

    /// Replaces the samples of a row by the differences from their left neighbors (section 14).
    fn apply_predictor(&self, row: &mut [u8]) {
        let samples = usize::from(self.samples);
        if self.bits == 8 {
            (samples..row.len()).rev().for_each(|at| row[at] = row[at].wrapping_sub(row[at - samples]));
            return;
        }
        let words = row.as_chunks_mut().0;
        for at in (samples..words.len()).rev() {
            let before = u16::from_le_bytes(words[at - samples]);
            words[at] = u16::from_le_bytes(words[at]).wrapping_sub(before).to_le_bytes();
        }
    }

    /// The estimated size of the page in bytes.
    fn estimated_size(&self) -> usize {
        let strips = self.strips(Level::Fast).map(|strip| strip.len()).sum::<usize>();
        strips + 2 * self.palette.len()
    }

    fn entries(&self, offsets: Vec<u32>, lengths: Vec<u32>) -> Vec<Entry<'static>> {
        let colors = if self.photometric == RGB { 3 } else { 1 };
        let mut entries = vec![
            Entry::long(tag::IMAGE_WIDTH, self.width),
            Entry::long(tag::IMAGE_LENGTH, self.height),
            Entry {
                tag: tag::BITS_PER_SAMPLE,
                value: Value::Shorts(vec![self.bits; usize::from(self.samples)]),
            },
            Entry::short(tag::COMPRESSION, DEFLATE),
            Entry::short(tag::PHOTOMETRIC_INTERPRETATION, self.photometric),
            Entry { tag: tag::STRIP_OFFSETS, value: Value::Longs(offsets) },
            Entry::short(tag::SAMPLES_PER_PIXEL, self.samples),
            Entry::long(tag::ROWS_PER_STRIP, self.rows_per_strip() as u32),
            Entry { tag: tag::STRIP_BYTE_COUNTS, value: Value::Longs(lengths) },
        ];
        if self.predicted {
            entries.push(Entry::short(tag::PREDICTOR, HORIZONTAL));
        }
        if self.photometric == PALETTE {
            entries.push(Entry { tag: tag::COLOR_MAP, value: Value::Shorts(self.palette.clone()) });
        }
        if self.samples > colors {
            entries.push(Entry::short(tag::EXTRA_SAMPLES, UNASSOCIATED));
        }
        entries
    }
}

/// The samples in little-endian order, and their bits: 8 if the lower byte carries no information.
fn bytes(image: DynamicImage) -> (Vec<u8>, u16) {
    let deep = match image {
        DynamicImage::ImageLuma8(p) => return (p.into_raw(), 8),
        DynamicImage::ImageLumaA8(p) => return (p.into_raw(), 8),
        DynamicImage::ImageRgb8(p) => return (p.into_raw(), 8),
        DynamicImage::ImageRgba8(p) => return (p.into_raw(), 8),
        DynamicImage::ImageLuma16(p) => p.into_raw(),
        DynamicImage::ImageLumaA16(p) => p.into_raw(),
        other if other.color().has_alpha() => pixels::rgba16(other).into_raw(),
        other => pixels::rgb16(other).into_raw(),
    };
    match deep.iter().all(|sample| sample >> 8 == sample & 0xFF) {
        true => (deep.iter().map(|&sample| sample as u8).collect(), 8),
        false => (deep.into_iter().flat_map(u16::to_le_bytes).collect(), 16),
    }
}

/// Packs small numbers, the first in the highest bits. Rows are padded to whole bytes.
fn pack(numbers: &[u8], width: usize, bits: u16) -> Vec<u8> {
    let bits = usize::from(bits);
    let group = 8 / bits;
    let byte = |numbers: &[u8]| {
        let places = (0..group).rev().map(|place| place * bits);
        numbers.iter().zip(places).fold(0, |byte, (number, place)| byte | number << place)
    };
    numbers.chunks_exact(width).flat_map(|row| row.chunks(group).map(byte)).collect()
}

fn too_large() -> Error {
    Error::new(ErrorCode::OutputTooLarge, "A TIFF file has less than 4 GiB; ask for a resize.")
}
