//! The decoder of alpha channels: every filter and way of coding, beside an independent decoder.

use filepress_webp::{AlphaRows, DecodeError, Layout, Settings};

use super::pictures::{Noise, decoded, encoded, generated};

const SIZE: (u32, u32) = (37, 29);

fn rows(chunk: &[u8], size: (u32, u32)) -> Result<Vec<u8>, DecodeError> {
    let mut rows = AlphaRows::new(chunk, size)?;
    let mut samples = Vec::new();
    while let Some(row) = rows.next_row()? {
        samples.extend_from_slice(row);
    }
    Ok(samples)
}

/// An `ALPH` chunk that is not compressed, by one of the four filters of RFC 9649, 2.7.1.2.
fn raw(alpha: &[u8], width: usize, filter: u8) -> Vec<u8> {
    let mut chunk = vec![filter << 2];
    for (at, &sample) in alpha.iter().enumerate() {
        let (x, y) = (at % width, at / width);
        let before = |back: usize| alpha[at - back];
        let predicted = match (filter, x, y) {
            (0, ..) | (_, 0, 0) => 0,
            (1, 0, _) | (2 | 3, _, 1..) if x == 0 || filter == 2 => before(width),
            (1, ..) | (_, _, 0) => before(1),
            _ => {
                let [left, above, corner] = [1, width, width + 1].map(|back| i16::from(before(back)));
                (left + above - corner).clamp(0, 255) as u8
            }
        };
        chunk.push(sample.wrapping_sub(predicted));
    }
    chunk
}

/// A lossy file whose alpha is this chunk.
fn file(chunk: &[u8]) -> Vec<u8> {
    let picture = generated(SIZE.0, SIZE.1, |x, y| [x as u8, y as u8, 9, (x * 3 + y) as u8]);
    let whole = encoded(SIZE.0, SIZE.1, Layout::Rgba, &picture, Settings::default());
    let length = |at: usize| u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap()) as usize;
    let (mut file, mut at) = (whole[..12].to_vec(), 12);
    while at < whole.len() {
        let end = at + 8 + length(at).next_multiple_of(2);
        if &whole[at..at + 4] == b"ALPH" {
            file.extend(b"ALPH");
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(chunk);
            file.resize(file.len().next_multiple_of(2), 0);
        } else {
            file.extend(&whole[at..end]);
        }
        at = end;
    }
    let all = file.len() as u32 - 8;
    file[4..8].copy_from_slice(&all.to_le_bytes());
    file
}

#[test]
fn every_filter_is_undone() {
    let mut noise = Noise::seeded(21);
    let width = SIZE.0 as usize;
    let slope: Vec<u8> =
        (0..width * SIZE.1 as usize).map(|at| (at % width * 6 + at / width * 5) as u8).collect();
    let grain: Vec<u8> = slope.iter().map(|_| noise.next()).collect();
    for alpha in [slope, grain] {
        for filter in 0..4 {
            let chunk = raw(&alpha, width, filter);
            assert_eq!(rows(&chunk, SIZE), Ok(alpha.clone()), "filter {filter}");
            let others = decoded(&file(&chunk), SIZE.0, SIZE.1, Layout::Rgba);
            let others: Vec<u8> = others.chunks(4).map(|pixel| pixel[3]).collect();
            assert_eq!(others, alpha, "filter {filter}");
        }
    }
}

#[test]
fn what_is_too_short_or_coded_in_an_unknown_way_is_corrupt() {
    let alpha = vec![7; (SIZE.0 * SIZE.1) as usize];
    let chunk = raw(&alpha, SIZE.0 as usize, 1);
    for length in [0, 1, chunk.len() - 1] {
        assert!(matches!(rows(&chunk[..length], SIZE), Err(DecodeError::Corrupt(_))), "{length}");
    }
    for kind in [2, 3, 2 << 4, 3 << 4, 3 << 4 | 1] {
        let damaged = [&[kind], &chunk[1..]].concat();
        assert!(matches!(rows(&damaged, SIZE), Err(DecodeError::Corrupt(_))), "{kind}");
    }
}
