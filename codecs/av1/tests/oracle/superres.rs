//! Superres that changes nothing: a picture of at most 16 columns is coded in as many. Then libaom reads whether blocks may be
//! copied, as the specification wants it (section 5.9.2), and dav1d does not.

use crate::content::{Chroma, Source};
use crate::programs::{Folder, aomenc};
use crate::random::Random;
use crate::reference::Reference;

/// Pictures to look at.
const TRIES: usize = 600;

/// Columns upscaled by 15/8.
const OPTIONS: [&str; 9] = [
    "--limit=1",
    "--usage=2",
    "--cpu-used=8",
    "--end-usage=q",
    "--cq-level=40",
    "--tune-content=screen",
    "--superres-mode=1",
    "--superres-denominator=15",
    "--superres-kf-denominator=15",
];

#[test]
fn a_ratio_that_changes_nothing_is_none() {
    let (random, folder) = (Random::new(81), Folder::new(81));
    let (mut compared, mut otherwise) = (0, 0);
    for number in 0..TRIES {
        let source = Source::new(&mut random.fork(number), number, TRIES);
        if source.width > 16 || source.bit_depth != 8 || source.chroma != Chroma::C420 {
            continue;
        }
        let obus = aomenc(&folder, &source.y4m(), &OPTIONS).unwrap();
        let libaom = Reference::of_libaom(&folder, &obus).unwrap();
        assert_eq!(crate::compare(&obus, &libaom, &source), Ok(()), "picture {number}");
        compared += 1;
        let dav1d = Reference::new(&folder, &obus);
        otherwise += usize::from(dav1d.is_none_or(|dav1d| crate::compare(&obus, &dav1d, &source).is_err()));
    }
    // Otherwise the bit that dav1d does not read was nowhere.
    assert!(otherwise > 0, "dav1d decodes all {compared} pictures as libaom does");
}
