//! The metadata in a BMP: the profile that the longest header points to, and unreferenced data
//! (<https://learn.microsoft.com/windows/win32/gdi/bitmap-storage>).

use crate::metadata::Metadata;

/// The file header, before that of the bitmap.
const FILE_HEADER: usize = 14;
/// The header version with profiles: the color space is at offset 56, offset and length of the profile at 112 and 116.
const V5: u32 = 124;
const COLORS: usize = FILE_HEADER + 56;
const PROFILE: usize = FILE_HEADER + 112;
/// `MBED`, `LINK` and `sRGB` as little-endian numbers.
const EMBEDDED: &[u8] = b"DEBM";
const LINKED: &[u8] = b"KNIL";
const SRGB: &[u8] = b"BGRs";

/// An embedded profile. A linked one is a path on the author's disk.
pub(crate) fn read(bmp: &[u8]) -> Metadata {
    Metadata { icc: profile(bmp), ..Metadata::default() }
}

fn profile(bmp: &[u8]) -> Option<Vec<u8>> {
    let embedded = u32_at(bmp, FILE_HEADER)? == V5 && bmp.get(COLORS..COLORS + 4)? == EMBEDDED;
    let start = FILE_HEADER.checked_add(u32_at(bmp, PROFILE).filter(|_| embedded)? as usize)?;
    Some(bmp.get(start..)?.get(..u32_at(bmp, PROFILE + 4)? as usize)?.to_vec())
}

/// Headers, palette and pixels without gaps, and the profile to keep.
pub(crate) fn write(bmp: &[u8], metadata: &Metadata) -> Option<Vec<u8>> {
    let header = u32_at(bmp, FILE_HEADER)?;
    let (width, height, bits, coding, colors) = match header {
        12 => (u16_at(bmp, 18)?.into(), u16_at(bmp, 20)?.into(), u16_at(bmp, 24)?, 0, 0),
        40..=V5 => {
            let height = u32_at(bmp, 22)?.cast_signed().unsigned_abs();
            (u32_at(bmp, 18)?, height, u16_at(bmp, 28)?, u32_at(bmp, 30)?, u32_at(bmp, 46)?)
        }
        _ => return None,
    };
    let colors = if colors == 0 && bits <= 8 { 1 << bits } else { colors };
    let masks = match (header, coding) {
        (40, 3) => 12,
        (40, 6) => 16,
        _ => 0,
    };
    let palette = colors.checked_mul(if header == 12 { 3 } else { 4 })?;
    let headers = header.checked_add(masks)?.checked_add(FILE_HEADER as u32)?;
    let place = u32_at(bmp, 10)?;
    // Pixels that overlap the end of the palette stay there: they are read as the missing colors.
    let start = headers.checked_add(palette)?.min(Some(place).filter(|place| *place >= headers)?);
    let pixels = bmp.get(place as usize..)?;
    let length = match coding {
        0 | 3 | 6 => {
            let row = u64::from(width).checked_mul(bits.into())?.div_ceil(32).checked_mul(4)?;
            usize::try_from(row.checked_mul(height.into())?).ok()?
        }
        1 | 2 => run_length(pixels, if coding == 1 { 8 } else { 4 })?,
        _ => return None,
    };
    let mut out = bmp.get(..start as usize)?.to_vec();
    out.extend_from_slice(pixels.get(..length)?);
    if header == V5 {
        out.get_mut(PROFILE..PROFILE + 8)?.fill(0);
        let kind = out.get_mut(COLORS..COLORS + 4)?;
        if *kind == *EMBEDDED || *kind == *LINKED {
            kind.copy_from_slice(if metadata.icc.is_some() { EMBEDDED } else { SRGB });
        }
        if let Some(icc) = &metadata.icc {
            let place = [out.len() - FILE_HEADER, icc.len()].map(|number| (number as u32).to_le_bytes());
            out.get_mut(PROFILE..PROFILE + 8)?.copy_from_slice(place.as_flattened());
            out.extend_from_slice(icc);
        }
    }
    // The file size, four reserved bytes, and the offset of the pixels.
    let fields = [out.len() as u32, 0, start].map(u32::to_le_bytes);
    out.get_mut(2..FILE_HEADER)?.copy_from_slice(fields.as_flattened());
    Some(out)
}

/// The length of run-length encoded pixels in bytes. Codes have two bytes; after a 0 follows the end of the row (0) or
/// of the picture (1), a delta (2), or a count of literal pixels.
fn run_length(pixels: &[u8], bits: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        let pair: [u8; 2] = *pixels.get(at..)?.first_chunk()?;
        at += 2;
        match pair {
            [0, 1] => return Some(at),
            [0, 2] => at += 2,
            [0, count @ 3..=255] => at += (usize::from(count) * bits).div_ceil(16) * 2,
            _ => {}
        }
    }
}

fn u32_at(bmp: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bmp.get(at..)?.first_chunk()?))
}

fn u16_at(bmp: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bmp.get(at..)?.first_chunk()?))
}
