//! RGB to YCbCr (ITU-T T.871, clause 7), about zero and without rounding to whole samples: rounding twice would cost bits.

use crate::lanes::{Floats, PIXELS as LANES, separate};

/// Converts a row of red, green and blue of 8 bits to luma, Cb and Cr: -128 to 127 (ITU-T T.871, clause 7, less 128 in luma), not rounded.
/// `planes` have a sample for each pixel, or more, which stay as they are.
pub fn convert_rgb(rgb: &[u8], planes: [&mut [f32]; 3]) {
    let [y, cb, cr] = planes.map(|plane| &mut plane[..rgb.len() / 3]);
    let (rgb, rest) = rgb.as_chunks::<{ 3 * LANES }>();
    let (y, y_rest) = y.as_chunks_mut::<LANES>();
    let (cb, cb_rest) = cb.as_chunks_mut::<LANES>();
    let (cr, cr_rest) = cr.as_chunks_mut::<LANES>();
    for (((rgb, y), cb), cr) in rgb.iter().zip(y).zip(cb).zip(cr) {
        convert(rgb, y, cb, cr);
    }
    if rest.is_empty() {
        return;
    }
    let (mut padded, mut last) = ([0; 3 * LANES], [[0.0; LANES]; 3]);
    padded[..rest.len()].copy_from_slice(rest);
    let [y, cb, cr] = &mut last;
    convert(&padded, y, cb, cr);
    let count = rest.len() / 3;
    for (to, from) in [y_rest, cb_rest, cr_rest].into_iter().zip(last) {
        to[..count].copy_from_slice(&from[..count]);
    }
}

#[inline(always)]
fn convert(rgb: &[u8; 3 * LANES], y: &mut [f32; LANES], cb: &mut [f32; LANES], cr: &mut [f32; LANES]) {
    let [r, g, b] = separate(rgb);
    let number = Floats::splat;
    let [y, cb, cr] = [y, cb, cr].map(|plane| plane.as_chunks_mut().0.iter_mut());
    for (group, ((y, cb), cr)) in y.zip(cb).zip(cr).enumerate() {
        let (r, g, b) = (r[group], g[group], b[group]);
        let luma = r * number(0.299) + g * number(0.587) + b * number(0.114);
        *y = (luma - number(128.0)).values();
        *cb = ((b - luma) * number(0.5 / 0.886)).values();
        *cr = ((r - luma) * number(0.5 / 0.701)).values();
    }
}
