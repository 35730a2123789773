//! What precedes the pixels: transforms, the color cache and prefix codes (RFC 9649, section 3.8).

use super::DecodeError;
use super::bit_reader::BitReader;
use super::color_cache::ColorCache;
use super::groups::Groups;
use super::pixels::Pixels;
use super::predictors::Predictors;
use super::transforms::{ColorTransform, Indexing, Transform};

/// Reads the transforms, in the order in which they are stored, and the width of the pixels that are coded.
///
/// # Errors
/// [`DecodeError::Corrupt`] and [`DecodeError::OutOfMemory`].
pub(super) fn read_transforms(
    reader: &mut BitReader<'_>,
    (mut width, height): (usize, usize),
    most_entries: usize,
) -> Result<(Vec<Transform>, usize), DecodeError> {
    let (mut transforms, mut seen) = (Vec::new(), [false; 4]);
    while reader.bit() {
        let kind = reader.bits(2) as usize;
        if std::mem::replace(&mut seen[kind], true) {
            return Err(DecodeError::Corrupt("a transform occurs twice"));
        }
        transforms.push(match kind {
            0 => {
                let (blocks, block_bits, stride) = read_blocks(reader, (width, height), most_entries)?;
                let modes = blocks.into_iter().map(|pixel| (pixel >> 8 & 15) as u8).collect();
                Transform::Predictors(Predictors::new(block_bits, modes, stride))
            }
            1 => {
                let (factors, block_bits, stride) = read_blocks(reader, (width, height), most_entries)?;
                Transform::Color(ColorTransform { block_bits, factors, stride })
            }
            2 => Transform::SubtractGreen,
            _ => {
                let count = reader.bits(8) as usize + 1;
                let colors = read_image(reader, (count, 1), most_entries)?;
                let shown = width;
                width = width.div_ceil(1 << Indexing::packed_bits(count));
                Transform::Indexing(Indexing::new(colors, shown))
            }
        });
    }
    Ok((transforms, width))
}

/// Reads the prefix codes of the pixels.
///
/// # Errors
/// [`DecodeError::Corrupt`] and [`DecodeError::OutOfMemory`].
pub(super) fn read_pixels(
    reader: &mut BitReader<'_>,
    size: (usize, usize),
    most_entries: usize,
) -> Result<Pixels, DecodeError> {
    let cache = read_cache(reader)?;
    let blocks = match reader.bit() {
        true => {
            let (blocks, block_bits, stride) = read_blocks(reader, size, most_entries)?;
            (blocks.into_iter().map(|pixel| (pixel >> 8) as u16).collect(), block_bits, stride)
        }
        false => (Vec::new(), 0, 0),
    };
    let cache_size = cache.as_ref().map_or(0, ColorCache::len);
    let groups = Groups::read(reader, cache_size, most_entries, blocks)?;
    Pixels::new(size, groups, cache)
}

fn read_cache(reader: &mut BitReader<'_>) -> Result<Option<ColorCache>, DecodeError> {
    if !reader.bit() {
        return Ok(None);
    }
    match reader.bits(4) {
        bits @ 1..=11 => Ok(Some(ColorCache::new(bits))),
        _ => Err(DecodeError::Corrupt("the color cache has no such size")),
    }
}

/// An image with a pixel for each block of another: its pixels, the bits of a coordinate within a block, and the blocks in a row.
fn read_blocks(
    reader: &mut BitReader<'_>,
    (width, height): (usize, usize),
    most_entries: usize,
) -> Result<(Vec<u32>, u32, usize), DecodeError> {
    let block_bits = reader.bits(3) + 2;
    let [columns, rows] = [width, height].map(|side| side.div_ceil(1 << block_bits));
    Ok((read_image(reader, (columns, rows), most_entries)?, block_bits, columns))
}

/// The pixels of an image that belongs to another.
fn read_image(
    reader: &mut BitReader<'_>,
    size: (usize, usize),
    most_entries: usize,
) -> Result<Vec<u32>, DecodeError> {
    let cache = read_cache(reader)?;
    let cache_size = cache.as_ref().map_or(0, ColorCache::len);
    let groups = Groups::read(reader, cache_size, most_entries, (Vec::new(), 0, 0))?;
    Pixels::whole(size, groups, cache)?.all(reader)
}
