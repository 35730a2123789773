//! What is written: read by both decoders, and compared with what the crate `dds` writes.

use dds::header::Header;
use dds::{ColorFormat, CompressionQuality, Encoder, Format, ImageView, Size};
use filepress_dds::{Blocks, Error, Pixels, Samples, encode, encode_blocks};

use crate::support::{Random, difference, ours, theirs};

const SIDE: u32 = 128;

/// Slopes, edges and grain, in red, green, blue and alpha.
fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut random = Random(9);
    let mut samples = Vec::new();
    for at in 0..width * height {
        let (x, y) = ((at % width) as f32, (at / width) as f32);
        let round = ((x - 50.0).powi(2) + (y - 60.0).powi(2)).sqrt();
        let shade = 90.0 + 60.0 * (x / 17.0).sin() * (y / 23.0).cos();
        let [red, green, blue] = if round < 30.0 { [1.3, 0.9, 0.5] } else { [0.7, 1.0, 1.2] };
        let grain = (random.next() % 9) as f32 - 4.0;
        let alpha = (255.0 - 4.0 * (round - 40.0)).clamp(0.0, 255.0);
        samples.extend(
            [shade * red + grain, shade * green + grain, shade * blue + grain, alpha].map(|s| s as u8),
        );
    }
    samples
}

fn opaque(mut samples: Vec<u8>) -> Vec<u8> {
    samples.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    samples
}

/// Of a file in blocks, whose decoded pixels both decoders agree about.
fn decoded(file: &[u8]) -> Vec<u8> {
    let samples = ours(file);
    assert_eq!(difference(&samples, &theirs(file)), 0);
    let Samples::U8(samples) = samples else { panic!("8 bits") };
    samples
}

/// Peak signal-to-noise ratio.
fn decibels(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let squares: f64 =
        one.iter().zip(other).map(|(one, other)| f64::from(one.abs_diff(*other)).powi(2)).sum();
    10.0 * (255.0_f64.powi(2) * one.len() as f64 / squares).log10()
}

fn written_by_other(
    format: Format,
    effort: CompressionQuality,
    color: ColorFormat,
    samples: &[u8],
) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header::new_image(SIDE, SIDE, format);
    let mut encoder = Encoder::new(&mut file, format, &header).expect("a format that can be written");
    encoder.encoding.quality = effort;
    let view = ImageView::new(samples, Size::new(SIDE, SIDE), color).expect("all pixels");
    encoder.write_surface(view).expect("pixels");
    encoder.finish().expect("one surface");
    file
}

#[test]
fn every_sample_is_kept() {
    let mut random = Random(4);
    for (width, height) in [(1, 1), (5, 3), (64, 64), (67, 13)] {
        let count = (width * height) as usize;
        let bytes = random.bytes(4 * count);
        let words: Vec<u16> = (0..4 * count).map(|_| random.next() as u16).collect();
        for (pixels, kept) in [
            (Pixels::Gray8(&bytes[..count]), Samples::U8(bytes[..count].to_vec())),
            (Pixels::Rgb8(&bytes[..3 * count]), Samples::U8(bytes[..3 * count].to_vec())),
            (Pixels::Rgba8(&bytes), Samples::U8(bytes.clone())),
            (Pixels::Gray16(&words[..count]), Samples::U16(words[..count].to_vec())),
            (Pixels::Rgba16(&words), Samples::U16(words.clone())),
        ] {
            let file = encode(pixels, width, height).expect("as many samples as the size says");
            assert_eq!(ours(&file), kept);
            assert_eq!(theirs(&file), kept);
        }
    }
}

