//! Attributes of OpenEXR that the pixels do not need. They are not copied to other files. If a file is returned
//! unchanged, they are removed: names, comments, locations, the preview.

use crate::metadata::Metadata;

const MAGIC: &[u8] = &[0x76, 0x2F, 0x31, 0x01];
/// Bit of the version: the file has several parts, each with a header.
const SEVERAL_PARTS: u32 = 0x1000;
const TILED: u32 = 0x200;

/// The attributes that are needed to read and display the pixels ("OpenEXR File Layout" and "Standard Attributes").
const RENDERING: [&[u8]; 23] = [
    b"channels",
    b"compression",
    b"dataWindow",
    b"displayWindow",
    b"lineOrder",
    b"pixelAspectRatio",
    b"screenWindowCenter",
    b"screenWindowWidth",
    b"tiles",
    b"type",
    b"name",
    b"version",
    b"chunkCount",
    b"maxSamplesPerPixel",
    b"chromaticities",
    b"whiteLuminance",
    b"adoptedNeutral",
    b"view",
    b"multiView",
    b"dwaCompressionLevel",
    b"envmap",
    b"wrapmodes",
    b"deepImageState",
];

/// Those of them that the encoder does not write.
const NOT_WRITTEN: [&[u8]; 3] = [b"whiteLuminance", b"adoptedNeutral", b"envmap"];

/// Whether there are attributes that another file does not get.
pub(crate) fn read(exr: &[u8]) -> Metadata {
    let other = Headers::of(exr).is_some_and(|headers| headers.attributes.iter().any(Attribute::is_lost));
    Metadata { other, ..Metadata::default() }
}

/// The same blocks with headers without other attributes, and nothing after the last block. `None` if the file is
/// malformed.
pub(crate) fn write(exr: &[u8]) -> Option<Vec<u8>> {
    let headers = Headers::of(exr)?;
    let mut out = exr.get(..8)?.to_vec();
    for attribute in headers.attributes.iter().filter(|attribute| attribute.renders()) {
        out.extend_from_slice(attribute.whole);
    }
    let removed = headers.end.checked_sub(out.len())? as u64;
    // The offset table ends where the first block begins.
    let (mut at, mut first, mut last) = (headers.end, usize::MAX, 0);
    while at < first {
        let offset = u64::from_le_bytes(*exr.get(at..)?.first_chunk()?);
        let place = usize::try_from(offset).ok().filter(|&place| place > at)?;
        (first, last) = (first.min(place), last.max(place));
        out.extend(offset.checked_sub(removed)?.to_le_bytes());
        at += 8;
    }
    (at == first).then_some(())?;
    out.extend_from_slice(exr.get(first..headers.block_end(exr, last)?)?);
    Some(out)
}

/// An attribute, or the empty name that ends a header.
struct Attribute<'a> {
    name: &'a [u8],
    value: &'a [u8],
    whole: &'a [u8],
}

impl Attribute<'_> {
    fn renders(&self) -> bool {
        self.name.is_empty() || RENDERING.contains(&self.name)
    }

    /// Whether a file that is encoded again lacks it: there, pixels are squares.
    fn is_lost(&self) -> bool {
        !self.renders()
            || NOT_WRITTEN.contains(&self.name)
            || self.name == b"pixelAspectRatio" && self.value != 1.0_f32.to_le_bytes()
    }
}

struct Headers<'a> {
    attributes: Vec<Attribute<'a>>,
    several: bool,
    tiled: bool,
    /// The offset of the offset table.
    end: usize,
}

impl<'a> Headers<'a> {
    fn of(exr: &'a [u8]) -> Option<Self> {
        let rest = exr.strip_prefix(MAGIC)?;
        let version = u32::from_le_bytes(*rest.first_chunk()?);
        let several = version & SEVERAL_PARTS != 0;
        let mut headers = Self { attributes: Vec::new(), several, tiled: version & TILED != 0, end: 8 };
        loop {
            let attribute = headers.attribute(exr)?;
            let ends = attribute.name.is_empty();
            headers.attributes.push(attribute);
            // An empty name ends a header; one more ends the headers of several parts.
            if ends && (!several || headers.is_last()) {
                return Some(headers);
            }
        }
    }

    /// Whether the last two attributes are empty names.
    fn is_last(&self) -> bool {
        self.attributes.len() > 1 && self.attributes.iter().rev().take(2).all(|last| last.name.is_empty())
    }

    fn attribute(&mut self, exr: &'a [u8]) -> Option<Attribute<'a>> {
        let start = self.end;
        let text = |from: usize| {
            let rest = exr.get(from..)?;
            rest.get(..rest.iter().position(|&byte| byte == 0)?)
        };
        let name = text(start)?;
        self.end += name.len() + 1;
        if name.is_empty() {
            return Some(Attribute { name, value: &[], whole: exr.get(start..self.end)? });
        }
        self.end += text(self.end)?.len() + 1;
        let length = u32::from_le_bytes(*exr.get(self.end..)?.first_chunk()?);
        let value = exr.get(self.end + 4..)?.get(..usize::try_from(length).ok()?)?;
        self.end += 4 + value.len();
        Some(Attribute { name, value, whole: exr.get(start..self.end)? })
    }

    /// The end of the block at an offset. `None` for deep data, which has another block format.
    fn block_end(&self, exr: &[u8], offset: usize) -> Option<usize> {
        let number = |at: usize| usize::try_from(i32::from_le_bytes(*exr.get(at..)?.first_chunk()?)).ok();
        let types = self.attributes.iter().filter(|attribute| attribute.name == b"type");
        if types.clone().any(|kind| kind.value.starts_with(b"deep")) {
            return None;
        }
        // The number of the part, then coordinates: one for a line, four for a tile.
        let (part, start) = if self.several { (number(offset)?, offset + 4) } else { (0, offset) };
        let tiled = types.clone().nth(part).map_or(self.tiled, |kind| kind.value.starts_with(b"tiled"));
        let start = start + if tiled { 16 } else { 4 };
        Some(start + 4 + number(start)?)
    }
}
