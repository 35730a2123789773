//! Transparent areas: colors under alpha 0 are invisible, so they become what costs the fewest bits.
//!
//! An 8 × 8 block that is transparent throughout becomes flat and repeats the color of the flat block before it. In other blocks
//! transparent pixels take the mean luma of the visible ones. Alpha itself stays as it is.

const SIDE: usize = 8;

/// The colors of a row of pixels, which shares its chroma with another one. Transparent pixels get the mean color of the visible ones among the
/// four of a sample of chroma, if there are any.
pub(crate) fn visible_colors([row, other]: [&[u8]; 2], to: &mut [u8]) {
    for ((own, other), to) in row.chunks(8).zip(other.chunks(8)).zip(to.chunks_mut(6)) {
        let (mut sums, mut visible) = ([0; 3], 0);
        for pixel in own.as_chunks::<4>().0.iter().chain(other.as_chunks().0) {
            if pixel[3] > 0 {
                visible += 1;
                sums = [0, 1, 2].map(|channel| sums[channel] + u32::from(pixel[channel]));
            }
        }
        for (to, pixel) in to.as_chunks_mut::<3>().0.iter_mut().zip(own.as_chunks::<4>().0) {
            *to = match (pixel[3], visible) {
                (0, 1..) => sums.map(|sum| ((sum + visible / 2) / visible) as u8),
                _ => [pixel[0], pixel[1], pixel[2]],
            };
        }
    }
}

/// `y`, `uv` and `alpha` are the planes of a row of macroblocks, `width` luma pixels wide.
pub(crate) fn flatten(width: usize, y: &mut [u8], uv: &mut [Vec<u8>; 2], alpha: &[u8]) {
    for top in [0, SIDE] {
        let mut color = None;
        for left in (0..width).step_by(SIDE) {
            let rows = (top..top + SIDE).map(move |row| row * width + left);
            if fill_with_mean(y, alpha, rows.clone()) {
                color = None;
                continue;
            }
            let uv_width = width / 2;
            let uv_start = top / 2 * uv_width + left / 2;
            let (luma, chroma) =
                *color.get_or_insert_with(|| (y[top * width + left], [uv[0][uv_start], uv[1][uv_start]]));
            for start in rows {
                y[start..start + SIDE].fill(luma);
            }
            for (plane, color) in uv.iter_mut().zip(chroma) {
                for row in 0..SIDE / 2 {
                    plane[uv_start + row * uv_width..][..SIDE / 2].fill(color);
                }
            }
        }
    }
}

/// Gives transparent pixels the mean luma of the visible ones. False if there are no visible ones.
fn fill_with_mean(y: &mut [u8], alpha: &[u8], rows: impl Iterator<Item = usize> + Clone) -> bool {
    let (mut sum, mut visible) = (0, 0);
    for start in rows.clone() {
        for at in start..start + SIDE {
            if alpha[at] > 0 {
                sum += u32::from(y[at]);
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
                if alpha[at] == 0 {
                    y[at] = (sum / visible) as u8;
                }
            }
        }
    }
    true
}
