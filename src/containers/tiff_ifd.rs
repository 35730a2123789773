//! TIFF image file directories (IFDs): read from TIFF and BigTIFF, written as TIFF (TIFF 6.0, section 2).
//!
//! Values stay in the byte order of the file until numbers are requested. A field whose value is not within the file is
//! ignored. A chain of directories that overlap is an error.

#[cfg(feature = "full")]
mod writer;

use crate::containers::tiff_tags as tag;

#[cfg(feature = "full")]
pub(crate) use writer::{Entry, Value, Writer};

/// Bits of NewSubfileType: bit 0 is a reduced-resolution image, bit 2 a transparency mask.
const COPY_OR_MASK: u64 = 0b101;

/// Field types (section 2, and the BigTIFF design).
pub(crate) mod kind {
    pub(crate) const BYTE: u16 = 1;
    pub(crate) const SHORT: u16 = 3;
    pub(crate) const LONG: u16 = 4;
    pub(crate) const RATIONAL: u16 = 5;
    pub(crate) const UNDEFINED: u16 = 7;
    const SIGNED_RATIONAL: u16 = 10;
    pub(crate) const FLOAT: u16 = 11;
    pub(crate) const DOUBLE: u16 = 12;
    pub(crate) const IFD: u16 = 13;
    pub(crate) const LONG8: u16 = 16;
    pub(crate) const SIGNED_LONG8: u16 = 17;
    pub(crate) const IFD8: u16 = 18;
    /// UTF-8, new in EXIF 3.0.
    const UTF8: u16 = 129;

    /// Bytes per value; `None` for an unknown type.
    pub(crate) fn size(kind: u16) -> Option<usize> {
        match kind {
            BYTE | 2 | 6 | UNDEFINED | UTF8 => Some(1),
            SHORT | 8 => Some(2),
            LONG | 9 | FLOAT | IFD => Some(4),
            RATIONAL | SIGNED_RATIONAL | DOUBLE | LONG8 | SIGNED_LONG8 | IFD8 => Some(8),
            _ => None,
        }
    }

    /// Bytes per number that the byte order applies to: a rational has two numbers.
    pub(crate) fn word(kind: u16) -> usize {
        match kind {
            RATIONAL | SIGNED_RATIONAL => 4,
            other => size(other).unwrap_or(1),
        }
    }
}

/// The byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endian {
    Little,
    Big,
}

impl Endian {
    /// Reads a number of up to eight bytes.
    pub(crate) fn number(self, bytes: &[u8]) -> u64 {
        let step = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            Self::Little => bytes.iter().rev().fold(0, step),
            Self::Big => bytes.iter().fold(0, step),
        }
    }

    pub(super) fn short(self, number: u16) -> [u8; 2] {
        match self {
            Self::Little => number.to_le_bytes(),
            Self::Big => number.to_be_bytes(),
        }
    }

    pub(super) fn long(self, number: u32) -> [u8; 4] {
        match self {
            Self::Little => number.to_le_bytes(),
            Self::Big => number.to_be_bytes(),
        }
    }
}

/// A TIFF structure: a whole file, or the EXIF of another file.
#[derive(Clone, Copy)]
pub(crate) struct File<'a> {
    bytes: &'a [u8],
    pub(crate) endian: Endian,
    /// Whether it is BigTIFF, with offsets and counts of eight bytes.
    big: bool,
    first: u64,
}

impl<'a> File<'a> {
    /// Returns `None` if the header is not that of a TIFF.
    pub(crate) fn open(bytes: &'a [u8]) -> Option<Self> {
        let (endian, big) = match bytes.first_chunk()? {
            b"II\x2A\0" => (Endian::Little, false),
            b"MM\0\x2A" => (Endian::Big, false),
            b"II\x2B\0" => (Endian::Little, true),
            b"MM\0\x2B" => (Endian::Big, true),
            _ => return None,
        };
        // BigTIFF states the size of its offsets here.
        if big && endian.number(bytes.get(4..6)?) != 8 {
            return None;
        }
        let first = endian.number(bytes.get(if big { 8..16 } else { 4..8 })?);
        Some(Self { bytes, endian, big, first })
    }

