//! The encoder of PIZ: the crate `exr` reads what it writes, which is as small as what that crate writes.

use exr::prelude::*;
use filepress_exr::{Kind, piz};

use crate::files::{CONTENTS, Content, built, decoded, expected, samples};

/// The bytes of a block of lines: in each, the channels one after the other.
fn block(content: Content, size: (usize, usize), kind: SampleType, channels: usize) -> Vec<u8> {
    let planes: Vec<Vec<u8>> = (0..channels)
        .map(|channel| match samples(content, size, channel, kind) {
            FlatSamples::F16(samples) => samples.iter().flat_map(|half| half.to_le_bytes()).collect(),
            FlatSamples::F32(samples) => samples.iter().flat_map(|float| float.to_le_bytes()).collect(),
            FlatSamples::U32(samples) => samples.iter().flat_map(|whole| whole.to_le_bytes()).collect(),
        })
        .collect();
    let row = planes[0].len() / size.1;
    (0..size.1).flat_map(|y| planes.iter().flat_map(move |plane| plane[y * row..][..row].to_vec())).collect()
}

#[test]
fn the_reference_reads_what_is_written() {
    let (mut files, mut smaller) = (0, 0);
    for (kind, name, number) in [(Kind::Half, SampleType::F16, 1_u32), (Kind::Float, SampleType::F32, 2)] {
        for content in CONTENTS {
            for size in [(1, 1), (7, 5), (64, 32), (131, 29), (600, 32)] {
                let plain = block(content, size, name, 3);
                let written = piz(plain.clone(), kind, size.0, size.1);
                let list: Vec<u8> = ["B", "G", "R"]
                    .into_iter()
                    .flat_map(|name| {
                        [name.as_bytes(), &[0], &number.to_le_bytes(), &[0; 4], &[1, 0, 0, 0, 1, 0, 0, 0]]
                            .concat()
                    })
                    .chain([0])
                    .collect();
                let file = built(size.0 as u32, size.1 as u32, &list, 4, std::slice::from_ref(&written));
                let stored = built(size.0 as u32, size.1 as u32, &list, 0, &rows(&plain, size.1));
                assert!(expected(&file) == expected(&stored), "{content:?} {size:?} {kind:?}");
                assert!(decoded(&file, 0) == decoded(&stored, 0), "{content:?} {size:?} {kind:?}");
                assert!(written.len() <= by_reference(&plain, size, name), "{content:?} {size:?} {kind:?}");
                files += 1;
                smaller += usize::from(written.len() < plain.len());
            }
        }
    }
    assert_eq!(files, 40);
    assert!(smaller >= 12, "{smaller} are smaller than their samples");
}

fn rows(block: &[u8], height: usize) -> Vec<Vec<u8>> {
    block.chunks(block.len() / height).map(<[u8]>::to_vec).collect()
}

/// The length of the block that the crate `exr` writes.
fn by_reference(block: &[u8], size: (usize, usize), kind: SampleType) -> usize {
    let channels = ["B", "G", "R"].map(|name| ChannelDescription::new(Text::from(name), kind, false));
    let header = exr::meta::header::Header::new(Text::default(), size, channels.into_iter().collect())
        .with_encoding(Compression::PIZ, exr::meta::BlockDescription::ScanLines, LineOrder::Increasing);
    let bounds = IntegerBounds::new(Vec2(0, 0), Vec2(size.0, size.1));
    Compression::PIZ.compress_image_section_to_le(&header, block.to_vec(), bounds).expect("a block").len()
}
