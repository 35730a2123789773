//! Transparent areas: colors under alpha 0 are invisible, so they become what costs the fewest bits.
//!
//! An 8 × 8 block that is transparent throughout becomes flat and repeats the color of the flat block before it. In other blocks
//! transparent pixels take the mean luma of the visible ones. Alpha itself stays as it is.

use crate::mb_row::MbRow;

const SIDE: usize = 8;

pub(crate) fn flatten(mb_row: &mut MbRow) {
    for top in [0, SIDE] {
        let mut color = None;
        for left in (0..mb_row.width).step_by(SIDE) {
            let width = mb_row.width;
            let rows = (top..top + SIDE).map(move |y| y * width + left);
            if fill_with_mean(mb_row, rows.clone()) {
                color = None;
                continue;
            }
            let uv_width = mb_row.width / 2;
            let uv_start = top / 2 * uv_width + left / 2;
            let (y, uv) = *color.get_or_insert_with(|| {
                (mb_row.y[top * mb_row.width + left], [mb_row.uv[0][uv_start], mb_row.uv[1][uv_start]])
            });
            for start in rows {
                mb_row.y[start..start + SIDE].fill(y);
            }
            for (plane, color) in mb_row.uv.iter_mut().zip(uv) {
                for row in 0..SIDE / 2 {
                    plane[uv_start + row * uv_width..][..SIDE / 2].fill(color);
                }
            }
        }
    }
}

/// Gives transparent pixels the mean luma of the visible ones. False if there are no visible ones.
fn fill_with_mean(mb_row: &mut MbRow, rows: impl Iterator<Item = usize> + Clone) -> bool {
    let (mut sum, mut visible) = (0, 0);
    for start in rows.clone() {
        for at in start..start + SIDE {
            if mb_row.alpha[at] > 0 {
                sum += u32::from(mb_row.y[at]);
                visible += 1;
            }
        }
    }
    if visible == 0 {
        return false;
    }
    if visible < (SIDE * SIDE) as u32 {
        for start in rows {
            for at in start..start + SIDE {
                if mb_row.alpha[at] == 0 {
                    mb_row.y[at] = (sum / visible) as u8;
                }
            }
        }
    }
    true
}
