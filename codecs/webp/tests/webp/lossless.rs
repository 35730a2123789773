//! The decoder of lossless pictures, beside an independent one.

use std::io::Cursor;

use filepress_webp::{DecodeError, LosslessRows, decoding_memory};
use image_webp::WebPDecoder;
use rusty_webp::{ColorType, EncoderParams, WebPEncoder};

use super::pictures::{Noise, generated};

/// The chunk of a lossless file.
fn chunk(file: &[u8]) -> &[u8] {
    assert_eq!(&file[12..16], b"VP8L");
    &file[20..]
}

fn rows(data: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut rows = LosslessRows::new(data)?;
    let mut samples = Vec::new();
    while let Some(row) = rows.next_row()? {
        samples.extend(row.iter().flat_map(|pixel| pixel.rotate_left(8).to_be_bytes()));
    }
    Ok(samples)
}

/// What the other decoder gives, with alpha.
fn expected(file: &[u8]) -> Vec<u8> {
    let mut decoder = WebPDecoder::new(Cursor::new(file)).unwrap();
    let mut samples = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.read_image(&mut samples).unwrap();
    match decoder.has_alpha() {
        true => samples,
        false => samples.chunks_exact(3).flat_map(|color| [color[0], color[1], color[2], 255]).collect(),
    }
}

fn file(width: u32, height: u32, rgba: &[u8], params: EncoderParams) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = WebPEncoder::new(&mut file);
    encoder.set_params(params);
    encoder.encode(rgba, width, height, ColorType::Rgba8).unwrap();
    file
}

fn params(choice: u32) -> EncoderParams {
    let mut params = EncoderParams::default();
    params.use_predictor_transform = choice & 1 != 0;
    params.use_backrefs = choice & 2 != 0;
    params
}

#[test]
fn pictures_of_all_kinds_are_decoded_exactly() {
    let mut noise = Noise::seeded(3);
    let mut count = 0;
    for (width, height) in [(1, 1), (1, 90), (90, 1), (7, 5), (64, 64), (131, 77), (300, 200)] {
        let pictures = [
            generated(width, height, |x, y| [(x * 3) as u8, (y * 5) as u8, (x * y) as u8, 255]),
            generated(width, height, |x, y| [x as u8, 90, y as u8, (x * 4) as u8]),
            generated(width, height, |_, _| [0; 4].map(|_| noise.next())),
            generated(width, height, |x, y| [0, 40 * ((x / 9 + y / 7) % 2) as u8, 9, 255]),
            generated(width, height, |_, _| [noise.next() % 4 * 60, 7, 7, 255]),
            generated(width, height, |_, _| [noise.next() / 20 * 20, 7, 200, 255]),
            generated(width, height, |x, _| {
                let level = (x % 16) as u8 * 16;
                [level, level / 2, 255 - level, 255 - noise.next() / 64]
            }),
        ];
        for (index, picture) in pictures.iter().enumerate() {
            for choice in 0..4 {
                let file = file(width, height, picture, params(choice));
                assert_eq!(rows(chunk(&file)).unwrap(), *picture, "{width} × {height}, {index}, {choice}");
                assert_eq!(expected(&file), *picture);
                count += 1;
            }
        }
    }
    assert_eq!(count, 7 * 7 * 4);
}

#[test]
fn a_picture_larger_than_the_window_is_decoded_exactly() {
    // Rows come again far below, and what is between them does not compress.
    let (width, height) = (2_100, 1_050);
    let mut noise = Noise::seeded(8);
    let picture = generated(width, height, |x, y| {
        let grain = noise.next();
        match y % 300 {
            0..60 => [((x * 7) ^ (x >> 3)) as u8, (x * 5) as u8, (y % 300) as u8, 255],
            60..200 => [grain / 4, 9, grain / 2, 255],
            _ => [(x / 16) as u8, (y / 9) as u8, 3, 255],
        }
    });
    let file = file(width, height, &picture, params(3));
    assert!(rows(chunk(&file)).unwrap() == picture);
    assert!(expected(&file) == picture);
}

#[test]
fn memory_for_a_large_picture_is_bounded() {
    let of_megapixels = |count: u64| decoding_memory(count * 1_000_000, 8_000_000);
    assert!(of_megapixels(12) < 42_000_000, "{}", of_megapixels(12));
    assert!(decoding_memory(100, 100) < 300_000);
}

#[test]
fn damaged_data_is_an_error_or_a_picture() {
    let mut noise = Noise::seeded(11);
    let picture = generated(60, 50, |x, y| [x as u8 * 4, noise.next() / 16, y as u8 * 5, 255 - x as u8]);
    let few = generated(60, 50, |x, y| [0, 40 * ((x / 9 + y / 7) % 2) as u8, 9, 255]);
    let (mut errors, mut tried) = (0, 0);
    for (picture, choice) in [(&picture, 1), (&picture, 3), (&few, 2), (&few, 3)] {
        let file = file(60, 50, picture, params(choice));
        let data = chunk(&file);
        for length in 0..data.len() {
            assert!(rows(&data[..length]).is_err() || length + 2 >= data.len(), "{length} of {}", data.len());
        }
        for _ in 0..1_500 {
            let mut damaged = data.to_vec();
            for _ in 0..1 + noise.next() % 3 {
                let at = (usize::from(noise.next()) << 8 | usize::from(noise.next())) % damaged.len();
                // Most damage is near the start, where the headers are.
                let at = if noise.next() > 60 { at % 60.min(damaged.len()) } else { at };
                damaged[at] = noise.next();
            }
            // The size is not damaged: that would only take time.
            damaged[..5].copy_from_slice(&data[..5]);
            tried += 1;
            match rows(&damaged) {
                Ok(samples) => assert_eq!(samples.len(), picture.len()),
                Err(error) => {
                    errors += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(errors > tried / 4, "{errors} of {tried}");
}
