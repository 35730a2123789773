//! Metadata in the chunks of a PNG (PNG, third edition, 11.3; XMP part 3, 1.1.5).
//!
//! The hexadecimal "Raw profile type …" texts of old ImageMagick versions are not read. Browsers ignore them too, so
//! applying their orientation would change what people see.

#[cfg(feature = "core")]
pub(crate) mod write;

use fdeflate::decompress_to_vec_bounded;

use crate::formats::png::color_chunks;
use crate::metadata::{MAX_DECOMPRESSED, Metadata};

pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const XMP_KEYWORD: &[u8] = b"XML:com.adobe.xmp\0";

/// The maximum length of a chunk's data in bytes.
pub(crate) const MAX_DATA: usize = i32::MAX as usize;
/// The maximum size of an XMP packet: its chunk begins with a keyword and four empty fields.
pub(crate) const MAX_XMP: usize = MAX_DATA - XMP_KEYWORD.len() - 4;

/// Reads the metadata before and after the image data.
pub(crate) fn read(png: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let mut color = color_chunks::Color::default();
    let mut is_behind = false;
    for chunk in Chunks::new(png) {
        is_behind |= chunk.is_pixels();
        if chunk.is_pixels() || !chunk.is_intact() {
            continue;
        }
        match &chunk.kind {
            b"eXIf" if found.exif.is_none() => found.exif = Some(chunk.data.to_vec()),
            b"iTXt" if found.xmp.is_none() => {
                found.xmp = xmp(chunk.data);
                found.other |= found.xmp.is_none();
            }
            b"iTXt" | b"tEXt" | b"zTXt" => found.other = true,
            // Behind the pixels, decoders ignore it (5.6).
            kind if !is_behind => color.add(kind, chunk.data),
            _ => {}
        }
    }
    found.code_points = color.code_points();
    found.icc = color.profile();
    found
}

/// A file without metadata: the data of `IHDR`, complete chunks to insert after it, and the parts of a zlib stream. It takes
/// [`still_size`] bytes.
pub(crate) fn still<'a>(
    header: &[u8],
    behind: &[u8],
    pixels: impl Iterator<Item = &'a [u8]> + Clone,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(still_size(behind, pixels.clone()));
    out.extend_from_slice(SIGNATURE);
    push(&mut out, b"IHDR", &[header])?;
    out.extend_from_slice(behind);
    for part in pixels {
        push(&mut out, b"IDAT", &[part])?;
    }
    push(&mut out, b"IEND", &[])?;
    Some(out)
}

/// The bytes of a file that [`still`] makes.
pub(crate) fn still_size<'a>(behind: &[u8], pixels: impl Iterator<Item = &'a [u8]>) -> usize {
    // The signature, `IHDR` and `IEND`; length, kind and checksum of each part.
    45 + behind.len() + pixels.map(|part| part.len() + 12).sum::<usize>()
}

/// The XMP packet of an `iTXt` chunk. `None` if it contains another text.
fn xmp(data: &[u8]) -> Option<Vec<u8>> {
    let (&[compressed, _method], rest) = data.strip_prefix(XMP_KEYWORD)?.split_first_chunk()?;
    let mut fields = rest.splitn(3, |&byte| byte == 0);
    let (_language, _keyword, text) = (fields.next()?, fields.next()?, fields.next()?);
    match compressed {
        0 => Some(text.to_vec()),
        _ => decompress_to_vec_bounded(text, MAX_DECOMPRESSED).ok(),
    }
}

/// `None` if the data is too long for a chunk.
pub(crate) fn push(out: &mut Vec<u8>, kind: &[u8; 4], data: &[&[u8]]) -> Option<()> {
    let length: usize = data.iter().map(|part| part.len()).sum();
    out.extend(u32::try_from(length).ok().filter(|_| length <= MAX_DATA)?.to_be_bytes());
    let start = out.len();
    out.extend_from_slice(kind);
    data.iter().for_each(|part| out.extend_from_slice(part));
    let checksum = crc32fast::hash(out.get(start..)?);
    out.extend(checksum.to_be_bytes());
    Some(())
}

pub(crate) struct Chunk<'a> {
    pub(crate) kind: [u8; 4],
    pub(crate) data: &'a [u8],
    /// With length and checksum.
    pub(crate) whole: &'a [u8],
}

impl Chunk<'_> {
    fn is_pixels(&self) -> bool {
        matches!(&self.kind, b"IDAT" | b"fdAT")
    }

    /// Whether the checksum is correct. Decoders ignore an ancillary chunk if it is not.
    pub(crate) fn is_intact(&self) -> bool {
        let Some((covered, checksum)) = self.whole.get(4..).and_then(|rest| rest.split_last_chunk()) else {
            return false;
        };
        u32::from_be_bytes(*checksum) == crc32fast::hash(covered)
    }
}

/// Iterates over the chunks, `IEND` included.
#[derive(Clone)]
pub(crate) struct Chunks<'a> {
    rest: &'a [u8],
    /// Whether `IEND` was reached.
    pub(crate) ended: bool,
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(png: &'a [u8]) -> Self {
        Self { rest: png.strip_prefix(SIGNATURE).unwrap_or_default(), ended: false }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        if self.ended {
            return None;
        }
        let length = u32::from_be_bytes(*self.rest.first_chunk()?) as usize;
        let (whole, rest) = self.rest.split_at_checked(length.checked_add(12)?)?;
        let kind = *whole.get(4..)?.first_chunk()?;
        self.rest = rest;
        self.ended = &kind == b"IEND";
        Some(Chunk { kind, data: whole.get(8..8 + length)?, whole })
    }
}
