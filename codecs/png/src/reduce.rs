//! Smaller color types and depths for the same pixels.

use crate::palette::{self, Indexed};
use crate::palette_order;
use crate::picture::{Color, Picture};

/// Palettes of more colors take a byte for each pixel.
const PACKED_COLORS: usize = 16;

/// The pixels in the smallest form without a palette. `gray`: whether color may become gray.
pub(crate) fn narrow(mut picture: Picture, gray: bool) -> Picture {
    if picture.depth < 8 {
        return picture;
    }
    if picture.depth == 16 && picture.rows.as_chunks::<2>().0.iter().all(|[high, low]| high == low) {
        picture = shallow(picture);
    }
    if picture.depth == 16 {
        without_alpha::<2>(&mut picture)
    } else {
        without_alpha::<1>(&mut picture)
    }
    if gray {
        if picture.depth == 16 { to_gray::<2>(&mut picture) } else { to_gray::<1>(&mut picture) }
    }
    // What was dropped is free for the compressed rows.
    picture.rows.shrink_to_fit();
    pack_gray(picture)
}

/// The picture as indices; `None` if there are too many colors or there is nothing to win.
pub(crate) fn indexed(picture: &Picture, gray: bool) -> Option<Indexed> {
    let is_gray = matches!(picture.color, Color::Gray { .. } | Color::GrayAlpha);
    if picture.depth != 8 || is_gray && !gray {
        return None;
    }
    if matches!(picture.color, Color::Gray { .. }) {
        let mut found = [false; 256];
        picture.rows.iter().for_each(|shade| found[usize::from(*shade)] = true);
        if found.iter().filter(|found| **found).count() > PACKED_COLORS {
            return None;
        }
    }
    palette::exact(picture)
}

/// Other palette orders and depths of a picture with a palette.
pub(crate) fn reordered(picture: Picture) -> Vec<Picture> {
    match picture.color {
        Color::Indexed { palette: colors } if picture.depth == 8 => {
            let Some(indexed) = palette::used(colors, picture.rows) else { return Vec::new() };
            orders(&indexed, picture.width, picture.height)
        }
        _ => vec![picture],
    }
}

/// Palette orders of indices, in the smallest depth.
pub(crate) fn orders(indexed: &Indexed, width: u32, height: u32) -> Vec<Picture> {
    let Indexed { colors, indices } = indexed;
    let mut pictures: Vec<Picture> = Vec::new();
    for order in palette_order::candidates(colors, indices, width as usize) {
        let palette: Vec<_> = order.iter().map(|index| colors[usize::from(*index)]).collect();
        let rows = palette_order::remap(indices, &order);
        let color = Color::Indexed { palette };
        if pictures.iter().any(|picture| picture.color == color) {
            continue;
        }
        pictures.push(with_packed_indices(Picture { width, height, color, depth: 8, rows }));
    }
    pictures
}

/// Indices of 8 bits in as few bits as the palette needs.
pub(crate) fn with_packed_indices(picture: Picture) -> Picture {
    let Color::Indexed { palette } = &picture.color else { return picture };
    match palette.len() {
        0..=2 => packed(picture, 1, 1),
        3..=4 => packed(picture, 2, 1),
        5..=PACKED_COLORS => packed(picture, 4, 1),
        _ => picture,
    }
}

/// 16 bits whose halves are equal as 8 bits.
fn shallow(mut picture: Picture) -> Picture {
    let half = |value: u16| (value >> 8 == value & 0xFF).then_some(value & 0xFF);
    picture.color = match picture.color {
        Color::Gray { key } => Color::Gray { key: key.and_then(half) },
        Color::Rgb { key } => Color::Rgb {
            key: key.and_then(|[r, g, b]| half(r).zip(half(g)).zip(half(b)).map(|((r, g), b)| [r, g, b])),
        },
        other => other,
    };
    picture.depth = 8;
    let half = picture.rows.len() / 2;
    (0..half).for_each(|at| picture.rows[at] = picture.rows[2 * at]);
    picture.rows.truncate(half);
    picture
}

