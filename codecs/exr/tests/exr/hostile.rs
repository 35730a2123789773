//! Damaged files: an error or a picture, never a panic, never a block of more bytes than the header says.

use filepress_exr::Error;

use crate::files::{built, decoded, random, small_files};

#[test]
fn files_that_end_too_soon_are_refused() {
    for file in small_files() {
        let step = (file.len() / 60).max(1);
        for end in (0..file.len()).step_by(step).chain(file.len() - 8..file.len()) {
            assert!(
                matches!(decoded(&file[..end], 0), Err(Error::Corrupt(_))),
                "{end} of {} bytes",
                file.len()
            );
        }
        assert!(decoded(&file, 0).is_ok());
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let (mut read, mut refused) = (0, 0);
    for (index, file) in small_files().iter().enumerate() {
        for turn in 0..400 {
            let mut broken = file.clone();
            for flip in 0..1 + turn % 3 {
                let bits = random(index * 10_000 + turn * 10 + flip) as usize;
                let place = (bits >> 8) % broken.len();
                broken[place] ^= (bits as u8).max(1);
            }
            match decoded(&broken, 0) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} were read, {refused} refused");
}

#[test]
fn extreme_bytes_never_panic() {
    let mut refused = 0;
    for file in small_files() {
        for value in [0, 1, 0x7F, 0x80, 0xFF] {
            for place in (300..file.len()).step_by(file.len() / 40) {
                let mut broken = file.clone();
                let end = (place + 8).min(broken.len());
                broken[place..end].fill(value);
                refused += usize::from(decoded(&broken, 0).is_err());
            }
        }
    }
    assert!(refused > 500, "{refused} were refused");
}

/// A list of one channel of halves.
fn one_channel() -> Vec<u8> {
    [&b"Y\0"[..], &1_u32.to_le_bytes(), &[0; 4], &[1, 0, 0, 0, 1, 0, 0, 0], &[0]].concat()
}

/// Two zeros as a zlib stream, stored (RFC 1950, RFC 1951).
const TWO_ZEROS: [u8; 13] = [0x78, 0x01, 1, 2, 0, 0xFD, 0xFF, 0, 0, 0, 2, 0, 1];

#[test]
fn blocks_within_blocks_are_refused() {
    // What follows a stream is ignored, so that each block could contain all blocks after it.
    let blocks = vec![TWO_ZEROS.to_vec(); 20];
    let apart = built(1, 20, &one_channel(), 2, &blocks);
    assert!(decoded(&apart, 0).is_ok());
    let mut nested = apart.clone();
    for block in 0..blocks.len() {
        let end = apart.len() - block * (8 + TWO_ZEROS.len());
        let start = end - TWO_ZEROS.len();
        nested[start - 4..start].copy_from_slice(&((apart.len() - start) as u32).to_le_bytes());
    }
    assert_eq!(decoded(&nested, 0), Err(Error::Corrupt("its blocks overlap")));
}

#[test]
fn parts_without_channels_are_refused() {
    for compression in 0..10 {
        let file = built(3, 1, &[0], compression, &[TWO_ZEROS.to_vec()]);
        assert_eq!(decoded(&file, 0), Err(Error::Corrupt("it has no channels")));
    }
}

#[test]
fn many_rules_of_dwa_are_refused() {
    let file = |rules: usize| {
        // Version 2, two bytes by Deflate alone, and the length of their stream.
        let counters = [2, 2, TWO_ZEROS.len() as u64, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut block = counters.map(u64::to_le_bytes).concat();
        block.extend((2 + 4 * rules as u16).to_le_bytes());
        block.extend(b"n\0\0\x01".repeat(rules));
        block.extend(TWO_ZEROS);
        built(1, 1, &one_channel(), 8, &[block])
    };
    assert_eq!(decoded(&file(256), 0), Ok(vec![vec![0]]));
    assert_eq!(decoded(&file(257), 0), Err(Error::Unsupported("it has more than 256 rules of DWA")));
}
