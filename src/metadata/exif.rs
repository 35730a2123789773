//! EXIF: orientation, author and copyright; in `reframe`, size and thumbnail of an image that is cropped or turned.
//!
//! Only the first directory (IFD0) is read (EXIF 3.0, 4.6.2: a TIFF structure). Values are found by their offsets, so
//! that the orientation can be changed in place and everything else, maker notes included, stays unchanged.

mod reframe;

use image::metadata::Orientation;

pub(crate) use reframe::reframe;

const ORIENTATION: u16 = 0x0112;
const ARTIST: u16 = 0x013B;
const COPYRIGHT: u16 = 0x8298;
/// The offset of the directory of locations.
const GPS_DIRECTORY: u16 = 0x8825;
const GPS_VERSION: u16 = 0;

const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
/// The type UTF-8, which EXIF 3.0 adds for texts.
const UTF8: u16 = 129;

/// The longest author or copyright text. A longer one is ignored.
const MAX_TEXT: usize = 16 << 10;

const PREFIX: &[u8] = b"Exif\0\0";

#[derive(Clone, Copy)]
enum Endian {
    Little,
    Big,
}

impl Endian {
    fn of(exif: &[u8]) -> Option<Self> {
        match exif.first_chunk()? {
            b"II*\0" => Some(Self::Little),
            b"MM\0*" => Some(Self::Big),
            _ => None,
        }
    }

    fn u16(self, exif: &[u8], at: usize) -> Option<u16> {
        let bytes = *exif.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        })
    }

    /// Overwrites a number, if there is room for it.
    fn put_u16(self, exif: &mut [u8], at: usize, number: u16) -> bool {
        let bytes = match self {
            Self::Little => number.to_le_bytes(),
            Self::Big => number.to_be_bytes(),
        };
        put(exif, at, bytes)
    }

    /// Overwrites a number, if there is room for it.
    fn put_u32(self, exif: &mut [u8], at: usize, number: u32) -> bool {
        let bytes = match self {
            Self::Little => number.to_le_bytes(),
            Self::Big => number.to_be_bytes(),
        };
        put(exif, at, bytes)
    }

    fn u32(self, exif: &[u8], at: usize) -> Option<u32> {
        let bytes = *exif.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        })
    }
}

/// Returns whether there was room.
fn put<const N: usize>(exif: &mut [u8], at: usize, bytes: [u8; N]) -> bool {
    exif.get_mut(at..).and_then(|rest| rest.first_chunk_mut()).map(|place| *place = bytes).is_some()
}

/// A field of a directory.
struct Field {
    tag: u16,
    kind: u16,
    count: u32,
    /// The offset of the value, or of the pointer to it if it has more than four bytes.
    at: usize,
}

/// The TIFF structure without the prefix that some writers add; `None` if it is not one.
pub(crate) fn unprefixed(mut exif: Vec<u8>) -> Option<Vec<u8>> {
    if exif.starts_with(PREFIX) {
        exif.drain(..PREFIX.len());
    }
    Endian::of(&exif)?;
    Some(exif)
}

/// Whether there is a directory of GPS tags that is not empty.
pub(crate) fn has_gps(exif: &[u8]) -> bool {
    let Some(endian) = Endian::of(exif) else { return false };
    let directory = fields(exif, endian).find(|field| field.tag == GPS_DIRECTORY);
    let offset = directory.and_then(|field| endian.u32(exif, field.at));
    // A camera without a position writes the directory with its version alone.
    offset
        .is_some_and(|offset| fields_at(exif, endian, offset as usize).any(|field| field.tag != GPS_VERSION))
}

/// The orientation, if valid.
pub(crate) fn orientation(exif: &[u8]) -> Option<Orientation> {
    let endian = Endian::of(exif)?;
    let at = orientation_offset(exif, endian)?;
    Orientation::from_exif(endian.u16(exif, at)?.try_into().ok()?)
}

/// Overwrites the orientation; returns false if there is none.
pub(crate) fn set_orientation(exif: &mut [u8], orientation: Orientation) -> bool {
    let Some(endian) = Endian::of(exif) else { return false };
    let Some(at) = orientation_offset(exif, endian) else { return false };
    endian.put_u16(exif, at, orientation.to_exif().into())
}

/// A new EXIF with author and copyright alone; `None` if it would be empty.
pub(crate) fn essentials(exif: &[u8]) -> Option<Vec<u8>> {
    build(text(exif, ARTIST), text(exif, COPYRIGHT), None)
}

/// EXIF with `orientation`: the given EXIF with the tag, which it may not have, or a new one if it is damaged.
pub(crate) fn with_orientation(exif: Option<Vec<u8>>, orientation: Orientation) -> Vec<u8> {
    let mut exif = exif.unwrap_or_default();
    if set_orientation(&mut exif, orientation) || add_orientation(&mut exif, orientation).is_some() {
        return exif;
    }
    build(text(&exif, ARTIST), text(&exif, COPYRIGHT), Some(orientation)).unwrap_or_default()
}

