//! TIFF 6.0 §2, BigTIFF, and the camera raws and others that borrow their layout.
//!
//! The picture that a raw file shows to a TIFF reader is a thumbnail; taken for a TIFF it would lose everything else.

use super::bytes::{be16, be32, has, le16, le32};
use super::{Sniffed, unsupported};
use crate::media_type::MediaType::Tiff;

const NEW_SUBFILE_TYPE: u16 = 254;
const SUB_IFDS: u16 = 330;
const DNG_VERSION: u16 = 50_706;

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    match head {
        [b'I', b'I', 0x2a, 0, ..] if has(head, 8, b"CR\x02") => {
            Some(unsupported("Canon CR2 raw", "image/x-canon-cr2"))
        }
        [b'I', b'I', 0x2a, 0, ..] => Some(classic(head, Order::Little)),
        [b'M', b'M', 0, 0x2a, ..] => Some(classic(head, Order::Big)),
        [b'I', b'I', 0x2b, 0, ..] | [b'M', b'M', 0, 0x2b, ..] => Some(Sniffed::Known(Tiff)),
        [b'I', b'I', b'U', 0, ..] => Some(unsupported("Panasonic RW2 raw", "image/x-panasonic-rw2")),
        [b'I', b'I', b'R', b'O' | b'S', ..] | [b'M', b'M', b'O', b'R', ..] => {
            Some(unsupported("Olympus ORF raw", "image/x-olympus-orf"))
        }
        [b'I', b'I', 0xbc, 1, ..] => Some(unsupported("JPEG XR", "image/jxr")),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u16(self, head: &[u8], offset: usize) -> Option<u16> {
        match self {
            Self::Little => le16(head, offset),
            Self::Big => be16(head, offset),
        }
    }

    fn u32(self, head: &[u8], offset: usize) -> Option<u32> {
        match self {
            Self::Little => le32(head, offset),
            Self::Big => be32(head, offset),
        }
    }
}

/// DNG has a tag of its own (DNG specification 1.7, chapter 4). NEF, ARW, PEF and others say in the first directory that its
/// picture is a small version of another, and where that one is.
fn classic(head: &[u8], order: Order) -> Sniffed {
    let entries = entries(head, order).unwrap_or_else(|| [].chunks_exact(1));
    let tag = |entry: &[u8]| order.u16(entry, 0);
    if entries.clone().any(|entry| tag(entry) == Some(DNG_VERSION)) {
        return unsupported("DNG raw", "image/x-adobe-dng");
    }
    let reduced = |entry: &[u8]| tag(entry) == Some(NEW_SUBFILE_TYPE) && order.u32(entry, 8) == Some(1);
    if entries.clone().any(reduced) && entries.clone().any(|entry| tag(entry) == Some(SUB_IFDS)) {
        return unsupported("camera raw based on TIFF", "image/x-dcraw");
    }
    Sniffed::Known(Tiff)
}

/// The entries of the first directory, as far as they are in the head; they are often at the end of a TIFF, never of a raw.
fn entries(head: &[u8], order: Order) -> Option<std::slice::ChunksExact<'_, u8>> {
    const ENTRY_LENGTH: usize = 12;
    let directory = usize::try_from(order.u32(head, 4)?).ok()?;
    let count = usize::from(order.u16(head, directory)?);
    let entries = head.get(directory + 2..)?;
    Some(entries[..entries.len().min(count * ENTRY_LENGTH)].chunks_exact(ENTRY_LENGTH))
}
