//! The multi-picture index of a JPEG (CIPA DC-007): where the pictures after the first one are. Reads any number, and writes an index of
//! two.

use std::ops::Range;

use crate::containers::tiff_ifd::File;
use crate::formats::jpeg::metadata::{APP2, MPF, push};
use crate::formats::jpeg::segments::{Part, Parts, SOI};

/// The index of two pictures: TIFF header, three fields, two entries.
const INDEX_LENGTH: usize = 8 + 2 + 3 * 12 + 4 + 2 * 16;
/// The bytes of the segment before the index: marker, length, `MPF\0`. Offsets of pictures are relative to its end.
const INDEX_HEADER: usize = 8;
/// The most pictures after the first one that are looked at: an index can list thousands, all of them the whole file.
const MOST_OTHERS: usize = 16;
/// The field `MPEntry`: attributes, size, offset and two numbers of dependent pictures, for each picture.
const MP_ENTRY: u16 = 0xB002;

/// The first pictures after the first one, as far as they are within the file.
pub(super) fn others(jpeg: &[u8]) -> Option<Vec<&[u8]>> {
    let mut parts = Parts::new(jpeg);
    let (base, index) = loop {
        if let Part::Segment { payload, .. } = parts.next()?
            && let Some(index) = payload.strip_prefix(MPF)
        {
            break (parts.offset() - index.len(), index);
        }
    };
    let file = File::open(index)?;
    let entries = file.first()?.bytes(MP_ENTRY)?;
    let picture = |entry: &[u8; 16]| {
        let [size, offset] = [&entry[4..8], &entry[8..12]].map(|number| file.endian.number(number) as usize);
        let start = base.checked_add(offset)?;
        jpeg.get(Range { start, end: start.checked_add(size)? })
    };
    let others = entries.as_chunks::<16>().0.iter().skip(1).take(MOST_OTHERS).filter_map(picture);
    Some(others.filter(|picture| picture.starts_with(&[0xFF, SOI])).collect())
}

/// A file of two pictures: `first`, a JPEG without an index, with one after its application segments; and `second`.
pub(super) fn join(first: &[u8], second: &[u8]) -> Option<Vec<u8>> {
    let (head, body) = first.split_at_checked(head_length(first)?)?;
    let size = first.len() + INDEX_HEADER + INDEX_LENGTH;
    let mut out = Vec::with_capacity(size + second.len());
    out.extend_from_slice(head);
    push(&mut out, APP2, &[MPF, &index(size, second.len(), size - head.len() - INDEX_HEADER)?]);
    out.extend_from_slice(body);
    out.extend_from_slice(second);
    Some(out)
}

/// The length of a file up to the end of its leading application segments.
fn head_length(jpeg: &[u8]) -> Option<usize> {
    let mut parts = Parts::new(jpeg);
    let mut head = parts.offset();
    while let Part::Segment { marker: 0xE0..=0xEF, .. } = parts.next()? {
        head = parts.offset();
    }
    Some(head)
}

/// The index of a file of two pictures: the first of `size` bytes, the second of `second_size` bytes at `offset` (CIPA DC-007, 5.2).
fn index(size: usize, second_size: usize, offset: usize) -> Option<Vec<u8>> {
    let [size, second_size, offset] =
        [size, second_size, offset].map(|number| u32::try_from(number).ok().map(u32::to_be_bytes));
    let (size, second_size, offset) = (size?, second_size?, offset?);
    let field = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value].concat()
    };
    let entries_at = (INDEX_LENGTH as u32 - 32).to_be_bytes();
    Some(
        [
            &b"MM\0\x2A\0\0\0\x08\0\x03"[..],
            &field(0xB000, 7, 4, *b"0100"),
            &field(0xB001, 4, 1, 2_u32.to_be_bytes()),
            &field(MP_ENTRY, 7, 32, entries_at),
            &[0; 4],
            // "Baseline MP primary image"; of the other, the type is undefined.
            &[0x00, 0x03, 0x00, 0x00],
            &size,
            &[0; 8],
            &[0; 4],
            &second_size,
            &offset,
            &[0; 4],
        ]
        .concat(),
    )
}