/// Adds the tag to the first directory, which moves behind everything else: what others refer to stays where it is. `None` if there is no
/// whole directory.
fn add_orientation(exif: &mut Vec<u8>, orientation: Orientation) -> Option<()> {
    let endian = Endian::of(exif)?;
    let first = endian.u32(exif, 4)? as usize;
    let count = usize::from(endian.u16(exif, first)?);
    let start = first.checked_add(2)?;
    let entries = exif.get(start..start.checked_add(12 * count)?)?.as_chunks::<12>().0;
    let tag = |entry: &[u8; 12]| endian.u16(entry, 0).unwrap_or(u16::MAX);
    let mut own = [0; 12];
    endian.put_u16(&mut own, 0, ORIENTATION);
    endian.put_u16(&mut own, 2, SHORT);
    endian.put_u32(&mut own, 4, 1);
    endian.put_u16(&mut own, 8, orientation.to_exif().into());
    // TIFF requires ascending order of tags. One of another type makes way.
    let before = entries.iter().filter(|entry| tag(entry) < ORIENTATION);
    let behind = entries.iter().filter(|entry| tag(entry) > ORIENTATION);
    let entries = before.chain([&own]).chain(behind).copied().collect::<Vec<_>>();
    let next = *exif.get(start + 12 * count..)?.first_chunk::<4>()?;
    exif.resize(exif.len().next_multiple_of(2), 0);
    let moved = u32::try_from(exif.len()).ok()?;
    exif.extend([0; 2]);
    endian.put_u16(exif, moved as usize, u16::try_from(entries.len()).ok()?);
    exif.extend(entries.as_flattened());
    exif.extend(next);
    endian.put_u32(exif, 4, moved).then_some(())
}

fn fields(exif: &[u8], endian: Endian) -> impl Iterator<Item = Field> {
    fields_at(exif, endian, endian.u32(exif, 4).map_or(usize::MAX, |offset| offset as usize))
}

/// The fields of the directory at `start`.
fn fields_at(exif: &[u8], endian: Endian, start: usize) -> impl Iterator<Item = Field> {
    let count = endian.u16(exif, start).unwrap_or(0);
    (0..usize::from(count)).map_while(move |index| {
        let at = start.checked_add(2 + 12 * index)?;
        Some(Field {
            tag: endian.u16(exif, at)?,
            kind: endian.u16(exif, at.checked_add(2)?)?,
            count: endian.u32(exif, at.checked_add(4)?)?,
            at: at.checked_add(8)?,
        })
    })
}

fn orientation_offset(exif: &[u8], endian: Endian) -> Option<usize> {
    let field = fields(exif, endian).find(|field| field.tag == ORIENTATION)?;
    (field.kind == SHORT && field.count == 1).then_some(field.at)
}

/// A text without padding; cameras write spaces if no name was entered.
fn text(exif: &[u8], tag: u16) -> Option<&[u8]> {
    let endian = Endian::of(exif)?;
    let field = fields(exif, endian).find(|field| field.tag == tag)?;
    let length = field.count as usize;
    if !matches!(field.kind, ASCII | UTF8) || length > MAX_TEXT {
        return None;
    }
    let start = if length <= 4 { field.at } else { endian.u32(exif, field.at)? as usize };
    let bytes = exif.get(start..start.checked_add(length)?)?;
    // A copyright has two parts, the photographer's and the editor's (Exif 2.32, 4.6.4 D), separated by a zero byte.
    let parts = if tag == COPYRIGHT { 2 } else { 1 };
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0);
    let bytes = &bytes[..ends.map(|(at, _)| at).nth(parts - 1).unwrap_or(bytes.len())];
    let end = bytes.iter().rposition(|byte| !matches!(byte, 0 | b' '))?;
    bytes.get(..=end)
}

fn build(
    artist: Option<&[u8]>,
    copyright: Option<&[u8]>,
    orientation: Option<Orientation>,
) -> Option<Vec<u8>> {
    // TIFF requires ascending order of tags.
    let texts: Vec<(u16, &[u8])> = [(ARTIST, artist), (COPYRIGHT, copyright)]
        .into_iter()
        .filter_map(|(tag, text)| Some((tag, text?)))
        .collect();
    let count = texts.len() + usize::from(orientation.is_some());
    if count == 0 {
        return None;
    }

    let mut exif = b"MM\0*\0\0\0\x08".to_vec();
    exif.extend((count as u16).to_be_bytes());
    if let Some(orientation) = orientation {
        push_field(&mut exif, ORIENTATION, SHORT, 1, [0, orientation.to_exif(), 0, 0]);
    }
    // The texts follow the directory: its count, its fields and the offset of the next directory.
    let mut behind = Vec::new();
    let start = 8 + 2 + 12 * count + 4;
    for (tag, text) in texts {
        // Texts are written as ASCII, even with UTF-8 content: readers older than EXIF 3.0 know no other type.
        let length = text.len() as u32 + 1;
        let mut value = [0; 4];
        match value.get_mut(..text.len()).filter(|_| length <= 4) {
            Some(inline) => inline.copy_from_slice(text),
            None => {
                value = ((start + behind.len()) as u32).to_be_bytes();
                behind.extend_from_slice(text);
                behind.push(0);
                behind.resize(behind.len().next_multiple_of(2), 0);
            }
        }
        push_field(&mut exif, tag, ASCII, length, value);
    }
    exif.extend([0; 4]);
    exif.extend(behind);
    Some(exif)
}

fn push_field(exif: &mut Vec<u8>, tag: u16, kind: u16, count: u32, value: [u8; 4]) {
    exif.extend(tag.to_be_bytes());
    exif.extend(kind.to_be_bytes());
    exif.extend(count.to_be_bytes());
    exif.extend(value);
}
