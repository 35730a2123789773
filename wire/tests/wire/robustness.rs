//! Any bytes at all: an answer, and not that of another type.

use filepress_wire::Sniffed::{self, Known, OneOf, Unknown, Unsupported};
use filepress_wire::{MediaType, sniff};

use crate::samples::samples;
use crate::seed::seed;

fn candidates(sniffed: Sniffed) -> Vec<MediaType> {
    match sniffed {
        Known(media_type) => vec![media_type],
        OneOf(several) => several.to_vec(),
        Unsupported(_) | Unknown => Vec::new(),
    }
}

/// Only what the whole head may be, or nothing of ours.
#[test]
fn a_cut_head_is_never_another_type() {
    let mut cuts = 0;
    for (name, head, expected) in samples() {
        for length in 0..head.len() {
            let found = candidates(sniff(&head[..length]));
            let likeliest = candidates(expected)[0];
            assert!(
                found.is_empty() || found.contains(&likeliest),
                "{name} cut to {length} bytes is {found:?}"
            );
            cuts += 1;
        }
    }
    assert!(cuts > 5_000, "{cuts}");
}

/// A panic is what this test waits for; in passing it asks that noise is nearly never taken for a file.
#[test]
fn noise_is_survived_and_not_recognized() {
    let mut random = Random::seeded(0x9e37_79b9_7f4a_7c15);
    let mut recognized = 0;
    for _ in 0..20_000 {
        let length = (random.next() % 700) as usize;
        let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        recognized += usize::from(!candidates(sniff(&noise)).is_empty());
    }
    assert!(recognized <= 2, "{recognized} of 20,000");
}

/// Heads that begin as they should and go on with noise, wrong bytes and absurd lengths reach deep into the parsers.
#[test]
fn damaged_heads_are_survived() {
    let mut random = Random::seeded(0x2545_f491_4f6c_dd1d);
    let mut tried = 0_u32;
    for (_, head, _) in samples() {
        for _ in 0..300 {
            let mut damaged = head.clone();
            damaged.extend((0..random.next() % 300).map(|_| random.next() as u8));
            for _ in 0..=random.next() % 4 {
                let position = (random.next() % damaged.len() as u64) as usize;
                damaged[position] =
                    *[0, 0xff, 0x7f, random.next() as u8].get((random.next() % 4) as usize).unwrap_or(&1);
            }
            sniff(&damaged);
            tried += 1;
        }
    }
    assert_eq!(tried as usize, samples().len() * 300);
}

/// xorshift64 (Marsaglia 2003).
struct Random(u64);

impl Random {
    /// Zero would stay zero.
    fn seeded(own: u64) -> Self {
        Self(seed(own).max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
