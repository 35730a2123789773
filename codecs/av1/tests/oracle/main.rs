//! Pictures of random content, encoded by Debian's aomenc and avifenc with random options, decoded by us and by Debian's dav1d. Every
//! sample has to be the same, and every tool of the format that the encoders use has to have occurred.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed"
)]

mod branches;
#[allow(dead_code, reason = "the test of the encoder reads planes")]
mod content;
mod damaged;
mod encoders;
mod film_grain;
mod hidden;
mod inter;
mod layers;
mod programs;
mod random;
mod reference;
#[path = "../../../../tests/common/seed.rs"]
mod seed;
mod segments;
mod superres;
mod units;

use content::Source;
use encoders::Encoded;
use filepress_av1::{DecodeOptions, Limits, coverage, decode};
use programs::Folder;
use random::Random;
use reference::Reference;
use std::collections::BTreeMap;

/// Stills at `FILEPRESS_SCALE=1`.
const STILLS: usize = 2_400;

#[test]
fn stills_of_all_kinds_decode_as_in_dav1d() {
    let count = random::scaled(STILLS);
    let random = Random::new(18);
    let folder = Folder::new(18);
    let mut used: BTreeMap<(&'static str, usize), u64> = BTreeMap::new();
    let (mut compared, mut by_libaom) = (0, 0);
    coverage::take();
    for number in 0..count {
        // Each still can be made again without those before.
        let mut random = random.fork(number);
        let source = Source::new(&mut random, number, count);
        let Some(encoded) = Encoded::new(&mut random, &folder, &source) else { continue };
        let by_libaom_too = || {
            let libaom = Reference::of_libaom(&folder, &encoded.obus).filter(|_| encoded.is_upscaled());
            libaom.is_some_and(|libaom| compare(&encoded.obus, &libaom, &source).is_ok())
        };
        let Some(reference) = Reference::new(&folder, &encoded.obus) else {
            // aomenc splits some blocks of 4:2:2 in ways that are not allowed. Of narrow upscaled pictures see `superres`.
            let refused = decode(&encoded.obus, &Limits::default(), &DecodeOptions::default()).is_err();
            if !refused && !by_libaom_too() {
                let kept = folder.keep(number, &encoded.obus);
                panic!("dav1d refuses still {number}: {}\n{kept}", encoded.description);
            }
            continue;
        };
        if let Err(difference) = compare(&encoded.obus, &reference, &source) {
            // dav1d 1.0.0 differs from libaom in single samples of some upscaled pictures.
            if !by_libaom_too() {
                let kept = folder.keep(number, &encoded.obus);
                panic!("still {number}: {difference}\n{}\n{kept}", encoded.description);
            }
            by_libaom += 1;
        }
        compared += 1;
        for (branch, times) in coverage::take() {
            *used.entry(branch).or_default() += times;
        }
    }
    eprintln!("{compared} stills, of which {by_libaom} as in libaom only");
    branches::report(&used);
    assert!(compared >= count * 9 / 10, "only {compared} of {count} stills were encoded");
    // A tenth of other stills may do without what is rare.
    if count >= STILLS || count >= STILLS / 10 && random::is_default_seed() {
        let missing = branches::missing(&used);
        assert!(missing.is_empty(), "not reached: {missing:?}");
    }
}

/// What differs first between our samples and those of dav1d.
fn compare(obus: &[u8], reference: &Reference, source: &Source) -> Result<(), String> {
    let picture =
        decode(obus, &Limits::default(), &DecodeOptions::default()).map_err(|error| error.to_string())?;
    let size = (picture.width(), picture.height());
    if size != (source.width, source.height) {
        return Err(format!("{size:?}, not {:?}", (source.width, source.height)));
    }
    let mut expected = reference.samples(picture.color().bit_depth);
    for plane in 0..picture.plane_count() {
        let (width, height) = picture.plane_size(plane);
        for y in 0..height {
            for (x, &sample) in picture.row(plane, y).iter().enumerate() {
                let wanted = expected.next().ok_or("dav1d has fewer samples")?;
                if sample != wanted {
                    return Err(format!(
                        "plane {plane} of {width} × {height}: {sample}, not {wanted}, at column {x} of row {y}"
                    ));
                }
            }
        }
    }
    let more = picture.plane_count() > 1 && expected.next().is_some();
    if more { Err("dav1d has more samples".into()) } else { Ok(()) }
}
