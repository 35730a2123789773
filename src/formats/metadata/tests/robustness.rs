//! Damaged files: every call comes back, whatever it comes back with.

use filepress_wire::MediaType;
use image::metadata::Orientation;

use crate::formats::metadata::tests::fixtures::{self, TYPES};
use crate::formats::metadata::{embed, read, rewrite};

use crate::options::MetadataPolicy;

/// All that is done to files; encoding the fresh ones again for each damaged one would take most of the time.
struct Treatment {
    fresh: [(MediaType, Vec<u8>); 3],
}

impl Treatment {
    fn new() -> Self {
        Self { fresh: TYPES.map(|media| (media, fixtures::plain(media))) }
    }

    /// The number of policies that could be carried out on the file itself.
    fn apply(&self, file: &[u8], media: MediaType) -> usize {
        let found = read(file, media);
        let orientation = found.orientation();
        for (output, fresh) in &self.fresh {
            assert!(embed(fresh.clone(), *output, &found).len() >= fresh.len());
        }
        let mut rewritten = 0;
        for policy in [MetadataPolicy::Safe, MetadataPolicy::Keep, MetadataPolicy::Strip] {
            let kept = found.clone().retain(policy);
            if let Some(file) = rewrite(file, media, &kept, orientation) {
                rewritten += 1;
                assert_eq!(read(&file, media).orientation(), orientation);
            }
        }
        rewritten
    }
}

#[test]
fn every_truncation_comes_back() {
    let treatment = Treatment::new();
    let mut treated = 0;
    for media in TYPES {
        let file = fixtures::talkative(media);
        for length in 0..file.len() {
            // The whole length of a PNG or WebP is known; that of a JPEG ends with its last marker.
            assert_eq!(treatment.apply(&file[..length], media), 0, "{media:?} {length}");
            treated += 1;
        }
        assert_eq!(treatment.apply(&file, media), 3, "{media:?}");
    }
    let lengths: usize = TYPES.into_iter().map(|media| fixtures::talkative(media).len()).sum();
    assert_eq!(treated, lengths);
    assert!(treated > 3_000, "{treated}");
}

#[test]
fn every_flipped_byte_comes_back() {
    let treatment = Treatment::new();
    let mut treated = 0;
    for media in TYPES {
        let file = fixtures::talkative(media);
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= [0x01, 0x80, 0xFF][at % 3];
            treatment.apply(&damaged, media);
            treated += 1;
        }
    }
    let lengths: usize = TYPES.into_iter().map(|media| fixtures::talkative(media).len()).sum();
    assert_eq!(treated, lengths);
}

#[test]
fn every_damaged_exif_comes_back() {
    let plain = fixtures::plain(MediaType::Png);
    let mut treated = 0;
    for endian in [fixtures::Endian::Little, fixtures::Endian::Big] {
        let exif = fixtures::exif(endian, 5);
        for at in 0..exif.len() {
            for value in [0, 1, 0x7F, 0xFF] {
                let mut damaged = exif.clone();
                damaged[at] = value;
                let metadata = crate::metadata::Metadata { exif: Some(damaged), ..Default::default() };
                for policy in [MetadataPolicy::Safe, MetadataPolicy::Keep] {
                    let kept = metadata.clone().retain(policy);
                    let file = rewrite(&plain, MediaType::Png, &kept, Orientation::Rotate180);
                    let found = read(&file.unwrap(), MediaType::Png);
                    assert_eq!(found.orientation(), Orientation::Rotate180);
                    treated += 1;
                }
            }
        }
    }
    assert_eq!(treated, 2 * 4 * 2 * fixtures::exif(fixtures::Endian::Big, 5).len());
}
