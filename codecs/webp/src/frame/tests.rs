//! The reconstruction that the encoder predicts from equals the pixels of an independent decoder.

use std::io::Cursor;

use image_webp::vp8::Vp8Decoder;

use super::{assemble, code};
use crate::analysis::analyze;
use crate::picture::{Layout, Picture};
use crate::seed::seed;
use crate::segments::Segments;
use crate::settings::Settings;
use crate::yuv_source::YuvSource;
use crate::{partition0, token_partition};

/// Edges, gradients, texture and noise.
fn samples(width: usize, height: usize) -> Vec<u8> {
    let mut state = seed(1) as u32;
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
fn decoders_reconstruct_the_pixels_that_the_encoder_predicts_from() {
    let mut compared = 0;
    for (width, height) in [(1, 1), (16, 16), (17, 33), (150, 90)] {
        let samples = samples(width as usize, height as usize);
        let picture = Picture::new(width, height, Layout::Rgb, &samples).unwrap();
        for quality in [0, 20, 50, 75, 90, 99, 100] {
            for effort in 0..=6 {
                compared += compare(&picture, Settings { quality, effort });
            }
        }
    }
    assert_eq!(compared, 49 * (1 + 1 + 6 + 60));
}

/// Returns how many macroblocks were compared.
fn compare(picture: &Picture<'_>, settings: Settings) -> usize {
    let source = YuvSource::Picture(picture);
    let (mb_width, _) = source.mb_size();
    let segments = Segments::new(analyze(&source), settings.quality, settings.weighs_texture());
    let mut bottom = Vec::new();
    let mut right = Vec::new();
    let mut coded = code(&source, &segments, settings.search(), None, |recon| {
        bottom.push((recon.y_bottom, recon.uv_bottom));
        right.push((recon.y_right, recon.uv_right));
    });
    // Intra prediction uses the pixels before the loop filter, so it is turned off.
    coded.filter_levels.fill(0);
    let partition0 = partition0::write(&coded, mb_width, &segments);
    let frame = assemble(source.size(), &partition0, &token_partition::write(&coded, mb_width)).unwrap();
    let decoded = Vp8Decoder::decode_frame(Cursor::new(&frame)).unwrap();
    let stride = 16 * mb_width;
    for (index, (bottom, right)) in bottom.iter().zip(&right).enumerate() {
        let (x, y) = (index % mb_width, index / mb_width);
        let luma = |column: usize, row: usize| decoded.ybuf[(16 * y + row) * stride + 16 * x + column];
        let case = format!("{settings:?}, macroblock {x}, {y} of {} × {}", picture.width, picture.height);
        assert_eq!(std::array::from_fn(|column| luma(column, 15)), bottom.0, "luma bottom, {case}");
        assert_eq!(std::array::from_fn(|row| luma(15, row)), right.0, "luma right, {case}");
        for (plane, pixels) in [&decoded.ubuf, &decoded.vbuf].into_iter().enumerate() {
            let chroma = |column: usize, row: usize| pixels[(8 * y + row) * stride / 2 + 8 * x + column];
            let decoded_bottom = std::array::from_fn(|column| chroma(column, 7));
            assert_eq!(decoded_bottom, bottom.1[plane], "chroma bottom, {case}");
            assert_eq!(std::array::from_fn(|row| chroma(7, row)), right.1[plane], "chroma right, {case}");
        }
    }
    bottom.len()
}
