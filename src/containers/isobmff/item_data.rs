//! Where the bytes of an item are (ISO/IEC 14496-12, 8.11.3).

use std::borrow::Cow;

use crate::containers::isobmff::Reader;

/// The most extents of all items together.
const MAX_EXTENTS: usize = 1 << 20;

/// What offsets of items refer to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contents<'a> {
    pub(super) file: &'a [u8],
    /// The payload of `idat`.
    pub(super) data: &'a [u8],
}

/// The place of an item's bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Location {
    base: Base,
    /// Offset and length of each.
    extents: Vec<(u64, u64)>,
}

/// What the offsets of an item are counted from (`construction_method`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Base {
    /// The start of the file.
    #[default]
    File,
    /// The `idat` box.
    Data,
    /// Another item.
    Item,
}

/// Reads `iloc`, and passes on the ID of each item, its location, and whether that is in another file.
pub(super) fn read_locations(mut reader: Reader<'_>, mut put: impl FnMut(u32, Location, bool)) -> Option<()> {
    let (version, _) = reader.version()?;
    let [sizes, more] = reader.array()?;
    let (offset_size, length_size, base_size) = (sizes >> 4, sizes & 15, more >> 4);
    let index_size = if version > 0 { more & 15 } else { 0 };
    let mut left = MAX_EXTENTS;
    for _ in 0..reader.id(version > 1)? {
        let id = reader.id(version > 1)?;
        let base = match if version > 0 { reader.u16()? & 15 } else { 0 } {
            0 => Base::File,
            1 => Base::Data,
            _ => Base::Item,
        };
        let reference = reader.u16()?;
        let start = reader.sized(base_size)?;
        let count = reader.u16()?;
        // The number of empty extents would not be limited by the file size.
        if count > 1 && offset_size + length_size == 0 {
            return None;
        }
        left = left.checked_sub(count.into())?;
        let mut extents = Vec::new();
        for _ in 0..count {
            reader.sized(index_size)?;
            let offset = start.checked_add(reader.sized(offset_size)?)?;
            extents.push((offset, reader.sized(length_size)?));
        }
        put(id, Location { base, extents }, reference != 0);
    }
    Some(())
}

impl Location {
    /// The bytes of the item; `None` if they are not complete.
    pub(super) fn bytes<'a>(&self, contents: Contents<'a>) -> Option<Cow<'a, [u8]>> {
        let source = self.source(contents)?;
        if let [only] = self.extents.as_slice() {
            return extent(source, *only).map(Cow::Borrowed);
        }
        let mut bytes = Vec::new();
        for &one in &self.extents {
            let part = extent(source, one)?;
            // Overlapping extents could expand a small file to any size.
            if bytes.len() + part.len() > contents.file.len() {
                return None;
            }
            bytes.extend_from_slice(part);
        }
        Some(Cow::Owned(bytes))
    }

    /// The first bytes of the item, as far as they are contiguous and present.
    pub(super) fn start<'a>(&self, contents: Contents<'a>) -> &'a [u8] {
        let (Some(source), Some((offset, length))) = (self.source(contents), self.extents.first()) else {
            return &[];
        };
        let rest = usize::try_from(*offset).ok().and_then(|offset| source.get(offset..)).unwrap_or_default();
        &rest[..usize::try_from(*length).map_or(rest.len(), |length| length.min(rest.len()))]
    }

    /// The length that the item claims.
    pub(super) fn length(&self) -> u64 {
        self.extents.iter().fold(0, |sum, (_, length)| sum.saturating_add(*length))
    }

    /// Whether the item is stored in the `meta` box.
    pub(super) fn is_inline(&self) -> bool {
        self.base == Base::Data
    }

    fn source<'a>(&self, contents: Contents<'a>) -> Option<&'a [u8]> {
        match self.base {
            Base::File => Some(contents.file),
            Base::Data => Some(contents.data),
            Base::Item => None,
        }
    }
}

fn extent(source: &[u8], (offset, length): (u64, u64)) -> Option<&[u8]> {
    let offset = usize::try_from(offset).ok()?;
    source.get(offset..offset.checked_add(usize::try_from(length).ok()?)?)
}
