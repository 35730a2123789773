//! The size in EXIF, and its thumbnail, where the image becomes another one.

use super::{Endian, Field, LONG, SHORT, fields_at};

const IMAGE_WIDTH: u16 = 0x0100;
const IMAGE_HEIGHT: u16 = 0x0101;
/// The offset of the directory of EXIF's own tags.
const EXIF_DIRECTORY: u16 = 0x8769;
const PIXEL_X_DIMENSION: u16 = 0xA002;
const PIXEL_Y_DIMENSION: u16 = 0xA003;
/// The bytes of the thumbnail, in strips: their offsets and their numbers.
const STRIP_OFFSETS: u16 = 0x0111;
const STRIP_LENGTHS: u16 = 0x0117;
/// The bytes of the thumbnail, a JPEG: their offset and their number.
const THUMBNAIL: u16 = 0x0201;
const THUMBNAIL_LENGTH: u16 = 0x0202;

/// Overwrites the width and height of the image wherever they are given, and removes the thumbnail, which shows what the image
/// showed before.
pub(crate) fn reframe(exif: &mut [u8], (width, height): (u32, u32)) {
    let Some(endian) = Endian::of(exif) else { return };
    let Some(first) = endian.u32(exif, 4).map(|offset| offset as usize) else { return };
    let own = fields_at(exif, endian, first)
        .find(|field| field.tag == EXIF_DIRECTORY)
        .and_then(|field| endian.u32(exif, field.at));
    for directory in [Some(first), own.map(|offset| offset as usize)].into_iter().flatten() {
        let sides = [
            (IMAGE_WIDTH, width),
            (IMAGE_HEIGHT, height),
            (PIXEL_X_DIMENSION, width),
            (PIXEL_Y_DIMENSION, height),
        ];
        for (tag, side) in sides {
            let field = fields_at(exif, endian, directory).find(|field| field.tag == tag && field.count == 1);
            match field {
                Some(Field { kind: SHORT, at, .. }) => {
                    endian.put_u16(exif, at, u16::try_from(side).unwrap_or(0))
                }
                Some(Field { kind: LONG, at, .. }) => endian.put_u32(exif, at, side),
                _ => false,
            };
        }
    }
    remove_thumbnail(exif, endian, first);
}

/// Clears the bytes of the thumbnail, and ends the chain of directories before that of the thumbnail.
fn remove_thumbnail(exif: &mut [u8], endian: Endian, first: usize) {
    let count = usize::from(endian.u16(exif, first).unwrap_or(0));
    let Some(next) = first.checked_add(2 + 12 * count) else { return };
    let Some(second) = endian.u32(exif, next).filter(|offset| *offset > 0) else { return };
    // Strips do not overlap: together they are no longer than all.
    let mut left = exif.len();
    for (offsets, lengths) in [(THUMBNAIL, THUMBNAIL_LENGTH), (STRIP_OFFSETS, STRIP_LENGTHS)] {
        let [starts, lengths] = [offsets, lengths].map(|tag| numbers(exif, endian, second as usize, tag));
        for (start, length) in starts.into_iter().zip(lengths) {
            let Some(rest) = left.checked_sub(length) else { break };
            left = rest;
            if let Some(bytes) = start.checked_add(length).and_then(|end| exif.get_mut(start..end)) {
                bytes.fill(0);
            }
        }
    }
    endian.put_u32(exif, next, 0);
}

/// The numbers of a field of the directory at `start`; none if it has none.
fn numbers(exif: &[u8], endian: Endian, start: usize, tag: u16) -> Vec<usize> {
    let Some(Field { kind, count, at, .. }) = fields_at(exif, endian, start).find(|field| field.tag == tag)
    else {
        return Vec::new();
    };
    let size = match kind {
        SHORT => 2,
        LONG => 4,
        _ => return Vec::new(),
    };
    let at = if count as usize > 4 / size {
        endian.u32(exif, at).map_or(usize::MAX, |at| at as usize)
    } else {
        at
    };
    let number = |index: usize| {
        let at = at.checked_add(size * index)?;
        Some(if size == 2 { endian.u16(exif, at)?.into() } else { endian.u32(exif, at)? as usize })
    };
    (0..count as usize).map_while(number).collect()
}
