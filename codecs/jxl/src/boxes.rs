//! EXIF and XMP: boxes of the container (ISO/IEC 18181-2), compressed with Brotli or not.

use std::io::Read;

use brotli_decompressor::Decompressor;
use jxl::api::{JxlAuxBox, JxlAuxBoxType, JxlDecoder};

/// The most bytes of a box. Metadata beyond is dropped, so that a few bytes do not become gigabytes.
const MAX_LENGTH: u64 = 16 << 20;

/// The low seven bits of a Brotli stream with a window of up to 1 GiB. RFC 7932 (9.1) has no such windows, of which the decoder allocates
/// the whole.
const LARGE_WINDOW: u8 = 0x11;

/// EXIF's tag of the orientation (Exif 3.0, 4.6.5.1).
const ORIENTATION: u16 = 0x0112;
const SHORT: u16 = 3;

/// The boxes to ask a decoder for.
pub(crate) fn wanted() -> Vec<JxlAuxBoxType> {
    vec![JxlAuxBoxType::EXIF, JxlAuxBoxType::XMP]
}

/// What the boxes hold.
#[derive(Default)]
pub(crate) struct Metadata {
    /// A TIFF structure without an orientation of its own.
    pub(crate) exif: Option<Vec<u8>>,
    /// An XMP packet.
    pub(crate) xmp: Option<Vec<u8>>,
}

impl Metadata {
    /// Of a decoder that has come to the end of the file but for `rest`.
    pub(crate) fn of(decoder: &JxlDecoder, rest: &[u8]) -> Self {
        let first = |kind: JxlAuxBoxType| {
            let closed = decoder.aux_boxes(kind).first().map(|found| contents(found, &[]));
            // A box that lasts until the end of the file.
            let last = || decoder.trailing_box().filter(|found| found.box_type() == kind);
            closed.or_else(|| last().map(|found| contents(found, rest))).flatten()
        };
        let exif = first(JxlAuxBoxType::EXIF).and_then(|data| tiff(&data));
        Self { exif, xmp: first(JxlAuxBoxType::XMP) }
    }
}

/// The bytes of a box, of which `rest` is not in the decoder. `None` if they are damaged or too many.
fn contents(found: &JxlAuxBox, rest: &[u8]) -> Option<Vec<u8>> {
    let stored = found.raw_data().chain(rest);
    let mut bytes = Vec::new();
    let read = if found.is_compressed() {
        let first = found.raw_data().first().or(rest.first())?;
        if first & 0x7f == LARGE_WINDOW {
            return None;
        }
        Decompressor::new(stored, 4096).take(MAX_LENGTH + 1).read_to_end(&mut bytes)
    } else {
        stored.take(MAX_LENGTH + 1).read_to_end(&mut bytes)
    };
    (read.is_ok() && bytes.len() as u64 <= MAX_LENGTH).then_some(bytes)
}

/// The TIFF structure of an `Exif` box, which begins with an offset to it.
fn tiff(data: &[u8]) -> Option<Vec<u8>> {
    let (offset, rest) = data.split_first_chunk()?;
    let mut tiff = rest.get(u32::from_be_bytes(*offset) as usize..)?.to_vec();
    reset_orientation(&mut tiff);
    Some(tiff)
}

/// Sets the orientation in the first directory to 1: the pixels are upright.
fn reset_orientation(tiff: &mut [u8]) -> Option<()> {
    let little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short =
        |bytes: &[u8; 2]| if little { u16::from_le_bytes(*bytes) } else { u16::from_be_bytes(*bytes) };
    let long = |bytes: &[u8; 4]| if little { u32::from_le_bytes(*bytes) } else { u32::from_be_bytes(*bytes) };
    let directory = tiff.get_mut(long(tiff.get(4..)?.first_chunk()?) as usize..)?;
    let (count, entries) = directory.split_first_chunk_mut()?;
    let count = usize::from(short(count));
    let upright = if little { [1, 0] } else { [0, 1] };
    for entry in entries.as_chunks_mut::<12>().0.iter_mut().take(count) {
        let [tag_high, tag_low, kind_high, kind_low, .., first, second, _, _] = entry;
        if short(&[*tag_high, *tag_low]) == ORIENTATION && short(&[*kind_high, *kind_low]) == SHORT {
            [*first, *second] = upright;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_orientation_of_the_first_directory_is_reset() {
        let entries = |short: fn(u16) -> [u8; 2], long: fn(u32) -> [u8; 4], orientation: u16| {
            let mut tiff = long(8).to_vec();
            tiff.extend(short(2));
            for (tag, value) in [(0x0100, 6), (ORIENTATION, orientation)] {
                tiff.extend([short(tag), short(SHORT)].concat());
                tiff.extend(long(1));
                tiff.extend([short(value), short(0)].concat());
            }
            tiff
        };
        for big in [false, true] {
            let mark: &[u8] = if big { b"MM\0*" } else { b"II*\0" };
            let short: fn(u16) -> [u8; 2] = if big { u16::to_be_bytes } else { u16::to_le_bytes };
            let long: fn(u32) -> [u8; 4] = if big { u32::to_be_bytes } else { u32::to_le_bytes };
            let whole = |orientation| [mark, &entries(short, long, orientation)].concat();
            let data = [&[0, 0, 0, 2, 7, 7][..], &whole(6)].concat();
            assert_eq!(tiff(&data), Some(whole(1)));
        }
    }

    #[test]
    fn a_damaged_structure_is_left_as_it_is() {
        for data in [&b"\0\0\0\0II*\0\xff\xff\xff\xff"[..], b"\0\0\0\0MM\0*\0\0\0\x08\xff\xff", b"\0\0\0\0"] {
            assert_eq!(tiff(data).as_deref(), Some(&data[4..]));
        }
        assert_eq!(tiff(b"\0\0\0\x09short"), None);
        assert_eq!(tiff(b""), None);
    }
}