#[test]
fn blocks_are_no_worse_than_those_of_the_other_encoder() {
    let clear = picture(SIDE, SIDE);
    let colors = opaque(clear.clone());
    let gray: Vec<u8> = colors.chunks_exact(4).map(|pixel| pixel[1]).collect();
    let (fast, slow) = (Blocks::Bc7 { search: false }, Blocks::Bc7 { search: true });
    let (gray8, rgba8) = (ColorFormat::GRAYSCALE_U8, ColorFormat::RGBA_U8);
    for (blocks, format, effort, color, samples, least) in [
        (Blocks::Bc1, Format::BC1_UNORM, CompressionQuality::Normal, rgba8, &colors, 36.0),
        (Blocks::Bc3, Format::BC3_UNORM, CompressionQuality::Normal, rgba8, &clear, 36.0),
        (Blocks::Bc4, Format::BC4_UNORM, CompressionQuality::High, gray8, &gray, 44.0),
        (fast, Format::BC7_UNORM, CompressionQuality::Fast, rgba8, &colors, 43.0),
        (fast, Format::BC7_UNORM, CompressionQuality::Fast, rgba8, &clear, 43.0),
        (slow, Format::BC7_UNORM, CompressionQuality::Normal, rgba8, &colors, 43.5),
        (slow, Format::BC7_UNORM, CompressionQuality::Normal, rgba8, &clear, 43.5),
    ] {
        let file = encode_blocks(blocks, SIDE, SIDE, samples).expect("all samples");
        let own = decibels(&decoded(&file), samples);
        let other = decibels(&decoded(&written_by_other(format, effort, color, samples)), samples);
        assert!(own >= other - 0.3, "{blocks:?}: {own:.2} dB instead of {other:.2} dB");
        assert!(own >= least, "{blocks:?}: {own:.2} dB");
    }
}

#[test]
fn what_is_opaque_stays_so() {
    let mut random = Random(21);
    let mut noise = random.bytes(4 * 64 * 64);
    noise.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    for samples in [noise, opaque(picture(64, 64))] {
        for blocks in [Blocks::Bc1, Blocks::Bc3, Blocks::Bc7 { search: false }, Blocks::Bc7 { search: true }]
        {
            let decoded = decoded(&encode_blocks(blocks, 64, 64, &samples).expect("all samples"));
            assert!(decoded.chunks_exact(4).all(|pixel| pixel[3] == 255), "{blocks:?}");
        }
    }
}

#[test]
fn a_block_of_one_color_is_that_color() {
    for color in [[0, 0, 0, 255], [255, 255, 255, 255], [13, 200, 77, 255], [90, 90, 90, 128], [1, 2, 3, 0]] {
        let samples = color.repeat(16);
        let code =
            |blocks, samples: &[u8]| decoded(&encode_blocks(blocks, 4, 4, samples).expect("all samples"));
        for search in [false, true] {
            let decoded = code(Blocks::Bc7 { search }, &samples);
            let apart = decoded.iter().zip(&samples).map(|(one, other)| one.abs_diff(*other)).max();
            assert!(apart <= Some(1), "{color:?}: {:?}", &decoded[..4]);
        }
        let gray = vec![color[1]; 16];
        assert_eq!(code(Blocks::Bc4, &gray), gray);
        let alpha: Vec<u8> = code(Blocks::Bc3, &samples).into_iter().skip(3).step_by(4).collect();
        assert_eq!(alpha, [color[3]; 16]);
        let apart =
            code(Blocks::Bc1, &samples).iter().zip(&opaque(samples)).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(apart <= Some(4), "{color:?}: {apart:?}");
    }
}

#[test]
fn edges_are_kept_where_a_block_is_not_filled() {
    for (width, height) in [(1, 1), (2, 3), (5, 4), (7, 9), (4, 1), (13, 6)] {
        let column = |at: u32| if at % width + 1 == width { [255, 130, 0, 255] } else { [0, 0, 90, 255] };
        let samples: Vec<u8> = (0..width * height).flat_map(column).collect();
        for blocks in [Blocks::Bc1, Blocks::Bc3, Blocks::Bc7 { search: false }, Blocks::Bc7 { search: true }]
        {
            let decoded = decoded(&encode_blocks(blocks, width, height, &samples).expect("all samples"));
            let apart = decoded.iter().zip(&samples).map(|(one, other)| one.abs_diff(*other)).max();
            assert!(apart <= Some(5), "{blocks:?} of {width} × {height}: {apart:?}");
        }
    }
}

#[test]
fn other_numbers_of_samples_are_refused() {
    let refused = |expected, given| Err(Error::Samples { expected, given });
    assert_eq!(encode(Pixels::Rgb8(&[0; 11]), 2, 2), refused(12, 11));
    assert_eq!(encode(Pixels::Gray16(&[0; 5]), 2, 2), refused(4, 5));
    assert_eq!(encode(Pixels::Gray8(&[]), 0, 4), refused(0, 0));
    assert_eq!(encode_blocks(Blocks::Bc1, 2, 2, &[0; 12]), refused(16, 12));
    assert_eq!(encode_blocks(Blocks::Bc4, u32::MAX, u32::MAX, &[]), refused((u32::MAX as usize).pow(2), 0));
}
