//! The color indexing transform with pixel bundling (RFC 9649, section 3.5.4): alpha of at most 16 values becomes 1, 2 or 4 bits
//! a pixel.

use super::bit_writer::BitWriter;
use super::vp8l;

const MAX_COLORS: usize = 16;
/// The type of the transform, in 2 bits.
const COLOR_INDEXING_TRANSFORM: u32 = 3;

/// None if there are more than 16 values.
pub(super) fn encode(alpha: &[u8], width: usize) -> Option<Vec<u8>> {
    let mut index_of = [None; 256];
    for &value in alpha {
        index_of[usize::from(value)] = Some(0);
    }
    let mut colors = Vec::new();
    for (value, index) in index_of.iter_mut().enumerate().filter(|(_, index)| index.is_some()) {
        *index = Some(colors.len() as u8);
        colors.push(value as u8);
    }
    if colors.len() > MAX_COLORS {
        return None;
    }
    let bits_per_pixel = match colors.len() {
        0..=2 => 1,
        3..=4 => 2,
        _ => 4,
    };
    let mut out = BitWriter::default();
    // A transform follows: its type and the size of the color table.
    out.write(1, 1);
    out.write(COLOR_INDEXING_TRANSFORM, 2);
    out.write(colors.len() as u32 - 1, 8);
    // The table is subtraction coded.
    let mut before = 0;
    let deltas: Vec<u8> =
        colors.iter().map(|&value| value.wrapping_sub(std::mem::replace(&mut before, value))).collect();
    vp8l::write_color_table(&deltas, &mut out);
    // No further transform.
    out.write(0, 1);
    let pixels_per_byte = 8 / bits_per_pixel;
    let bundled: Vec<u8> = alpha
        .chunks(width)
        .flat_map(|row| row.chunks(pixels_per_byte))
        .map(|pixels| {
            pixels.iter().enumerate().fold(0, |byte, (position, &value)| {
                byte | (index_of[usize::from(value)].unwrap_or(0) << (position * bits_per_pixel))
            })
        })
        .collect();
    vp8l::write_image(&bundled, width.div_ceil(pixels_per_byte), &mut out);
    Some(out.finish())
}
