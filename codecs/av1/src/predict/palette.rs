//! Palette prediction (section 7.11.4).

use crate::coverage;
use crate::plane::Plane;

/// Colors a block has at most.
const MAX_COLORS: usize = 8;

/// Writes the colors of a block. `map` has an index for each sample, from the first of the block on, in rows of `map_stride`.
/// An index without a color takes color 0.
pub(crate) fn predict_palette(
    plane: &mut Plane,
    (x, y): (usize, usize),
    (w, h): (usize, usize),
    colors: &[u16],
    map: &[u8],
    map_stride: usize,
) {
    coverage::count("palette_colors", colors.len());
    let mut table = [colors.first().copied().unwrap_or_default(); MAX_COLORS];
    for (entry, &color) in table.iter_mut().zip(colors) {
        *entry = color;
    }
    for (row, map) in plane.block_rows(x, y, w, h).zip(map.chunks(map_stride.max(1))) {
        for (sample, &index) in row.iter_mut().zip(map) {
            *sample = table[usize::from(index).min(MAX_COLORS - 1)];
        }
    }
}
