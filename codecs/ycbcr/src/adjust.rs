//! Luma that makes up for subsampled chroma (known as luma adjustment).
//!
//! A pixel gets the chroma that the decoder interpolates for it instead of its own. With the same luma it would emit another amount of
//! light, because samples are no linear measure of it: most of all beside borders between saturated colors. Luma is changed so that the
//! light stays about the same.

use crate::lanes::Floats;
use crate::{BLUE, RED};

/// How much of red and of blue is missing in green (ITU-T T.871, clause 7).
const GREEN: [f32; 2] = [0.299 / 0.587, 0.114 / 0.587];
/// What red, green and blue add to the lightness that is seen, about as in the color space XYB.
const LIGHT: [f32; 3] = [0.3, 0.64, 0.06];
/// Darker samples change light as those do that have half of this, as a display is never black.
const BLACK: f32 = 10.0;
/// The sum of squared differences between four pixels' chroma and what is shown of it that makes no difference.
const SAME: f32 = 2.0;

/// Luma with which pixels emit their light when they get the chroma that is shown. `share` of the difference is made up for.
pub(crate) fn adjust([luma, cb, cr]: [&[f32]; 3], shown: [&[f32]; 2], share: f32, to: &mut [f32]) {
    let [luma, cb, cr, shown_cb, shown_cr] =
        [luma, cb, cr, shown[0], shown[1]].map(|row| row.as_chunks().0.iter().map(Floats::of));
    let to = to.as_chunks_mut().0.iter_mut();
    for (((((to, luma), cb), cr), shown_cb), shown_cr) in
        to.zip(luma).zip(cb).zip(cr).zip(shown_cb).zip(shown_cr)
    {
        let (off_cb, off_cr) = (cb - shown_cb, cr - shown_cr);
        let [a, b, c, d] = (off_cb * off_cb + off_cr * off_cr).values();
        *to = match (a + b) + (c + d) < SAME {
            true => luma.values(),
            false => {
                let lacking = lacking(colors(luma, cb, cr), colors(luma, shown_cb, shown_cr));
                (luma + Floats::splat(share) * lacking).clamp(-128.0, 127.0).values()
            }
        };
    }
}

/// By how much pixels are too dark, in samples.
#[inline(always)]
fn lacking(own: [Floats; 3], shown: [Floats; 3]) -> Floats {
    let (mut light, mut slopes) = (Floats::splat(0.0), Floats::splat(0.0));
    for color in 0..3 {
        // Light is about the square of a sample, so that two samples differ in it by their difference times their sum.
        let (own, shown) = (own[color], shown[color].clamp(0.0, 255.0));
        let slope = (own + shown + Floats::splat(BLACK)) * Floats::splat(LIGHT[color]);
        light = light + (own - shown) * slope;
        slopes = slopes + slope;
    }
    light / slopes
}

/// Red, green and blue of pixels, 0 to 255 where there is such a color.
#[inline(always)]
fn colors(luma: Floats, cb: Floats, cr: Floats) -> [Floats; 3] {
    let (red, blue) = (cr * Floats::splat(RED), cb * Floats::splat(BLUE));
    let luma = luma + Floats::splat(128.0);
    let green = luma - red * Floats::splat(GREEN[0]) - blue * Floats::splat(GREEN[1]);
    [luma + red, green, luma + blue]
}
