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
            let plain = point(pixel);
            let wanted = sum(&plain, &within(current[x + 1], error));
            let before = (step > 0).then(|| if leftwards { indices[at + 1] } else { indices[at - 1] });
            let above = (y > 0).then(|| indices[at - width]);
            let (mut chosen, square) = palette.nearest(&wanted, last);
            if tolerance > 0.0 {
                let most = square.sqrt() + tolerance * error;
                let fits = |index: &u8| distance(&wanted, palette.point(*index)) <= most * most;
                chosen = before.into_iter().chain(above).find(fits).unwrap_or(chosen);
            }
            chosen = palette.nearest_within(&plain, INVISIBLE_SQUARED, chosen).unwrap_or(chosen);
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

/// An error, clamped to a length.
fn within(error: Point, longest: f32) -> Point {
    let length = distance(&error, &[0.0; 4]).sqrt();
    match length > longest {
        true => error.map(|value| value * (longest / length)),
        false => error,
    }
}

fn sum(a: &Point, b: &Point) -> Point {
    std::array::from_fn(|axis| a[axis] + b[axis])
}
