//! A higher level writes fewer bytes, and known inputs stay as small as they are.

use filepress_deflate::{Container, compress};

use crate::generated::{Random, bytes};
use crate::round_trip::LEVELS;

#[test]
fn each_level_is_smaller_than_the_one_before() {
    let data = bytes(&mut Random::new(11), 400_000);
    let sizes = LEVELS.map(|level| compress(&data, Container::Raw, level).len());
    assert!(sizes.is_sorted_by(|faster, slower| faster >= slower), "{sizes:?}");
}

#[test]
fn a_run_takes_a_symbol_for_258_bytes() {
    for level in LEVELS {
        let coded = compress(&vec![0; 1 << 20], Container::Raw, level);
        assert!(coded.len() < 1100 + 100, "{} bytes, {level:?}", coded.len());
    }
}
