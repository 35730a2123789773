//! Any samples as an AV1 still: the decoder has to make of it what the encoder says it does, and of a lossless one the picture.

#![no_main]
#![allow(clippy::expect_used, reason = "a panic is how a target reports")]

use filepress_av1::{
    ColorConfig, DecodeOptions, EncodeOptions, Limits, Picture, decode, encode_with_reconstruction,
};
use filepress_fuzz::seeds;
use libfuzzer_sys::{Corpus, fuzz_target};

/// Bounds the work of a call.
const MOST_PIXELS: usize = 1 << 13;

fuzz_target!(init: seeds::write_if_requested(examples), |bytes: &[u8]| -> Corpus {
    let [format, quality, effort, width, height, samples @ ..] = bytes else { return Corpus::Reject };
    let size = (usize::from(*width) + 1, usize::from(*height) + 1);
    if size.0 * size.1 > MOST_PIXELS || samples.is_empty() {
        return Corpus::Reject;
    }
    let (picture, options) = (picture(*format, size, samples), options(*format, *quality, *effort));
    let (encoded, reconstruction) =
        encode_with_reconstruction(&picture, &options).expect("every such picture is encoded");
    let decoded = decode(&encoded.obus, &Limits::default(), &DecodeOptions::default())
        .expect("what is encoded is decoded");
    assert_eq!(decoded.color(), picture.color());
    assert!(is_same(&decoded, &reconstruction), "decoder and encoder differ");
    assert!(!options.lossless || is_same(&decoded, &picture), "a lossless picture has changed");
    Corpus::Keep
});

/// `format` has the chroma format, the bit depth, and whether green, blue and red stay apart. `samples` is repeated.
fn picture(format: u8, size: (usize, usize), samples: &[u8]) -> Picture {
    let depth = if format & 4 == 0 { 8 } else { 10 };
    let subsampled = format & 3 == 1;
    let mut color = ColorConfig::new(depth, format & 3 == 0, (subsampled, subsampled));
    if format & 3 == 3 {
        color.matrix_coefficients = 0;
    }
    let mut levels =
        samples.iter().cycle().map(|level| u16::from(*level) << (depth - 8) | u16::from(level & 3));
    let filled = Picture::filled(size, color, |planes| {
        planes.into_iter().flatten().flatten().for_each(|sample| *sample = levels.next().unwrap_or(0));
    });
    filled.expect("a picture with pixels")
}

fn options(format: u8, quality: u8, effort: u8) -> EncodeOptions {
    EncodeOptions { quality, effort: effort % 10, lossless: format & 8 != 0 }
}

fn is_same(one: &Picture, other: &Picture) -> bool {
    (0..one.plane_count()).all(|plane| {
        one.plane_size(plane) == other.plane_size(plane)
            && (0..one.plane_size(plane).1).all(|y| one.row(plane, y) == other.row(plane, y))
    })
}

/// A ramp and stripes in every format, at some sizes.
fn examples() -> Vec<Vec<u8>> {
    let sizes = [(0, 0), (15, 15), (63, 40), (100, 70)];
    let content = |at: u8| if at < 128 { at } else { at % 7 * 36 };
    let example = |format: u8| {
        let (width, height) = sizes[usize::from(format) % sizes.len()];
        let head = [format, format * 6, format, width, height];
        head.into_iter().chain((0..=255).map(content)).collect()
    };
    (0..16).map(example).collect()
}
