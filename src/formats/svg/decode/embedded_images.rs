//! Embedded pictures: `data:` pictures are decoded within the limits of the call, external ones are ignored.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use filepress_wire::{MediaType, SNIFF_BYTES, Sniffed, sniff};
use image::RgbaImage;
use resvg::usvg::{ImageHrefResolver, ImageKind, Options};

use crate::error::{Error, Result};
use crate::formats::codec::DecodeEmbedded;
use crate::formats::decode;
use crate::formats::svg::FORMAT;
use crate::limits::Limits;

/// The format that pictures are passed on in: an uncompressed PNG.
const KEPT_BYTES_PER_PIXEL: u64 = 4;
/// The bytes per pixel that the renderer needs: its rows, and premultiplied ones.
const RENDERED_BYTES_PER_PIXEL: u64 = 8;

/// The pictures of a call. Each is decoded once, however often it is used.
pub(crate) struct Pictures<'a> {
    limits: &'a Limits,
    embedded: DecodeEmbedded,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    known: BTreeMap<Arc<Vec<u8>>, Option<ImageKind>>,
    /// The pixels of all pictures, and of the largest.
    pixels: u64,
    largest: u64,
    /// The bytes of all pictures as PNG.
    memory: u64,
    /// The error of the first picture that exceeded a limit.
    refused: Option<Error>,
}

impl<'a> Pictures<'a> {
    pub(crate) fn new(limits: &'a Limits, embedded: DecodeEmbedded) -> Self {
        Self { limits, embedded, found: Mutex::default() }
    }

    /// Shows embedded pictures. An SVG in an SVG is rendered (`nested` in the inner document); one within that is not.
    pub(crate) fn resolver(&self, nested: bool) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(move |_, data, options| self.show(data, nested, options)),
            resolve_string: Box::new(|_, _| None),
        }
    }

    /// The bytes of all pictures as PNG, and the bytes that the renderer needs for one.
    ///
    /// # Errors
    /// The error of the first picture that exceeded a limit.
    pub(crate) fn finish(self) -> Result<u64> {
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.refused.map_or(Ok(found.memory + RENDERED_BYTES_PER_PIXEL * found.largest), Err)
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
                // A damaged picture is left out; one that is too large might be essential.
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
        let header = decode::header(data, media)?;
        let pixels = u64::from(header.width) * u64::from(header.height);
        self.count(pixels, KEPT_BYTES_PER_PIXEL * pixels)?;
        // As decoded, and as RGBA, beside the PNG.
        let decoding = (u64::from(header.bytes_per_pixel) + 4) * pixels + header.decoder_bytes;
        self.limits.check_memory(self.found().memory + decoding)?;
        let image = (self.embedded)(data, media, &header, FORMAT.traits, self.limits)?;
        Ok(ImageKind::PNG(Arc::new(stored_png(&image))))
    }

    fn count(&self, pixels: u64, memory: u64) -> Result<()> {
        let mut found = self.found();
        found.pixels = found.pixels.saturating_add(pixels);
        found.largest = found.largest.max(pixels);
        found.memory = found.memory.saturating_add(memory);
        self.limits.check_memory(found.memory)?;
        // As one row: the sum over all pictures.
        let (width, rest) = (found.pixels.min(u64::from(u32::MAX)), found.pixels >> 32);
        self.limits.check_pixels("embedded images", width as u32, 1 + rest as u32)
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An uncompressed PNG (third edition), as the renderer accepts it, written in one pass.
fn stored_png(image: &RgbaImage) -> Vec<u8> {
    let line = 4 * image.width() as usize;
    let length = (1 + line) * image.height() as usize;
    let mut header = [image.width().to_be_bytes(), image.height().to_be_bytes()].concat();
    header.extend([8, 6, 0, 0, 0]);
    let mut png = Vec::with_capacity(128 + length + 5 * length.div_ceil(MAX_BLOCK));
    png.extend(b"\x89PNG\r\n\x1a\n");
    chunk(&mut png, *b"IHDR", |png| png.extend(header));
    chunk(&mut png, *b"IDAT", |png| {
        png.extend([0x78, 0x01]);
        let mut blocks = Blocks { left: length, block: 0, sums: [1, 0] };
        for row in image.as_raw().chunks_exact(line.max(1)) {
            blocks.push(png, &[0]);
            blocks.push(png, row);
        }
        let [a, b] = blocks.sums;
        png.extend((b << 16 | a).to_be_bytes());
    });
    chunk(&mut png, *b"IEND", |_| ());
    png
}

/// Appends a chunk (PNG, 5.3) with the data that `fill` appends.
fn chunk(png: &mut Vec<u8>, kind: [u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let start = png.len();
    png.extend([0; 4]);
    png.extend(kind);
    fill(png);
    let length = (png.len() - start - 8) as u32;
    png[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let checksum = crc32fast::hash(&png[start + 4..]);
    png.extend(checksum.to_be_bytes());
}

/// The maximum length of a stored block (RFC 1951 §3.2.4).
const MAX_BLOCK: usize = 0xffff;

/// Writes stored blocks.
struct Blocks {
    /// The remaining number of bytes in total, and in the current block.
    left: usize,
    block: usize,
    /// The checksum of a zlib stream (RFC 1950 §8.2).
    sums: [u32; 2],
}

impl Blocks {
    fn push(&mut self, out: &mut Vec<u8>, mut bytes: &[u8]) {
        const PRIME: u32 = 65_521;
        // The maximum number of bytes before a sum overflows.
        for run in bytes.chunks(5_552) {
            for &byte in run {
                self.sums[0] += u32::from(byte);
                self.sums[1] += self.sums[0];
            }
            self.sums = self.sums.map(|sum| sum % PRIME);
        }
        while !bytes.is_empty() {
            if self.block == 0 {
                self.block = self.left.min(MAX_BLOCK);
                out.push(u8::from(self.block == self.left));
                out.extend((self.block as u16).to_le_bytes());
                out.extend((!(self.block as u16)).to_le_bytes());
            }
            let (now, rest) = bytes.split_at(bytes.len().min(self.block));
            out.extend_from_slice(now);
            (self.left, self.block, bytes) = (self.left - now.len(), self.block - now.len(), rest);
        }
    }
}
