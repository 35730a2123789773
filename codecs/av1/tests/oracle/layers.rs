//! Spatial layers and operating points: two key frames in one temporal unit.

use crate::content::{Chroma, Source};
use crate::programs::{Folder, aomenc, run};
use crate::random::Random;
use crate::units::units;
use filepress_av1::{DecodeOptions, Error, Limits, Picture, decode};

pub(super) const SEQUENCE_HEADER: u8 = 1;
pub(super) const TEMPORAL_DELIMITER: u8 = 2;
pub(super) const FRAME: u8 = 6;
/// The bits of a full sequence header without timing before its operating points, and those of one point up to its level.
const BEFORE_POINTS: usize = 3 + 1 + 1 + 1 + 1;
const COUNT: usize = 5;
const POINT: usize = 12 + 5;

/// Two bitstreams of one picture each, with the same sequence header.
fn pictures(folder: &Folder) -> [Vec<u8>; 2] {
    let source = (0..).map(|own| Source::new(&mut Random::new(own), 0, 12));
    let source =
        source.into_iter().find(|source| source.bit_depth == 8 && source.chroma == Chroma::C420).unwrap();
    ["10", "60"].map(|level| {
        let options = [
            "--codec=av1",
            "--passes=1",
            "--limit=1",
            "--allintra",
            "--cpu-used=8",
            "--full-still-picture-hdr",
            "--end-usage=q",
            &format!("--cq-level={level}"),
        ];
        aomenc(folder, &source.y4m(), &options).unwrap()
    })
}

fn bits(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1 == 1)).collect()
}

pub(super) fn number(value: usize, count: usize) -> Vec<bool> {
    (0..count).rev().map(|at| value >> at & 1 == 1).collect()
}

/// A unit with an extension header if `layer` is given.
pub(super) fn unit(kind: u8, layer: Option<u8>, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind << 3 | 2 | if layer.is_some() { 4 } else { 0 }];
    bytes.extend(layer.map(|layer| layer << 3));
    let mut size = payload.len();
    while size >= 128 {
        bytes.push(size as u8 | 128);
        size >>= 7;
    }
    bytes.push(size as u8);
    [&bytes, payload].concat()
}

/// The payload of the first unit of a type.
fn payload(obus: &[u8], wanted: u8) -> Vec<u8> {
    let all = units(obus);
    let (_, unit) = all.iter().find(|(kind, _)| *kind == wanted).unwrap();
    let size = unit[1..].iter().take_while(|byte| **byte >= 128).count() + 1;
    unit[1 + size..].to_vec()
}

/// A sequence header with two operating points: both layers, and the lower one.
fn layered(header: &[u8]) -> Vec<u8> {
    let old = bits(header);
    let level = &old[BEFORE_POINTS + COUNT + 12..][..5];
    let mut new = old[..BEFORE_POINTS].to_vec();
    new.extend(number(1, COUNT));
    for idc in [0x301, 0x101] {
        new.extend(number(idc, 12));
        new.extend(level);
    }
    new.extend(&old[BEFORE_POINTS + COUNT + POINT..]);
    // What was the end of a byte need not be one.
    bytes(new)
}

/// Whole bytes, the last filled up with zeros.
pub(super) fn bytes(mut bits: Vec<bool>) -> Vec<u8> {
    bits.resize(bits.len().next_multiple_of(8), false);
    let byte = |byte: &[bool; 8]| byte.iter().fold(0, |all, bit| all << 1 | u8::from(*bit));
    bits.as_chunks::<8>().0.iter().map(byte).collect()
}

pub(super) fn samples(picture: &Picture) -> Vec<u16> {
    (0..picture.height()).flat_map(|y| picture.row(0, y).to_vec()).collect()
}

#[test]
fn the_highest_layer_is_shown_unless_another_is_asked_for() {
    let folder = Folder::new(61);
    let alone = pictures(&folder);
    let shown = |obus: &[u8], options: &DecodeOptions| {
        decode(obus, &Limits::default(), options).map(|picture| samples(&picture))
    };
    let [low, high] = alone.each_ref().map(|obus| shown(obus, &DecodeOptions::default()).unwrap());
    assert_ne!(low, high);
    let both = [
        unit(TEMPORAL_DELIMITER, None, &[]),
        unit(SEQUENCE_HEADER, None, &layered(&payload(&alone[0], SEQUENCE_HEADER))),
        unit(FRAME, Some(0), &payload(&alone[0], FRAME)),
        unit(FRAME, Some(1), &payload(&alone[1], FRAME)),
    ]
    .concat();
    let options = |operating_point, spatial_layer| DecodeOptions {
        operating_point,
        spatial_layer,
        ..Default::default()
    };
    assert!(shown(&both, &options(0, None)).as_ref() == Ok(&high));
    assert!(shown(&both, &options(0, Some(1))).as_ref() == Ok(&high));
    assert!(shown(&both, &options(0, Some(0))).as_ref() == Ok(&low));
    assert!(shown(&both, &options(1, None)).as_ref() == Ok(&low));
    assert!(matches!(shown(&both, &options(2, None)), Err(Error::Corrupt(_))));
    // A layer that is not there is not another one.
    assert!(matches!(shown(&both, &options(0, Some(2))), Err(Error::Corrupt(_))));
    assert!(matches!(shown(&both, &options(1, Some(1))), Err(Error::Corrupt(_))));
    // Frames that are not shown in the end cost time and memory.
    let low_layer = unit(FRAME, Some(0), &payload(&alone[0], FRAME));
    let header = both.len() - low_layer.len() - unit(FRAME, Some(1), &payload(&alone[1], FRAME)).len();
    let many = [&both[..header], &low_layer.repeat(16), &both[header..]].concat();
    assert!(matches!(shown(&many, &options(0, None)), Err(Error::Unsupported(_))));
    // As dav1d, which shows the highest layer too.
    let input = folder.write("both.obu", &both);
    for (point, expected) in [("0", &high), ("1", &low)] {
        let options = [
            "-i",
            &input,
            "-o",
            &folder.path("both.yuv"),
            "--alllayers",
            "0",
            "--oppoint",
            point,
            "--limit",
            "1",
        ];
        assert!(run("dav1d", &options.map(String::from)));
        let theirs = folder.take("both.yuv").unwrap();
        assert!(
            expected.iter().zip(&theirs).all(|(ours, theirs)| *ours == u16::from(*theirs)),
            "point {point}"
        );
    }
}