/// Drops alpha that is opaque, or that one color can stand for.
fn without_alpha<const BYTES: usize>(picture: &mut Picture) {
    let colors = match picture.color {
        Color::GrayAlpha => BYTES,
        Color::Rgba => 3 * BYTES,
        _ => return,
    };
    let size = colors + BYTES;
    let Some(key) = key(&picture.rows, size, colors) else { return };
    let sample = |at: usize| key.as_ref().and_then(|key| key.get(at * BYTES..(at + 1) * BYTES));
    let value =
        |at: usize| sample(at).map(|bytes| bytes.iter().fold(0, |value, byte| value << 8 | u16::from(*byte)));
    picture.color = match picture.color {
        Color::GrayAlpha => Color::Gray { key: value(0) },
        _ => Color::Rgb { key: value(0).zip(value(1)).zip(value(2)).map(|((r, g), b)| [r, g, b]) },
    };
    keep(&mut picture.rows, size, colors);
}

/// The color that may stand for transparency, `Some(None)` if all pixels are opaque. `None` if alpha is needed.
fn key(rows: &[u8], size: usize, colors: usize) -> Option<Option<Vec<u8>>> {
    let pixels = || rows.chunks_exact(size).map(|pixel| pixel.split_at(colors));
    let is_opaque = |alpha: &[u8]| alpha.iter().all(|byte| *byte == u8::MAX);
    let Some((key, _)) = pixels().find(|(_, alpha)| !is_opaque(alpha)) else { return Some(None) };
    let agrees = |(color, alpha): (&[u8], &[u8])| match is_opaque(alpha) {
        true => color != key,
        false => color == key && alpha.iter().all(|byte| *byte == 0),
    };
    pixels().all(agrees).then(|| Some(key.to_vec()))
}

/// Keeps the first `kept` bytes of each `size`.
fn keep(rows: &mut Vec<u8>, size: usize, kept: usize) {
    let count = rows.len() / size;
    for at in 0..count {
        rows.copy_within(at * size..at * size + kept, at * kept);
    }
    rows.truncate(count * kept);
}

/// Colors whose parts are equal become gray.
fn to_gray<const BYTES: usize>(picture: &mut Picture) {
    let size = BYTES * picture.color.channels();
    let is_gray = |pixel: &[u8]| {
        pixel[..BYTES] == pixel[BYTES..2 * BYTES] && pixel[..BYTES] == pixel[2 * BYTES..3 * BYTES]
    };
    match picture.color {
        Color::Rgb { key } if picture.rows.chunks_exact(size).all(is_gray) => {
            picture.color = Color::Gray { key: key.map(|[shade, ..]| shade) };
            keep(&mut picture.rows, size, BYTES);
        }
        Color::Rgba if picture.rows.chunks_exact(size).all(is_gray) => {
            picture.color = Color::GrayAlpha;
            let count = picture.rows.len() / size;
            for at in 0..count {
                picture.rows.copy_within(at * size + 2 * BYTES..at * size + 4 * BYTES, at * 2 * BYTES);
            }
            picture.rows.truncate(count * 2 * BYTES);
        }
        _ => {}
    }
}

/// Gray in 1, 2 or 4 bits if these have all its shades.
fn pack_gray(mut picture: Picture) -> Picture {
    let Color::Gray { key } = picture.color else { return picture };
    if picture.depth != 8 {
        return picture;
    }
    for (depth, unit) in [(1_u8, 255_u8), (2, 85), (4, 17)] {
        if picture.rows.iter().all(|shade| shade % unit == 0) {
            picture.color = Color::Gray { key: key.map(|key| key / u16::from(unit)) };
            return packed(picture, depth, unit);
        }
    }
    picture
}

/// Puts bytes, which are multiples of a unit, into fewer bits, the first in the highest (7.2).
fn packed(picture: Picture, depth: u8, unit: u8) -> Picture {
    let group = usize::from(8 / depth);
    let mut values = [0; 256];
    (0..=u8::MAX).zip(&mut values).for_each(|(sample, value)| *value = sample / unit);
    let byte = |samples: &[u8]| {
        let places = (0..group).rev().map(|place| place * usize::from(depth));
        samples
            .iter()
            .zip(places)
            .fold(0, |byte, (sample, place)| byte | values[usize::from(*sample)] << place)
    };
    let rows = picture
        .rows
        .chunks_exact(picture.width as usize)
        .flat_map(|row| row.chunks(group).map(byte))
        .collect();
    Picture { depth, rows, ..picture }
}
