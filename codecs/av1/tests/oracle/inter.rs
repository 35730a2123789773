//! Image sequences: their first picture is read, and what is predicted from another frame is refused.

use crate::content::{Chroma, Source};
use crate::programs::{Folder, aomenc};
use crate::random::Random;
use crate::units::units;
use filepress_av1::{DecodeOptions, Error, Limits, decode};

/// OBU_FRAME.
const FRAME: u8 = 6;

#[test]
fn of_a_sequence_the_first_picture_is_read_and_an_inter_frame_is_refused() {
    let folder = Folder::new(51);
    let mut random = Random::new(51);
    let source = Source::new(&mut random, 0, 12);
    let mut y4m = source.y4m();
    let frame = y4m.windows(6).position(|word| word == b"FRAME\n").unwrap();
    let again = y4m[frame..].to_vec();
    y4m.extend_from_slice(&again);
    let profile = match (source.bit_depth, source.chroma) {
        (12, _) | (_, Chroma::C422) => 2,
        (_, Chroma::C444) => 1,
        _ => 0,
    };
    let depth = source.bit_depth;
    let options = [
        "--codec=av1",
        "--passes=1",
        "--lag-in-frames=0",
        "--good",
        "--cpu-used=6",
        &format!("--profile={profile}"),
        &format!("--bit-depth={depth}"),
        &format!("--input-bit-depth={depth}"),
    ];
    let obus = aomenc(&folder, &y4m, &options).unwrap();
    let all = units(&obus);
    assert_eq!(all.iter().filter(|(kind, _)| *kind == FRAME).count(), 2);
    let decoded = |obus: &[u8]| decode(obus, &Limits::default(), &DecodeOptions::default());
    assert!(decoded(&obus).is_ok());
    let first = all.iter().position(|(kind, _)| *kind == FRAME).unwrap();
    let without: Vec<u8> =
        [&all[..first], &all[first + 1..]].concat().iter().flat_map(|(_, unit)| *unit).copied().collect();
    assert_eq!(decoded(&without).unwrap_err(), Error::Unsupported("an inter frame"));
}
