//! Writes a PNG anew with other metadata: apart from what reads it, because a build that only reads PNG has no DEFLATE encoder.

use filepress_deflate::{Container, Level, compress};

use crate::formats::png::color_chunks::{self, iccp_profile};
use crate::formats::png::metadata::{Chunks, MAX_DATA, SIGNATURE, XMP_KEYWORD, push, read};
use crate::metadata::Metadata;
use crate::metadata::code_points::CodePoints;

/// The chunks that are needed to display the pixels, with the maximum length of each. Anything could be hidden after
/// that length. The profile is checked separately.
const RENDERING: [(&[u8; 4], usize); 19] = [
    (b"IHDR", 13),
    (b"PLTE", 768),
    (b"IDAT", MAX_DATA),
    (b"IEND", 0),
    (b"tRNS", 256),
    (b"bKGD", 6),
    (b"hIST", 512),
    (b"sBIT", 4),
    (b"pHYs", 9),
    (b"gAMA", 4),
    (b"cHRM", 32),
    (b"sRGB", 1),
    (b"cICP", 4),
    (b"mDCV", 24),
    (b"cLLI", 8),
    (b"acTL", 8),
    (b"fcTL", 26),
    (b"fdAT", MAX_DATA),
    (b"sTER", 1),
];

/// Chunks that say the same as a profile, or less. A decoder falls back on them if the profile is removed.
const COLOR: [&[u8; 4]; 3] = [b"gAMA", b"cHRM", b"sRGB"];

/// The compressed pixels with exactly this metadata. `None` if the file is malformed.
pub(crate) fn write(png: &[u8], metadata: &Metadata) -> Option<Vec<u8>> {
    // If the color space stays the same, the chunks that declare it stay with the profile.
    let own = read(png).valid();
    let recolored = own.icc != metadata.icc;
    let mut chunks = Chunks::new(png);
    let header = chunks.next().filter(|chunk| &chunk.kind == b"IHDR")?;

    let mut out = Vec::with_capacity(png.len());
    out.extend_from_slice(SIGNATURE);
    out.extend_from_slice(header.whole);
    let known = Chunks::new(png).take_while(|chunk| !chunk.is_pixels()).find(|chunk| &chunk.kind == b"iCCP");
    if let Some(icc) = metadata.icc.as_deref().filter(|_| recolored || known.is_some()) {
        let start = out.len();
        match color_chunks::gamma_of(icc).filter(|_| known.is_none()) {
            Some(gamma) => push(&mut out, b"gAMA", &[&gamma.to_be_bytes()])?,
            None => push(
                &mut out,
                b"iCCP",
                &[b"ICC profile\0\0", &compress(icc, Container::Zlib, Level::Optimal)],
            )?,
        }
        // A chunk that is compressed better than ours contains nothing but the profile.
        let tight = known.filter(|chunk| chunk.is_intact() && chunk.whole.len() < out.len() - start);
        if let Some(tight) = tight.filter(|chunk| iccp_profile(chunk.data).as_deref() == Some(icc)) {
            out.truncate(start);
            out.extend_from_slice(tight.whole);
        }
    }
    push_code_points(&mut out, metadata.code_points.filter(|_| own.code_points.is_none()))?;
    if let Some(exif) = &metadata.exif {
        push(&mut out, b"eXIf", &[exif])?;
    }
    if let Some(xmp) = &metadata.xmp {
        // Not compressed, no language, no translated keyword.
        push(&mut out, b"iTXt", &[XMP_KEYWORD, &[0; 4], xmp])?;
    }
    let mut seen = Vec::new();
    for chunk in &mut chunks {
        let critical = chunk.kind[0].is_ascii_uppercase();
        let Some((kind, most)) = RENDERING.iter().find(|(kind, _)| **kind == chunk.kind) else {
            if critical {
                return None;
            }
            continue;
        };
        let fits = chunk.data.len() <= *most && !seen.contains(kind);
        if critical && !fits {
            return None;
        }
        if !(chunk.is_pixels() || *kind == b"fcTL") {
            seen.push(*kind);
        }
        let replaced = recolored && COLOR.contains(kind);
        if fits && !replaced && (critical || chunk.is_pixels() || chunk.is_intact()) {
            out.extend_from_slice(chunk.whole);
        }
    }
    chunks.ended.then_some(out)
}

fn push_code_points(out: &mut Vec<u8>, colors: Option<CodePoints>) -> Option<()> {
    let Some(colors) = colors else { return Some(()) };
    push(out, b"cICP", &[&[colors.primaries, colors.transfer, 0, 1]])?;
    colors.mastering.map_or(Some(()), |volume| push(out, b"mDCV", &[&volume]))?;
    colors.light_levels.map_or(Some(()), |levels| push(out, b"cLLI", &[&levels]))
}
