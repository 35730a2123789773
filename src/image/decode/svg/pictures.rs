//! Pictures inside a drawing: those that stand in it as `data:` are decoded here, within the limits of the call; those that
//! stand elsewhere are not there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use filepress_wire::{MediaType, SNIFF_BYTES, Sniffed, sniff};
use image::RgbaImage;
use resvg::usvg::{ImageHrefResolver, ImageKind, Options};

use super::super::super::{colour, light, metadata, orient, pixels};
use crate::error::{Error, Result};
use crate::job::Encoding;
use crate::limits::Limits;

/// The pictures of a call, each decoded once however often it is shown.
pub(super) struct Pictures<'a> {
    limits: &'a Limits,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    known: BTreeMap<Arc<Vec<u8>>, Option<ImageKind>>,
    /// Pixels of all of them, and bytes that they are kept in.
    pixels: u64,
    memory: u64,
    /// The first that was over a limit.
    refused: Option<Error>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, found: Mutex::default() }
    }

    /// Shows what stands in the drawing itself. A drawing in it (`nested` in the document that is read) is drawn, one in that
    /// is not.
    pub(super) fn resolver(&self, nested: bool) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(move |_, data, options| self.show(data, nested, options)),
            resolve_string: Box::new(|_, _| None),
        }
    }

    /// Bytes that the pictures are kept in.
    ///
    /// # Errors
    /// That of the first picture that was over a limit.
    pub(super) fn finish(self) -> Result<u64> {
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.refused.map_or(Ok(found.memory), Err)
    }

    fn show(&self, data: Arc<Vec<u8>>, nested: bool, options: &Options<'_>) -> Option<ImageKind> {
        if let Some(known) = self.found().known.get(&data) {
            return known.clone();
        }
        let Sniffed::Known(media) = sniff(&data[..data.len().min(SNIFF_BYTES)]) else { return None };
        let shown = match media {
            MediaType::Svg if nested => return None,
            MediaType::Svg => self.drawing(&data, options),
            media => self.picture(&data, media),
        };
        let kind = match shown {
            Ok(kind) => Some(kind),
            Err(error) => {
                // What is damaged is not shown; what is too large might be what the drawing is about.
                if error.kind() == crate::error::ErrorKind::Limits {
                    self.found().refused.get_or_insert(error);
                }
                None
            }
        };
        if media != MediaType::Svg {
            self.found().known.insert(data, kind.clone());
        }
        kind
    }

    fn drawing(&self, data: &[u8], options: &Options<'_>) -> Result<ImageKind> {
        let resolver = self.resolver(true);
        let (tree, memory) =
            super::tree(data, resolver, options.fontdb.clone(), &options.font_family, self.limits)?;
        self.count(0, memory)?;
        Ok(ImageKind::SVG(tree))
    }

    fn picture(&self, data: &[u8], media: MediaType) -> Result<ImageKind> {
        let header = super::super::header(data, media)?;
        let pixels = u64::from(header.width) * u64::from(header.height);
        self.count(pixels, 4 * pixels)?;
        let metadata = metadata::read(data, media);
        let profile = colour::fate(&metadata, &header, MediaType::Svg);
        let image = super::super::pixels(data, media, self.limits)?;
        let image = colour::settle(image, metadata.icc.as_deref(), profile, &mut Vec::new());
        let image = light::settle(image, Encoding::Svg, &mut Vec::new());
        let image = orient::apply(image, metadata.orientation());
        Ok(ImageKind::PNG(Arc::new(stored_png(&pixels::rgba8(image)))))
    }

    fn count(&self, pixels: u64, memory: u64) -> Result<()> {
        let mut found = self.found();
        found.pixels = found.pixels.saturating_add(pixels);
        found.memory = found.memory.saturating_add(memory);
        self.limits.check_memory(found.memory)?;
        // As one row: the sum of what all pictures have.
        let (width, rest) = (found.pixels.min(u64::from(u32::MAX)), found.pixels >> 32);
        self.limits.check_pixels("embedded pictures", width as u32, 1 + rest as u32)
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pixels as the renderer takes them: a PNG (third edition) without compression.
fn stored_png(image: &RgbaImage) -> Vec<u8> {
    /// Of a stored block (RFC 1951 §3.2.4).
    const MAX_BLOCK: usize = 0xffff;
    let mut rows = Vec::with_capacity(image.as_raw().len() + image.height() as usize);
    for row in image.as_raw().chunks_exact(4 * image.width().max(1) as usize) {
        rows.push(0);
        rows.extend_from_slice(row);
    }
    let mut stream = vec![0x78, 0x01];
    let last = rows.len().saturating_sub(1) / MAX_BLOCK;
    for (index, block) in rows.chunks(MAX_BLOCK).enumerate() {
        stream.push(u8::from(index == last));
        stream.extend((block.len() as u16).to_le_bytes());
        stream.extend((!(block.len() as u16)).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler32(&rows).to_be_bytes());
    drop(rows);

    let mut header = [image.width().to_be_bytes(), image.height().to_be_bytes()].concat();
    header.extend([8, 6, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", stream), (b"IEND", Vec::new())] {
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(kind);
        checksum.update(&data);
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(kind);
        png.extend(data);
        png.extend(checksum.finalize().to_be_bytes());
    }
    png
}

/// The checksum of a zlib stream (RFC 1950 §8.2).
fn adler32(data: &[u8]) -> u32 {
    const PRIME: u32 = 65_521;
    let (mut a, mut b) = (1, 0);
    // The most bytes before a sum overflows.
    for run in data.chunks(5_552) {
        for &byte in run {
            a += u32::from(byte);
            b += a;
        }
        (a, b) = (a % PRIME, b % PRIME);
    }
    b << 16 | a
}
