//! Every compression, type of samples, size and kind of block, bit by bit as the crate `exr` reads it.

use exr::prelude::*;

use crate::files::{COMPRESSIONS, CONTENTS, decoded, expected, layer, saved};

const HALF: SampleType = SampleType::F16;
const FLOAT: SampleType = SampleType::F32;
const WHOLE: SampleType = SampleType::U32;

/// Colors, other channels, and layers, whose order their first channels say.
const CHANNELS: [&[(&str, SampleType)]; 9] = [
    &[("B", HALF), ("G", HALF), ("R", HALF)],
    &[("A", FLOAT), ("B", FLOAT), ("G", FLOAT), ("R", FLOAT)],
    &[("A", HALF), ("Y", HALF), ("depth.Z", FLOAT), ("id", WHOLE)],
    &[("A", WHOLE), ("B", HALF), ("G", FLOAT), ("R", HALF), ("Z", HALF)],
    &[("BY", HALF), ("G", WHOLE), ("RY", FLOAT), ("a.B", HALF), ("a.G", HALF), ("a.R", HALF), ("b.R", HALF)],
    &[("A", HALF), ("Aux.B", HALF), ("Aux.G", HALF), ("Aux.R", HALF), ("B", HALF), ("G", HALF), ("R", HALF)],
    &[
        ("Aux.B", FLOAT),
        ("Aux.G", FLOAT),
        ("Aux.R", FLOAT),
        ("B", HALF),
        ("G", HALF),
        ("R", HALF),
        ("Z", HALF),
    ],
    &[
        ("B", HALF),
        ("a.A", HALF),
        ("a.R", HALF),
        ("a.a.B", HALF),
        ("a.a.G", HALF),
        ("a.a.R", HALF),
        ("a.b", HALF),
        ("a.g", HALF),
    ],
    &[
        ("B", WHOLE),
        ("G", HALF),
        ("R", HALF),
        ("c.Z", WHOLE),
        ("d.B", HALF),
        ("d.G", HALF),
        ("d.R", HALF),
        ("e.blue", HALF),
        ("e.green", FLOAT),
        ("e.red", HALF),
    ],
];

const SIZES: [(usize, usize); 6] = [(1, 1), (2, 3), (1, 40), (33, 1), (70, 41), (19, 270)];

#[test]
fn every_compression_is_read_as_the_reference_reads_it() {
    let (mut files, mut different, mut samples) = (0, 0, 0);
    for compression in COMPRESSIONS {
        for blocks in [Blocks::ScanLines, Blocks::Tiles(Vec2(32, 16)), Blocks::Tiles(Vec2(5, 7))] {
            for (at, channels) in CHANNELS.into_iter().enumerate() {
                for (place, size) in SIZES.into_iter().enumerate() {
                    let content = CONTENTS[(at + place) % CONTENTS.len()];
                    let line_order = [LineOrder::Increasing, LineOrder::Decreasing][place % 2];
                    let encoding = Encoding { compression, blocks, line_order };
                    let file = saved(&Image::from_layer(layer(size, channels, content, encoding)));
                    let (differ, all) = check(&file, channels, || {
                        format!("{compression} {blocks:?} {channels:?} {size:?} {content:?}")
                    });
                    (files, different, samples) = (files + 1, different + differ, samples + all);
                }
            }
        }
    }
    assert_eq!(files, 1620);
    assert!(different * 20_000 < samples, "{different} of {samples}");
}

/// Compares all channels. Of the numbers by cosines, a few may differ by one step of 16 bits before the curve: decoders sum up in
/// different orders, and then round. Returns how many do, of how many.
fn check(file: &[u8], channels: &[(&str, SampleType)], name: impl Fn() -> String) -> (usize, usize) {
    let (expected, decoded) = (expected(file), decoded(file, 0));
    let planes = decoded.unwrap_or_else(|error| panic!("{error}: {}", name()));
    assert_eq!(planes.len(), channels.len(), "{}", name());
    let (mut different, mut all) = (0, 0);
    for ((plane, expected), &(channel, kind)) in planes.iter().zip(&expected[0]).zip(channels) {
        assert_eq!(plane.len(), expected.len(), "{}", name());
        let is_cosines =
            name().starts_with("dwa") && kind != WHOLE && !["A", "Z", "a.A", "depth.Z"].contains(&channel);
        all += plane.len();
        for (at, (&read, &expected)) in plane.iter().zip(expected).enumerate() {
            if read != expected {
                let is_near = is_cosines && is_a_step_off(number(read, kind), number(expected, kind));
                assert!(is_near, "{}: {channel} {at}: {read:x} for {expected:x}", name());
                different += 1;
            }
        }
    }
    (different, all)
}

fn number(bits: u32, kind: SampleType) -> f32 {
    if kind == HALF { f16::from_bits(bits as u16).to_f32() } else { f32::from_bits(bits) }
}

/// Whether two numbers are neighbors in 16 bits, as light or before the curve of DWA.
fn is_a_step_off(a: f32, b: f32) -> bool {
    let uniform = |light: f32| {
        if light.abs() <= 1.0 { light.abs().powf(1.0 / 2.2) } else { 1.0 + light.abs().ln() / 2.2 }
    };
    let step = (uniform(b).log2().floor() - 10.0).exp2().max((-24_f32).exp2());
    let bits = |light: f32| i32::from(f16::from_f32(light).to_bits());
    (uniform(a) - uniform(b)).abs() < 1.5 * step || (bits(a) - bits(b)).abs() <= 1
}
