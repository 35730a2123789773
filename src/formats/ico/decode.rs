//! Icons with all their sizes. Each picture of an ICO is a PNG, or a bitmap without a file header. The directory
//! repeats the sizes, not always correctly, so they are read from the pictures.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::ico;
use image::{DynamicImage, ImageDecoder};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::header_probe::Probe;
use crate::formats::image_rs::Reader;
use crate::formats::png;
use crate::limits::Limits;

const HEADER: usize = 6;
const DIRECTORY_ENTRY: usize = 16;
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Icons have about a dozen pictures. A directory can list many thousands that share the same bytes.
const MAX_ENTRIES: usize = 256;

/// The maximum number of pictures that are re-encoded.
const MAX_PICTURES: usize = 64;

/// One picture of an icon, not decoded.
struct Entry<'a> {
    width: u32,
    height: u32,
    bits_per_pixel: u16,
    data: &'a [u8],
}

/// How ICO is decoded.
pub(crate) const READER: Reader =
    Reader { media: MediaType::Ico, open, decoder_bytes: |_| 1, frame_count: |_| 1 };

/// The size of the best picture.
pub(crate) fn probe(ico: &[u8]) -> Option<Probe> {
    let Entry { width, height, .. } = best(ico).ok()?;
    Some(Probe { size: (width, height), gray: false, has_alpha: true, bit_depth: 8 })
}

/// A decoder of the best picture.
///
/// # Errors
/// [`crate::ErrorCode::Corrupt`] if no picture is readable.
pub(crate) fn open(ico: &[u8]) -> Result<Box<dyn ImageDecoder + '_>> {
    best(ico)?.decoder()
}

/// The picture with the largest area; among equals the one with most bits per pixel.
fn best(ico: &[u8]) -> Result<Entry<'_>> {
    let rank = |entry: &Entry<'_>| (u64::from(entry.width) * u64::from(entry.height), entry.bits_per_pixel);
    entries(ico)?.0.into_iter().max_by_key(rank).ok_or_else(|| corrupt("it contains no image"))
}

/// All pictures in the order of the directory. Entries that share their bytes are one picture. `None` if there are too
/// many, or the directory lists some that the file does not have.
///
/// # Errors
/// [`crate::ErrorCode::Corrupt`]; [`crate::ErrorCode::TooManyPixels`] and [`crate::ErrorCode::TooMuchMemory`] for all
/// pictures together.
pub(crate) fn pictures(ico: &[u8], limits: &Limits) -> Result<Option<Vec<DynamicImage>>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let (found, listed) = self::entries(ico)?;
    if found.len() < listed {
        return Ok(None);
    }
    for entry in found {
        if !entries.iter().any(|known| known.is_duplicate_of(&entry)) {
            entries.push(entry);
        }
    }
    if entries.len() > MAX_PICTURES {
        return Ok(None);
    }
    let sizes = entries.iter().map(|entry| u64::from(entry.width) * u64::from(entry.height));
    let pixels = sizes.fold(0u64, u64::saturating_add);
    if pixels > limits.max_pixels {
        let message = format!(
            "The images of the icon have {pixels} pixels; limits.maxPixels allows {}.",
            limits.max_pixels
        );
        return Err(Error::limit(ErrorCode::TooManyPixels, message, pixels, limits.max_pixels));
    }
    limits.check_memory(pixels.saturating_mul(8))?;
    entries
        .iter()
        .map(|entry| DynamicImage::from_decoder(entry.decoder()?).map_err(corrupt))
        .collect::<Result<_>>()
        .map(Some)
}

/// The pictures within the file, and how many the directory lists. Entries that point elsewhere are skipped.
fn entries(ico: &[u8]) -> Result<(Vec<Entry<'_>>, usize)> {
    let Some(&[0, 0, 1, 0, low, high]) = ico.first_chunk::<HEADER>() else {
        return Err(corrupt("its header is missing"));
    };
    let count = usize::from(u16::from_le_bytes([low, high]));
    if count > MAX_ENTRIES {
        return Err(corrupt(format!("it lists {count} images")));
    }
    let directory = ico.get(HEADER..).unwrap_or_default().as_chunks::<DIRECTORY_ENTRY>().0;
    let entries: Vec<_> = directory.iter().take(count).filter_map(|entry| Entry::read(ico, entry)).collect();
    match entries.is_empty() {
        true => Err(corrupt("it contains no image")),
        false => Ok((entries, count)),
    }
}

impl<'a> Entry<'a> {
    fn read(ico: &'a [u8], directory: &[u8; DIRECTORY_ENTRY]) -> Option<Self> {
        let [.., l0, l1, l2, l3, o0, o1, o2, o3] = *directory;
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let offset = u32::from_le_bytes([o0, o1, o2, o3]) as usize;
        let data = ico.get(offset..)?.get(..length)?;
        let entry = match data.starts_with(PNG_SIGNATURE) {
            true => Self::read_png(data),
            false => Self::read_bitmap(data),
        }?;
        (entry.width > 0 && entry.height > 0).then_some(entry)
    }