    /// The length of the structure in bytes.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The first directory, whatever it describes.
    pub(crate) fn first(&self) -> Option<Directory<'a>> {
        self.directory(self.first)
    }

    /// The directories of the main pictures in order: reduced-resolution copies and masks are left out, unless there
    /// are no others. Returns `None` if the chain is truncated, circular or overlapping.
    pub(crate) fn pages(&self) -> Option<Vec<Directory<'a>>> {
        // Directories that do not overlap have no more fields than fit into the file.
        let mut budget = self.bytes.len() / 12 + 1;
        let mut pages = Vec::new();
        let mut copies = Vec::new();
        let mut at = self.first;
        while at != 0 {
            let directory = self.directory(at)?;
            budget = budget.checked_sub(directory.entries.max(1))?;
            at = directory.next;
            if directory.number(tag::IMAGE_WIDTH).is_none() {
                continue;
            }
            match directory.number(tag::NEW_SUBFILE_TYPE).unwrap_or(0) & COPY_OR_MASK {
                0 => pages.push(directory),
                _ => copies.push(directory),
            }
        }
        Some(if pages.is_empty() { copies } else { pages })
    }

    /// The directory at an offset; `None` if there is none. Invalid fields are left out.
    pub(crate) fn directory(&self, offset: u64) -> Option<Directory<'a>> {
        let start = usize::try_from(offset).ok()?;
        let (count_size, entry_size, offset_size) = if self.big { (8, 20, 8) } else { (2, 12, 4) };
        let count = self.endian.number(self.slice(start, count_size)?);
        let entries = usize::try_from(count).ok()?;
        let table = self.slice(start.checked_add(count_size)?, entries.checked_mul(entry_size)?)?;
        let behind = start + count_size + table.len();
        let next = self.slice(behind, offset_size).map_or(0, |next| self.endian.number(next));
        let fields = table.chunks_exact(entry_size).filter_map(|entry| self.field(entry)).collect();
        Some(Directory { file: *self, fields, entries, next })
    }

    fn field(&self, entry: &'a [u8]) -> Option<Field<'a>> {
        let (head, rest) = entry.split_at_checked(4)?;
        let (count, inline) = rest.split_at_checked(rest.len() / 2)?;
        let kind = self.endian.number(&head[2..]) as u16;
        let count = usize::try_from(self.endian.number(count)).ok()?;
        let length = count.checked_mul(kind::size(kind)?)?;
        let value = match inline.get(..length) {
            Some(value) => value,
            None => self.slice(usize::try_from(self.endian.number(inline)).ok()?, length)?,
        };
        Some(Field { tag: self.endian.number(&head[..2]) as u16, kind, value })
    }

    fn slice(&self, start: usize, length: usize) -> Option<&'a [u8]> {
        self.bytes.get(start..start.checked_add(length)?)
    }
}

/// A field of a directory.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) tag: u16,
    pub(crate) kind: u16,
    /// In the byte order of the file.
    pub(crate) value: &'a [u8],
}

/// The fields of one picture, or of one part of EXIF.
#[derive(Clone)]
pub(crate) struct Directory<'a> {
    pub(crate) file: File<'a>,
    pub(crate) fields: Vec<Field<'a>>,
    /// The number of fields that the directory claims to have.
    entries: usize,
    next: u64,
}

impl<'a> Directory<'a> {
    pub(crate) fn field(&self, tag: u16) -> Option<Field<'a>> {
        self.fields.iter().copied().find(|field| field.tag == tag)
    }

    /// The bytes of a value.
    pub(crate) fn bytes(&self, tag: u16) -> Option<&'a [u8]> {
        self.field(tag).map(|field| field.value).filter(|value| !value.is_empty())
    }

    /// The first number of a field; `None` if the type is not an integer.
    pub(crate) fn number(&self, tag: u16) -> Option<u64> {
        self.numbers(tag)?.next()
    }

    /// The integers of a field.
    pub(crate) fn numbers(&self, tag: u16) -> Option<impl ExactSizeIterator<Item = u64> + use<'a>> {
        let field = self.field(tag)?;
        let whole = matches!(
            field.kind,
            kind::BYTE | kind::SHORT | kind::LONG | kind::IFD | kind::LONG8 | kind::IFD8
        );
        let endian = self.file.endian;
        let size = kind::size(field.kind).filter(|_| whole)?;
        Some(field.value.chunks_exact(size).map(move |number| endian.number(number)))
    }

    /// The numbers of a field; empty if it has none.
    pub(crate) fn reals(&self, tag: u16) -> Vec<f64> {
        let Some(field) = self.field(tag) else { return Vec::new() };
        let endian = self.file.endian;
        match field.kind {
            kind::RATIONAL => field
                .value
                .chunks_exact(8)
                .map(|ratio| endian.number(&ratio[..4]) as f64 / endian.number(&ratio[4..]) as f64)
                .collect(),
            kind::FLOAT => field
                .value
                .chunks_exact(4)
                .map(|bits| f64::from(f32::from_bits(endian.number(bits) as u32)))
                .collect(),
            kind::DOUBLE => {
                field.value.chunks_exact(8).map(|bits| f64::from_bits(endian.number(bits))).collect()
            }
            _ => self.numbers(tag).into_iter().flatten().map(|number| number as f64).collect(),
        }
    }
}

impl Field<'_> {
    /// Converts the value to another byte order.
    pub(crate) fn in_order(&self, from: Endian, to: Endian) -> Vec<u8> {
        let mut value = self.value.to_vec();
        if from != to {
            value.chunks_exact_mut(kind::word(self.kind)).for_each(<[u8]>::reverse);
        }
        value
    }
}
