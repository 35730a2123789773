//! JPEG, BMP, ICO and PNM, whose signatures are so short that header fields are checked as well.

use super::bytes::{has, le16, le32};
use super::{Sniffed, unsupported};
use crate::media_type::MediaType::{Bmp, Ico, Jpeg, Pnm};

/// ITU-T T.81 annex B: start of image, then another marker. JPEG-LS (T.87) has a frame marker of its own.
pub(crate) fn jpeg(head: &[u8]) -> Option<Sniffed> {
    match head {
        [0xff, 0xd8, 0xff, 0xf7, ..] => Some(unsupported("JPEG-LS", "image/jls")),
        [0xff, 0xd8, 0xff, ..] => Some(Sniffed::Known(Jpeg)),
        _ => None,
    }
}

/// Two letters and the length of the second header, which tells the versions apart
/// (<https://learn.microsoft.com/windows/win32/gdi/bitmap-header-types>; OS/2 has 12, 16 and 64).
pub(crate) fn bmp(head: &[u8]) -> Option<Sniffed> {
    let is_bitmap =
        head.starts_with(b"BM") && matches!(le32(head, 14)?, 12 | 16 | 40 | 52 | 56 | 64 | 108 | 124);
    is_bitmap.then_some(Sniffed::Known(Bmp))
}

/// A directory of at least one picture, the first of which lies behind the directory. Cursors are laid out alike.
pub(crate) fn ico(head: &[u8]) -> Option<Sniffed> {
    const DIRECTORY: u32 = 6;
    const ENTRY: u32 = 16;
    let [0, 0, kind @ (1 | 2), 0, ..] = head else {
        return None;
    };
    let pictures = u32::from(le16(head, 4)?);
    let reserved = *head.get(9)?;
    let (length, offset) = (le32(head, 14)?, le32(head, 18)?);
    if pictures == 0 || length == 0 || offset < DIRECTORY + ENTRY * pictures {
        return None;
    }
    match kind {
        1 => Some(Sniffed::Known(Ico)),
        // A TGA can begin like a cursor; the reserved byte is 0 in cursors, 255 in some.
        _ if matches!(reserved, 0 | 255) => Some(unsupported("Windows cursor", "image/x-win-bitmap")),
        _ => None,
    }
}

/// <https://netpbm.sourceforge.net/doc/>: `P`, a digit, a blank, and then a number (PAM: a word) or a comment.
pub(crate) fn pnm(head: &[u8]) -> Option<Sniffed> {
    let [b'P', kind, blank, rest @ ..] = head else {
        return None;
    };
    if !blank.is_ascii_whitespace() {
        return None;
    }
    let first = rest.iter().copied().find(|byte| !byte.is_ascii_whitespace())?;
    let is_pnm = match kind {
        b'1'..=b'6' => first == b'#' || first.is_ascii_digit(),
        b'7' => {
            first == b'#'
                || [&b"WIDTH"[..], b"HEIGHT", b"DEPTH", b"MAXVAL", b"TUPLTYPE"]
                    .iter()
                    .any(|word| has(rest, 0, word))
        }
        b'F' | b'f' if first.is_ascii_digit() => {
            return Some(unsupported("Portable float map", "image/x-portable-floatmap"));
        }
        _ => false,
    };
    is_pnm.then_some(Sniffed::Known(Pnm))
}
