//! Alpha of few levels: several pixels become one (RFC 9649, section 3.5.4).

use super::bits::Bits;
use super::pixels;

const MOST: usize = 16;

/// None where there are more levels.
pub(super) fn write(alpha: &[u8], width: usize) -> Option<Vec<u8>> {
    let mut number = [None; 256];
    for &level in alpha {
        number[usize::from(level)] = Some(0);
    }
    let mut levels = Vec::new();
    for (level, number) in number.iter_mut().enumerate().filter(|(_, number)| number.is_some()) {
        *number = Some(levels.len() as u8);
        levels.push(level as u8);
    }
    if levels.len() > MOST {
        return None;
    }
    // Bits of a pixel.
    let depth = match levels.len() {
        0..=2 => 1,
        3..=4 => 2,
        _ => 4,
    };
    let mut out = Bits::default();
    // The transform by a table of colours, then that there is no other.
    out.write(1, 1);
    out.write(3, 2);
    out.write(levels.len() as u32 - 1, 8);
    let mut before = 0;
    let differences: Vec<u8> =
        levels.iter().map(|&level| level.wrapping_sub(std::mem::replace(&mut before, level))).collect();
    pixels::write_table(&differences, &mut out);
    out.write(0, 1);
    let together = 8 / depth;
    let packed: Vec<u8> = alpha
        .chunks(width)
        .flat_map(|row| row.chunks(together))
        .map(|pixels| {
            let numbers = pixels.iter().enumerate();
            numbers.fold(0, |byte, (place, &level)| {
                byte | (number[usize::from(level)].unwrap_or(0) << (place * depth))
            })
        })
        .collect();
    pixels::write_main(&packed, width.div_ceil(together), &mut out);
    Some(out.finish())
}
