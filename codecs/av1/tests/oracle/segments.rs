//! Segment ids outside of the range that conformance asks for: aomenc writes some, aomdec refuses them, dav1d takes segment 0.

use crate::content::Source;
use crate::programs::{Folder, aomenc};
use crate::random::Random;
use crate::reference::Reference;

/// The most pictures to look at, and how many with such an id suffice.
const TRIES: usize = 400;
const ENOUGH: usize = 5;

/// Segments by complexity.
const OPTIONS: [&str; 12] = [
    "--limit=1",
    "--threads=1",
    "--profile=2",
    "--bit-depth=12",
    "--input-bit-depth=12",
    "--cpu-used=6",
    "--end-usage=q",
    "--cq-level=0",
    "--aq-mode=2",
    "--deltaq-mode=1",
    "--enable-chroma-deltaq=1",
    "--cdf-update-mode=0",
];

#[test]
fn a_segment_id_out_of_range_is_segment_0() {
    let (random, folder) = (Random::new(71), Folder::new(71));
    let mut found = 0;
    for number in 0..TRIES {
        let source = Source::new(&mut random.fork(number), number, TRIES);
        if found == ENOUGH || source.bit_depth != 12 || source.width * source.height > 20_000 {
            continue;
        }
        let Some(obus) = aomenc(&folder, &source.y4m(), &OPTIONS) else { continue };
        let Some(reference) = Reference::new(&folder, &obus) else { continue };
        assert_eq!(crate::compare(&obus, &reference, &source), Ok(()), "picture {number}");
        found += usize::from(Reference::of_libaom(&folder, &obus).is_none());
    }
    assert_eq!(found, ENOUGH, "aomenc wrote fewer such ids");
}
