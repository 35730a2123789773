//! Metadata in the chunks of a WebP (WebP Container Specification, "Extended File Format").

use crate::metadata::Metadata;

const ICC_FLAG: u8 = 0x20;
pub(crate) const ALPHA_FLAG: u8 = 0x10;
pub(crate) const ANIMATION_FLAG: u8 = 0x02;
const EXIF_FLAG: u8 = 0x08;
const XMP_FLAG: u8 = 0x04;

/// The start of every file, with its length in between.
pub(crate) const HEADER: &[u8; 12] = b"RIFF\0\0\0\0WEBP";
/// Background color and number of repetitions.
const ANIMATION: usize = 6;
/// Position, size, duration and disposal of a frame.
const FRAME: usize = 16;

/// The maximum length of a chunk's data in bytes.
pub(crate) const MAX_DATA: usize = u32::MAX as usize;

/// Reads the metadata chunks.
pub(crate) fn read(webp: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    for chunk in Chunks::new(webp) {
        let place = match &chunk.kind {
            b"ICCP" => &mut found.icc,
            b"EXIF" => &mut found.exif,
            b"XMP " => &mut found.xmp,
            _ => continue,
        };
        place.get_or_insert_with(|| chunk.data.to_vec());
    }
    found
}

/// The encoded pixels with exactly this metadata. `None` if the file is malformed.
pub(crate) fn write(webp: &[u8], metadata: &Metadata) -> Option<Vec<u8>> {
    let mut extended: Option<[u8; 10]> = None;
    let mut image = Vec::new();
    let mut chunks = Chunks::new(webp);
    for chunk in &mut chunks {
        match &chunk.kind {
            b"VP8X" => extended = Some(*chunk.data.first_chunk()?),
            b"VP8 " | b"VP8L" | b"ALPH" | b"ANIM" | b"ANMF" => image.push(chunk),
            _ => {}
        }
    }
    if chunks.broken || image.is_empty() {
        return None;
    }

    let flags = [(&metadata.icc, ICC_FLAG), (&metadata.exif, EXIF_FLAG), (&metadata.xmp, XMP_FLAG)]
        .into_iter()
        .fold(0, |flags, (value, flag)| if value.is_some() { flags | flag } else { flags });
    if extended.is_none() && flags != 0 {
        extended = Some(describe(&image)?);
    }

    let mut out = Vec::with_capacity(webp.len());
    out.extend_from_slice(HEADER);
    if let Some(mut description) = extended {
        description[0] = (description[0] & !(ICC_FLAG | EXIF_FLAG | XMP_FLAG)) | flags;
        push(&mut out, b"VP8X", &description)?;
    }
    if let Some(icc) = &metadata.icc {
        push(&mut out, b"ICCP", icc)?;
    }
    for chunk in image {
        match &chunk.kind {
            b"ANMF" => push(&mut out, b"ANMF", &frame(chunk.data)?)?,
            b"ANIM" => push(&mut out, b"ANIM", chunk.data.get(..ANIMATION)?)?,
            kind => push(&mut out, kind, chunk.data)?,
        }
    }
    if let Some(exif) = &metadata.exif {
        push(&mut out, b"EXIF", exif)?;
    }
    if let Some(xmp) = &metadata.xmp {
        push(&mut out, b"XMP ", xmp)?;
    }
    close(out)
}

/// Writes the length of the file into its header. `None` if the file is too long. It begins with [`HEADER`].
pub(crate) fn close(mut out: Vec<u8>) -> Option<Vec<u8>> {
    let length = u32::try_from(out.len().checked_sub(8)?).ok()?.to_le_bytes();
    out.get_mut(4..8)?.copy_from_slice(&length);
    Some(out)
}

