//! Colours that nobody sees, under alpha of 0: they become what costs least. Squares that are clear throughout become
//! flat, and go on with the colour of the one before; elsewhere clear pixels take the mean luma of the others.

use crate::band::Band;

const SIDE: usize = 8;

pub(crate) fn settle(band: &mut Band) {
    for top in [0, SIDE] {
        let mut flat = None;
        for left in (0..band.width).step_by(SIDE) {
            let width = band.width;
            let rows = (top..top + SIDE).map(move |y| y * width + left);
            if smooth(band, rows.clone()) {
                flat = None;
                continue;
            }
            let half = band.width / 2;
            let corner = top / 2 * half + left / 2;
            let colour = *flat.get_or_insert_with(|| {
                (band.luma[top * band.width + left], [band.chroma[0][corner], band.chroma[1][corner]])
            });
            for start in rows {
                band.luma[start..start + SIDE].fill(colour.0);
            }
            for (plane, colour) in band.chroma.iter_mut().zip(colour.1) {
                for row in 0..SIDE / 2 {
                    plane[corner + row * half..][..SIDE / 2].fill(colour);
                }
            }
        }
    }
}

/// Gives clear pixels the mean of the others. False where there is no other.
fn smooth(band: &mut Band, rows: impl Iterator<Item = usize> + Clone) -> bool {
    let (mut sum, mut seen) = (0, 0);
    for start in rows.clone() {
        for at in start..start + SIDE {
            if band.alpha[at] > 0 {
                sum += u32::from(band.luma[at]);
                seen += 1;
            }
        }
    }
    if seen == 0 {
        return false;
    }
    if seen < (SIDE * SIDE) as u32 {
        for start in rows {
            for at in start..start + SIDE {
                if band.alpha[at] == 0 {
                    band.luma[at] = (sum / seen) as u8;
                }
            }
        }
    }
    true
}
