//! What the encoder takes for the decoded pixels is what a decoder makes.

use std::io::Cursor;

use image_webp::vp8::Vp8Decoder;

use super::{assemble, code};
use crate::analysis::analyse;
use crate::picture::{Layout, Picture};
use crate::rows::Rows;
use crate::segments::Segments;
use crate::settings::Settings;
use crate::{header, tokens};

/// Edges, slopes, textures and noise, the same at every call.
fn samples(width: usize, height: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let pixel = |index: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (x, y) = (index % width, index / width);
        let noise = (state >> 24) as usize;
        match (x / 24 + y / 24) % 4 {
            0 => [x, y, x + y],
            1 => [noise, noise / 2, 255 - noise],
            2 => [(x ^ y) * 16, 200, if x > y { 255 } else { 0 }],
            _ => [90, 120, 60 + noise / 64],
        }
    };
    (0..width * height).flat_map(pixel).map(|sample| sample as u8).collect()
}

#[test]
fn decoders_make_the_pixels_that_the_encoder_predicts_from() {
    let mut held = 0;
    for (width, height) in [(1, 1), (16, 16), (17, 33), (150, 90)] {
        let samples = samples(width as usize, height as usize);
        let picture = Picture::new(width, height, Layout::Rgb, &samples).unwrap();
        for quality in [0, 20, 50, 75, 90, 99, 100] {
            for effort in 0..=6 {
                held += hold(&picture, Settings { quality, effort });
            }
        }
    }
    assert_eq!(held, 49 * (1 + 1 + 6 + 60));
}

/// How many macroblocks were compared.
fn hold(picture: &Picture<'_>, settings: Settings) -> usize {
    let rows = Rows::Picture(picture);
    let (across, _) = rows.macroblocks();
    let segments = Segments::new(analyse(&rows), settings.quality, settings.looks_at_texture());
    let mut below = Vec::new();
    let mut right = Vec::new();
    let mut coded = code(&rows, &segments, settings.search(), None, |trace| {
        below.push((trace.luma_below, trace.chroma_below));
        right.push((trace.luma_right, trace.chroma_right));
    });
    // The loop filter works on the decoded pixels; predictions are made of those before it.
    coded.filters.fill(0);
    let modes = header::write(&coded, across, &segments);
    let frame = assemble(rows.size(), &modes, &tokens::write(&coded, across)).unwrap();
    let decoded = Vp8Decoder::decode_frame(Cursor::new(&frame)).unwrap();
    let stride = 16 * across;
    for (index, (below, right)) in below.iter().zip(&right).enumerate() {
        let (x, y) = (index % across, index / across);
        let luma = |column: usize, row: usize| decoded.ybuf[(16 * y + row) * stride + 16 * x + column];
        let told = format!("{settings:?}, macroblock {x}, {y} of {} × {}", picture.width, picture.height);
        assert_eq!(std::array::from_fn(|column| luma(column, 15)), below.0, "luma below, {told}");
        assert_eq!(std::array::from_fn(|row| luma(15, row)), right.0, "luma on the right, {told}");
        for (plane, pixels) in [&decoded.ubuf, &decoded.vbuf].into_iter().enumerate() {
            let chroma = |column: usize, row: usize| pixels[(8 * y + row) * stride / 2 + 8 * x + column];
            assert_eq!(
                std::array::from_fn(|column| chroma(column, 7)),
                below.1[plane],
                "chroma below, {told}"
            );
            assert_eq!(
                std::array::from_fn(|row| chroma(7, row)),
                right.1[plane],
                "chroma on the right, {told}"
            );
        }
    }
    below.len()
}