/// The payload of `ANMF` without metadata: position and duration, then the chunks of the frame.
fn frame(data: &[u8]) -> Option<Vec<u8>> {
    let (header, rest) = data.split_at_checked(FRAME)?;
    let mut out = header.to_vec();
    let mut chunks = Chunks { rest, broken: false };
    for chunk in (&mut chunks).filter(|chunk| matches!(&chunk.kind, b"ALPH" | b"VP8 " | b"VP8L")) {
        push(&mut out, &chunk.kind, chunk.data)?;
    }
    (!chunks.broken).then_some(out)
}

/// The payload of `VP8X` for a simple file: its size and whether it has alpha, from the header of the bitstream.
fn describe(image: &[Chunk]) -> Option<[u8; 10]> {
    let [bitstream] = image else { return None };
    let (width, height, alpha) = match &bitstream.kind {
        // RFC 6386, 9.1: a frame tag, a start code, and 14 bits each below a two-bit scale.
        b"VP8 " => {
            let &[_, _, _, 0x9D, 0x01, 0x2A, w0, w1, h0, h1] = bitstream.data.first_chunk()? else {
                return None;
            };
            let side = |bytes| u32::from(u16::from_le_bytes(bytes) & 0x3FFF);
            (side([w0, w1]).checked_sub(1)?, side([h0, h1]).checked_sub(1)?, false)
        }
        // RFC 9649, 3.4: a signature, then 14 bits each minus one, and an alpha bit.
        b"VP8L" => {
            let &[0x2F, bits @ ..]: &[u8; 5] = bitstream.data.first_chunk()? else { return None };
            let bits = u32::from_le_bytes(bits);
            (bits & 0x3FFF, (bits >> 14) & 0x3FFF, (bits >> 28) & 1 == 1)
        }
        _ => return None,
    };
    let [w0, w1, w2, _] = width.to_le_bytes();
    let [h0, h1, h2, _] = height.to_le_bytes();
    Some([if alpha { ALPHA_FLAG } else { 0 }, 0, 0, 0, w0, w1, w2, h0, h1, h2])
}

/// `None` if the data is too long for a chunk.
pub(crate) fn push(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) -> Option<()> {
    out.extend_from_slice(kind);
    out.extend(u32::try_from(data.len()).ok()?.to_le_bytes());
    out.extend_from_slice(data);
    out.resize(out.len().checked_next_multiple_of(2)?, 0);
    Some(())
}

/// A chunk of the file.
pub(crate) struct Chunk<'a> {
    pub(crate) kind: [u8; 4],
    pub(crate) data: &'a [u8],
}

/// Iterates over the chunks within the declared length of the file.
pub(crate) struct Chunks<'a> {
    rest: &'a [u8],
    /// Whether the file is not a WebP, or is truncated.
    pub(crate) broken: bool,
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(webp: &'a [u8]) -> Self {
        let nothing = Self { rest: &[], broken: true };
        let (Some(b"RIFF"), Some(b"WEBP")) = (webp.get(..4), webp.get(8..12)) else { return nothing };
        let Some(length) = webp.get(4..8).and_then(|bytes| bytes.first_chunk()) else { return nothing };
        let end = (u32::from_le_bytes(*length) as usize).saturating_add(8);
        let rest = webp.get(12..end.min(webp.len())).unwrap_or_default();
        Self { rest, broken: end > webp.len() }
    }

    /// The chunks within another.
    pub(crate) fn within(data: &'a [u8]) -> Self {
        Self { rest: data, broken: false }
    }

    fn chunk(&mut self) -> Option<Chunk<'a>> {
        let (kind, rest) = self.rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (data, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        // Chunks begin at even offsets. Some writers omit the last padding byte.
        let padding = usize::from(data.len() % 2 == 1 && !rest.is_empty());
        self.rest = rest.get(padding..)?;
        Some(Chunk { kind: *kind, data })
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        let chunk = self.chunk();
        if chunk.is_none() {
            self.broken |= !self.rest.is_empty();
            self.rest = &[];
        }
        chunk
    }
}
