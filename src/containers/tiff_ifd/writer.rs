//! Writes TIFF structures with their directories (TIFF 6.0, section 2).

use std::borrow::Cow;

use super::{Endian, kind};

/// A field to be written.
pub(crate) struct Entry<'a> {
    pub(crate) tag: u16,
    pub(crate) value: Value<'a>,
}

/// The value of a field to be written.
pub(crate) enum Value<'a> {
    /// Bytes of a type, in the byte order of the file.
    Bytes(u16, Cow<'a, [u8]>),
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    /// A sub-directory.
    Directory(Vec<Entry<'a>>),
}

impl<'a> Entry<'a> {
    pub(crate) fn bytes(tag: u16, kind: u16, value: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { tag, value: Value::Bytes(kind, value.into()) }
    }

    pub(crate) fn short(tag: u16, number: u16) -> Self {
        Self { tag, value: Value::Shorts(vec![number]) }
    }

    pub(crate) fn long(tag: u16, number: u32) -> Self {
        Self { tag, value: Value::Longs(vec![number]) }
    }
}

/// Writes a TIFF structure from front to back. Returns `None` beyond 4 GiB, which TIFF cannot address.
pub(crate) struct Writer {
    out: Vec<u8>,
    endian: Endian,
    /// The position of the offset to the next directory.
    link: usize,
}

impl Writer {
    pub(crate) fn new(endian: Endian) -> Self {
        let start: &[u8; 8] = match endian {
            Endian::Little => b"II\x2A\0\0\0\0\0",
            Endian::Big => b"MM\0\x2A\0\0\0\0",
        };
        Self { out: start.to_vec(), endian, link: 4 }
    }

    /// Appends a directory or a value and returns its offset, which is even (TIFF 6.0, section 2, "Image File Directory").
    fn aligned(&mut self, data: &[u8]) -> Option<u32> {
        self.out.resize(self.out.len().next_multiple_of(2), 0);
        self.chunk(data)
    }

    /// Appends a strip or a tile and returns its offset, which may be odd.
    pub(crate) fn chunk(&mut self, data: &[u8]) -> Option<u32> {
        let offset = u32::try_from(self.out.len()).ok()?;
        self.out.extend_from_slice(data);
        Some(offset)
    }

    /// Appends the directory of a picture and links it to the previous one.
    pub(crate) fn page(&mut self, entries: Vec<Entry>) -> Option<()> {
        let offset = self.directory(entries)?;
        let bytes = self.endian.long(offset);
        self.out.get_mut(self.link..self.link + 4)?.copy_from_slice(&bytes);
        self.link = self.out.len() - 4;
        Some(())
    }

    /// The bytes written so far.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// The complete structure.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        u32::try_from(self.out.len()).ok()?;
        Some(self.out)
    }

    /// Appends a directory after its values. The last four bytes are the link to the next directory.
    fn directory(&mut self, mut entries: Vec<Entry>) -> Option<u32> {
        // TIFF requires ascending order of tags.
        entries.sort_by_key(|entry| entry.tag);
        entries.dedup_by_key(|entry| entry.tag);
        let mut table = Vec::with_capacity(2 + 12 * entries.len() + 4);
        table.extend(self.endian.short(u16::try_from(entries.len()).ok()?));
        for Entry { tag, value } in entries {
            let (kind, bytes) = match value {
                Value::Bytes(kind, bytes) => (kind, bytes),
                Value::Shorts(numbers) => {
                    (kind::SHORT, numbers.iter().flat_map(|&number| self.endian.short(number)).collect())
                }
                Value::Longs(numbers) => {
                    (kind::LONG, numbers.iter().flat_map(|&number| self.endian.long(number)).collect())
                }
                Value::Directory(entries) => {
                    let offset = self.directory(entries)?;
                    (kind::LONG, self.endian.long(offset).to_vec().into())
                }
            };
            table.extend(self.endian.short(tag));
            table.extend(self.endian.short(kind));
            table.extend(self.endian.long(u32::try_from(bytes.len() / kind::size(kind)?).ok()?));
            match bytes.len() {
                ..=4 => {
                    table.extend_from_slice(&bytes);
                    table.resize(table.len() + 4 - bytes.len(), 0);
                }
                _ => {
                    let offset = self.aligned(&bytes)?;
                    table.extend(self.endian.long(offset));
                }
            }
        }
        table.extend([0; 4]);
        self.aligned(&table)
    }
}
