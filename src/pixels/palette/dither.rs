//! Error diffusion (Floyd and Steinberg 1976) in rows of alternating direction.
//!
//! It is weaker than the original: an error that is not visible is not diffused, and the diffused error is bounded by
//! the mean error. Both reduce noise, which costs bytes, and keep what hides the steps of a gradient.

use image::RgbaImage;

use crate::pixels::palette::nearest::Colors;
use crate::pixels::palette::space::{Point, distance, point};

/// The fraction of an error that is diffused at full strength.
const STRENGTH: f32 = 0.6;
/// The square of an invisible distance: about one 8-bit step.
const INVISIBLE_SQUARED: f32 = 4.0;

/// The places for colors that were looked up.
const BITS: u32 = 11;

/// Maps each pixel to a color index. `error` is the mean distance between the palette and the image. The neighbor's
/// color is kept if it is at most `tolerance` times `error` further away than the nearest color. `strength` is 0 to 1.
pub(crate) fn index(
    image: &RgbaImage,
    colors: &[[u8; 4]],
    error: f32,
    tolerance: f32,
    strength: f32,
) -> Vec<u8> {
    let strength = STRENGTH * strength;
    let width = image.width() as usize;
    let clear = colors.iter().position(|color| color[3] == 0).map(|index| index as u8);
    let palette = Colors::new(colors.iter().copied().map(point).collect());
    let mut indices = vec![0; image.len() / 4];
    // One error per pixel of a row, and one more at either end.
    let mut errors = [vec![[0.0; 4]; width + 2], vec![[0.0; 4]; width + 2]];
    // Colors that were looked up, each in the place of its hash. What fills the places at first is asked for by no pixel: it is
    // transparent.
    let mut seen = vec![([0; 4], [0.0; 4], None); 1 << BITS];
    let slack = tolerance * error;
    let mut last = 0;
    for (y, row) in image.as_raw().chunks_exact(width.max(1) * 4).enumerate() {
        let leftwards = y % 2 == 1;
        let [current, next] = &mut errors;
        for step in 0..width {
            let x = if leftwards { width - 1 - step } else { step };
            let at = y * width + x;
            let pixel: [u8; 4] = std::array::from_fn(|channel| row[x * 4 + channel]);
            if let (0, Some(clear)) = (pixel[3], clear) {
                indices[at] = clear;
                continue;
            }
            let place = (u32::from_le_bytes(pixel).wrapping_mul(0x9E37_79B1) >> (u32::BITS - BITS)) as usize;
            let known = &mut seen[place];
            if known.0 != pixel {
                let plain = point(pixel);
                *known = (pixel, plain, palette.nearest_within(&plain, INVISIBLE_SQUARED, last));
            }
            let (_, plain, own) = *known;
            let wanted = sum(&plain, &within(current[x + 1], error));
            let above = if y > 0 { indices[at - width] } else { last };
            let chosen = own.unwrap_or_else(|| kept(&palette, &wanted, [last, above], slack));
            last = chosen;
            indices[at] = chosen;
            let reached = palette.point(chosen);
            let lost: Point = std::array::from_fn(|axis| (wanted[axis] - reached[axis]) * strength / 16.0);
            let (ahead, behind) = if leftwards { (x, x + 2) } else { (x + 2, x) };
            let add = |to: &mut Point, share: f32| {
                for (to, lost) in to.iter_mut().zip(lost) {
                    *to += lost * share;
                }
            };
            add(&mut current[ahead], 7.0);
            add(&mut next[behind], 3.0);
            add(&mut next[x + 1], 5.0);
            add(&mut next[ahead], 1.0);
        }
        errors.swap(0, 1);
        errors[1].fill([0.0; 4]);
    }
    indices
}

/// The first of two neighbors' colors that is at most `slack` further away than the nearest color; else that one.
#[inline]
fn kept(palette: &Colors, wanted: &Point, neighbors: [u8; 2], slack: f32) -> u8 {
    let [first, second] = neighbors.map(|index| (index, distance(wanted, palette.point(index))));
    // It fits whatever the nearest color is.
    if first.1 <= slack * slack {
        return first.0;
    }
    let (nearest, square) = palette.nearest_from(wanted, if second.1 < first.1 { second } else { first });
    let most = square.sqrt() + slack;
    match [first, second].into_iter().find(|(_, square)| *square <= most * most) {
        Some((index, _)) => index,
        None => nearest,
    }
}

/// An error, clamped to a length.
fn within(error: Point, longest: f32) -> Point {
    let square = distance(&error, &[0.0; 4]);
    match square > longest * longest {
        true => error.map(|value| value * (longest / square.sqrt())),
        false => error,
    }
}

fn sum(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|axis| a[axis] + b[axis])
}
