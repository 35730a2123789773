//! What was compressed comes back.

use filepress_deflate::{Adler32, Container, Encoder, Level, compress};
use miniz_oxide::inflate::{decompress_to_vec, decompress_to_vec_zlib};

use crate::generated::{Random, bytes};
use crate::seed::seed;

pub(crate) const LEVELS: [Level; 5] = [Level::Fast, Level::Lazy, Level::Quick, Level::Optimal, Level::Slow];
/// The number of small inputs at `FILEPRESS_SCALE=1`.
const SMALL_INPUTS: f64 = 100_000.0;

/// The share of a big test that runs: `FILEPRESS_SCALE`, a tenth by default.
fn scale() -> f64 {
    let text = std::env::var("FILEPRESS_SCALE").ok();
    text.map_or(0.1, |text| text.parse().expect("FILEPRESS_SCALE is a number"))
}

#[test]
fn small_inputs_come_back() {
    let mut random = Random::new(seed(1));
    let (count, mut total) = ((SMALL_INPUTS * scale()) as usize, 0);
    for input in 0..count {
        let size = random.size(12);
        let data = bytes(&mut random, size);
        let level = LEVELS[input % LEVELS.len()];
        let back = decompress_to_vec(&compress(&data, Container::Raw, level));
        assert!(back.is_ok_and(|back| back == data), "input {input} of {size} bytes, {level:?}");
        total += size;
    }
    eprintln!("{count} inputs, {total} bytes");
    assert!(count == 0 || total > 100 * count);
}

#[test]
fn large_inputs_come_back_in_the_same_bytes_from_any_pieces() {
    let mut random = Random::new(seed(2));
    for level in LEVELS {
        for size in [0, 1, 65_535, 65_536, 131_072, 131_338, 300_000, 1_400_000] {
            let data = bytes(&mut random, size);
            come_back(&data, level, &mut random);
        }
    }
}

/// Runs up to and beyond the longest match, so that some lie on the ends of segments, and then stretches of bytes that are rare in
/// their block: they cost the most that literals can.
#[test]
fn runs_and_rare_bytes_come_back() {
    let mut random = Random::new(seed(4));
    for level in LEVELS {
        let mut data = Vec::new();
        while data.len() < 400_000 {
            let (run, byte) = (random.size(10), random.below(2) as u8);
            data.resize(data.len() + run, byte);
            data.extend((0..random.below(3)).map(|_| random.below(4) as u8));
            if random.below(50) == 0 {
                data.extend((0..=u8::MAX).chain((0..=u8::MAX).rev()));
            }
        }
        come_back(&data, level, &mut random);
    }
}

/// Compresses data whole and in pieces.
fn come_back(data: &[u8], level: Level, random: &mut Random) {
    let whole = compress(data, Container::Zlib, level);
    assert!(decompress_to_vec_zlib(&whole).is_ok_and(|back| back == data), "{} bytes, {level:?}", data.len());
    let mut encoder = Encoder::new(Container::Zlib, level);
    let (mut rest, mut out) = (data, Vec::new());
    while !rest.is_empty() {
        let (piece, next) = rest.split_at(rest.len().min(1 + random.below(100_000)));
        encoder.write(piece);
        out.extend(encoder.take());
        rest = next;
    }
    out.extend(encoder.finish());
    assert!(out == whole, "{} bytes in pieces, {level:?}", data.len());
}

#[test]
fn noise_is_stored() {
    let mut random = Random::new(seed(3));
    let data: Vec<u8> = (0..500_000).map(|_| random.below(256) as u8).collect();
    for level in LEVELS {
        let coded = compress(&data, Container::Raw, level);
        assert!(coded.len() <= data.len() + 200, "{} bytes, {level:?}", coded.len());
        assert!(decompress_to_vec(&coded).is_ok_and(|back| back == data));
    }
}

#[test]
fn a_stream_ends_with_the_checksum() {
    let data = b"checksum".repeat(1000);
    let mut sum = Adler32::new();
    sum.update(&data);
    let coded = compress(&data, Container::Zlib, Level::Optimal);
    assert_eq!(coded[coded.len() - 4..], sum.value().to_be_bytes());
    assert_eq!(u16::from_be_bytes([coded[0], coded[1]]) % 31, 0);
}