    /// The size is at the start of the first chunk, IHDR.
    fn read_png(data: &'a [u8]) -> Option<Self> {
        let big = |at: usize| Some(u32::from_be_bytes(*data.get(at..)?.first_chunk()?));
        let channels = match data.get(25)? {
            2 => 3,
            4 => 2,
            6 => 4,
            _ => 1,
        };
        let bits_per_pixel = u16::from(*data.get(24)?) * channels;
        Some(Self { width: big(16)?, height: big(20)?, bits_per_pixel, data })
    }

    /// `BITMAPINFOHEADER` or one of its longer successors. The height includes the mask.
    fn read_bitmap(data: &'a [u8]) -> Option<Self> {
        let little = |at: usize| Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?));
        little(0).filter(|&header| header >= 40)?;
        let bits_per_pixel = u16::from_le_bytes(*data.get(14..)?.first_chunk()?);
        let height = little(8)?.cast_signed().unsigned_abs() / 2;
        Some(Self { width: little(4)?, height, bits_per_pixel, data })
    }

    /// The same bytes, or equal bytes if they are few enough to be compared with all others.
    fn is_duplicate_of(&self, other: &Self) -> bool {
        const COMPARED: usize = 1 << 16;
        self.data.len() == other.data.len()
            && (self.data.as_ptr() == other.data.as_ptr()
                || (self.data.len() <= COMPARED && self.data == other.data))
    }

    fn decoder(&self) -> Result<Box<dyn ImageDecoder + 'a>> {
        Ok(match self.data.starts_with(PNG_SIGNATURE) {
            true => Box::new(png::decode::open(self.data).map_err(corrupt)?),
            false => Box::new(ico::IcoDecoder::new(Cursor::new(self.as_icon())).map_err(corrupt)?),
        })
    }

    /// This bitmap as the only picture of an icon, with a directory entry made from its own header.
    fn as_icon(&self) -> Vec<u8> {
        let mut ico = vec![0, 0, 1, 0, 1, 0];
        // A size of 256 is stored as 0.
        ico.extend([self.width, self.height].map(|side| if side < 256 { side as u8 } else { 0 }));
        ico.extend([0, 0, 1, 0]);
        ico.extend(self.bits_per_pixel.min(32).to_le_bytes());
        let mask = self.missing_mask();
        ico.extend(((self.data.len() + mask) as u32).to_le_bytes());
        ico.extend(((HEADER + DIRECTORY_ENTRY) as u32).to_le_bytes());
        ico.extend_from_slice(self.data);
        ico.resize(ico.len() + mask, 0);
        if let Some(bitmap) = ico.get_mut(HEADER + DIRECTORY_ENTRY..) {
            self.make_opaque(bitmap);
        }
        ico
    }

    /// The bytes of a fully opaque mask, if all pixels are present and the mask is truncated or missing.
    fn missing_mask(&self) -> usize {
        let word = |at: usize| Some(u64::from(u32::from_le_bytes(*self.data.get(at..)?.first_chunk()?)));
        let (Some(header), Some(compression), Some(used)) = (word(0), word(16), word(32)) else { return 0 };
        let row = |bits: u64| (u64::from(self.width) * bits).div_ceil(32) * 4;
        let bits = u64::from(self.bits_per_pixel.min(32));
        let palette = match bits {
            1..=8 if used == 0 => 4 << bits,
            1..=8 => 4 * used,
            _ => 0,
        };
        let pixels = row(bits).saturating_mul(self.height.into());
        let complete = pixels.saturating_add(header + palette) <= self.data.len() as u64;
        match compression == 0 && bits > 0 && complete {
            true => (row(1) * u64::from(self.height)) as usize,
            false => 0,
        }
    }

    /// Makes 32-bit pixels opaque if none has alpha: such icons predate alpha channels, and only their mask is
    /// transparent.
    fn make_opaque(&self, bitmap: &mut [u8]) {
        let uncompressed = bitmap.get(16..20) == Some(&[0; 4]);
        let Some(header) = bitmap.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize) else {
            return;
        };
        let size = (self.width as usize).saturating_mul(self.height as usize).saturating_mul(4);
        let Some(pixels) = bitmap.get_mut(header..).and_then(|rest| rest.get_mut(..size)) else { return };
        let pixels = pixels.as_chunks_mut::<4>().0;
        if self.bits_per_pixel == 32 && uncompressed && pixels.iter().all(|pixel| pixel[3] == 0) {
            pixels.iter_mut().for_each(|pixel| pixel[3] = u8::MAX);
        }
    }
}

fn corrupt(cause: impl std::fmt::Display) -> Error {
    Error::corrupt(MediaType::Ico.name(), cause)
}

#[cfg(test)]
mod tests;
