//! Files in boxes: MPEG-4 and its kin, AVIF, HEIC, and those only named, other HEIF, JPEG XL and JPEG 2000.
//!
//! ISO/IEC 14496-12 §4.3 (`ftyp`): the major brand says what the file is meant to be, the compatible brands what it can also
//! be read as. Brands: <https://mp4ra.org/registered-types/brands>. QuickTime files older than `ftyp` begin with another box.

use super::bytes::{array, be32};
use super::{Sniffed, unsupported};
use crate::media_type::MediaType::{Avif, F4v, Heic, M4a, M4v, Mp4, QuickTime, ThreeGpp};

/// The brands of no maker in particular; sound-only and renamed files carry them too.
const GENERIC: Sniffed = Sniffed::OneOf(&[Mp4, M4v, F4v, M4a]);

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    let size = be32(head, 0)?;
    let kind: [u8; 4] = array(head, 4)?;
    match &kind {
        b"ftyp" if head.len() >= 12 => Some(by_brands(head, size)),
        b"JXL " if size == 12 => Some(unsupported("JPEG XL", "image/jxl")),
        b"jP  " if size == 12 => Some(unsupported("JPEG 2000", "image/jp2")),
        b"moov" if matches!(head.get(12..16), Some(b"mvhd" | b"cmov" | b"rmra")) => Some(QUICKTIME),
        b"mdat" if size < 2 || head[0] < 0x20 => Some(QUICKTIME),
        b"wide" if size == 8 => Some(QUICKTIME),
        // Text may have these words here ("The free …"); a size of less than 16 MiB does not begin with a letter.
        b"free" | b"skip" | b"pnot" if head[0] == 0 => Some(QUICKTIME),
        _ => None,
    }
}

const QUICKTIME: Sniffed = Sniffed::Known(QuickTime);

fn by_brands(head: &[u8], size: u32) -> Sniffed {
    let end = usize::try_from(size).unwrap_or(usize::MAX).clamp(12, head.len().max(12));
    let major = head.get(8..12).unwrap_or_default();
    let compatible = head.get(16..end).unwrap_or_default().chunks_exact(4);
    let mut brands = std::iter::once(major).chain(compatible);
    // `mif1` and the like only say that there are images; which codec they are in stands in another brand.
    let specific = brands.clone().filter(|brand| !is_any_heif(brand)).find_map(of_brand);
    match specific {
        Some(sniffed) => sniffed,
        None if brands.any(is_any_heif) => unsupported("HEIF", "image/heif"),
        None => unsupported("ISO media file of an unknown brand", "application/mp4"),
    }
}

fn is_any_heif(brand: &[u8]) -> bool {
    matches!(brand, b"mif1" | b"mif2" | b"msf1" | b"miaf")
}

fn of_brand(brand: &[u8]) -> Option<Sniffed> {
    Some(match brand {
        b"avif" | b"avis" => Sniffed::Known(Avif),
        b"qt  " => QUICKTIME,
        // These hold what MPEG-4 holds, and are often named so.
        b"M4V " | b"M4VH" | b"M4VP" => Sniffed::OneOf(&[M4v, Mp4]),
        b"F4V " | b"F4P " | b"f4v " => Sniffed::OneOf(&[F4v, Mp4]),
        [b'3', b'g', _, _] => Sniffed::OneOf(&[ThreeGpp, Mp4]),
        b"M4A " | b"M4B " | b"M4P " | b"F4A " | b"F4B " => Sniffed::Known(M4a),
        [b'i', b's', b'o', _] | b"mp41" | b"mp42" | b"mp71" | b"mmp4" | b"avc1" | b"hvc1" | b"av01" => {
            GENERIC
        }
        b"dash" | b"msdh" | b"msix" | b"cmfc" | b"cmfs" | b"isml" | b"piff" | b"MSNV" | b"XAVC" => GENERIC,
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => Sniffed::Known(Heic),
        b"avci" | b"avcs" => unsupported("HEIF with AVC", "image/avci"),
        b"crx " => unsupported("Canon CR3 raw", "image/x-canon-cr3"),
        b"jp2 " | b"jpx " | b"jpm " | b"mjp2" => unsupported("JPEG 2000", "image/jp2"),
        _ => return None,
    })
}
