//! Decoding takes no more memory than `Part::memory` says, and the encoder of PIZ no more than its documentation.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../exr/files.rs"]
#[allow(dead_code, reason = "other tests need the rest")]
mod files;

use std::sync::{Mutex, PoisonError};

use exr::prelude::*;
use filepress_exr::{File, Kind, Part, piz};
use peak_alloc::PeakAlloc;

use files::{COMPRESSIONS, CONTENTS, layer, samples, saved};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Held by the test that runs, since what another takes would be counted.
static ALONE: Mutex<()> = Mutex::new(());

/// The inflater's tables, and what is not of a block.
const BESIDE_BLOCKS: u64 = 96 << 10;

#[test]
fn no_more_memory_is_taken_than_announced() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let channels =
        [("A", SampleType::F16), ("B", SampleType::F16), ("G", SampleType::F16), ("R", SampleType::F16)];
    let mut files = 0;
    for compression in COMPRESSIONS {
        for (size, blocks) in [
            ((600, 300), Blocks::ScanLines),
            ((2, 300), Blocks::ScanLines),
            ((300, 200), Blocks::Tiles(Vec2(256, 128))),
            ((40, 2000), Blocks::Tiles(Vec2(8, 2000))),
        ] {
            for content in CONTENTS {
                let encoding = Encoding { compression, blocks, line_order: LineOrder::Increasing };
                let bytes = saved(&Image::from_layer(layer(size, &channels, content, encoding)));
                let file = File::read(&bytes).expect("headers");
                let part = Part::of(&file.parts()[0]).expect("a part");
                ALLOCATOR.reset_peak_usage();
                let before = ALLOCATOR.current_usage();
                file.decode(0, &part, &mut |_| {}).expect("blocks");
                let taken = (ALLOCATOR.peak_usage() - before) as u64;
                let most = part.memory() + BESIDE_BLOCKS;
                assert!(
                    taken <= most,
                    "{compression} {size:?} {blocks:?} {content:?}: {taken} of {most} bytes"
                );
                files += 1;
            }
        }
    }
    assert_eq!(files, 160);
}

#[test]
fn piz_is_written_in_no_more_memory_than_announced() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (size, kind) in [((100, 32), Kind::Half), ((16_000, 32), Kind::Half), ((16_000, 32), Kind::Float)] {
        for content in CONTENTS {
            let sample = if kind == Kind::Half { SampleType::F16 } else { SampleType::F32 };
            let block: Vec<u8> = match samples(content, size, 0, sample) {
                FlatSamples::F16(samples) => samples.iter().flat_map(|half| half.to_le_bytes()).collect(),
                FlatSamples::F32(samples) => samples.iter().flat_map(|float| float.to_le_bytes()).collect(),
                FlatSamples::U32(_) => Vec::new(),
            };
            let length = block.len();
            ALLOCATOR.reset_peak_usage();
            let before = ALLOCATOR.current_usage();
            let written = piz(block, kind, size.0, size.1);
            let taken = ALLOCATOR.peak_usage() - before;
            assert!(
                taken <= 4 * length + (2 << 20),
                "{content:?} {size:?} {kind:?}: {taken} of {length} bytes"
            );
            assert!(written.len() <= length, "{content:?} {size:?} {kind:?}");
        }
    }
}
