//! The memory that decoding takes, by every kind of file, is below the estimate. A process of its own: the peak is that of the process.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and may print"
)]

#[path = "../jxl/tools.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod tools;

use filepress_jxl::Reader;
use peak_alloc::PeakAlloc;
use png::{BitDepth, ColorType};

use tools::{MOST, Picture, cjxl};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[path = "../../../../tests/common/seed.rs"]
mod seed;

/// What a damaged file may take beside the estimate, for frames that are larger than the picture.
const DAMAGED: u64 = 48 << 20;

/// One test: the peak is that of all threads.
#[test]
fn the_peak_is_below_the_estimate() {
    whole_files();
    damaged_files();
    compressed_metadata();
}

/// Brotli with a window of 1 GiB, which RFC 7932 does not have: the bits are 1, 000, 001 and 0, the size of the window 30, and a
/// meta-block of 65,536 bytes that is not the last one and is not compressed.
fn compressed_metadata() {
    let still =
        cjxl(&Picture::new(20, 10, ColorType::Rgb, BitDepth::Eight).png(), &["-d", "0", "--container=0"]);
    let bits: u64 = 0x11 | 30 << 8 | 65_535 << 17 | 1 << 33;
    let brob = [&b"xml "[..], &bits.to_le_bytes()[..5], &[b'x'; 11]].concat();
    let file = tools::container(&still, &[(b"brob", &brob)]);
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    tools::ours(&file).unwrap();
    let peak = ALLOCATOR.peak_usage() - before;
    assert!(peak < 8 << 20, "{peak} bytes");
}

fn damaged_files() {
    let mut random = seed::seed(2301);
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let png = Picture::new(70, 50, ColorType::Rgba, BitDepth::Eight).png();
    let mut read = 0;
    for arguments in [
        &["-d", "0", "-e", "4"][..],
        &["-d", "2"],
        &["-d", "1", "-m", "1"],
        &["-d", "3", "--progressive_dc=1"],
    ] {
        let jxl = cjxl(&png, arguments);
        for _ in 0..400 {
            let mut changed = jxl.clone();
            for _ in 0..=next(2) {
                // Sizes of frames and tables are at the beginning.
                let place = 2 + next(60);
                changed[place] ^= 1 << next(8);
            }
            let Ok(reader) = Reader::open(&changed) else { continue };
            let estimate = reader.header().memory();
            if estimate > 64 << 20 {
                continue;
            }
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let outcome = reader.write(MOST, &mut |_| {}, &mut |_| {});
            let peak = (ALLOCATOR.peak_usage() - before) as u64;
            assert!(peak <= estimate + DAMAGED, "{peak} bytes, estimated {estimate}: {outcome:?}");
            read += 1;
        }
    }
    assert!(read > 300, "{read} headers were read");
}

fn whole_files() {
    let mut checked = 0;
    for (color, depth) in [
        (ColorType::Grayscale, BitDepth::Eight),
        (ColorType::Rgb, BitDepth::Eight),
        (ColorType::Rgb, BitDepth::Sixteen),
        (ColorType::Rgba, BitDepth::Eight),
    ] {
        let png = Picture::new(600, 450, color, depth).png();
        for arguments in [
            &["-d", "0", "-e", "3"][..],
            &["-d", "0", "-e", "4", "-R", "1"],
            &["-d", "1"],
            &["-d", "3", "--progressive_dc=2", "--epf=3"],
            &["-d", "1", "-m", "1"],
            &["-d", "1", "--photon_noise=ISO400", "--patches=1", "--dots=1"],
        ] {
            let jxl = cjxl(&png, arguments);
            let reader = Reader::open(&jxl).unwrap();
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            reader.write(MOST, &mut |_| {}, &mut |_| {}).unwrap();
            let peak = (ALLOCATOR.peak_usage() - before) as u64;
            let estimate = reader.header().memory() + 3 * jxl.len() as u64;
            let pixels = reader.header().pixels();
            println!(
                "{color:?} {depth:?} {arguments:?}: {:.1} of {:.1} bytes a pixel",
                peak as f64 / pixels as f64,
                estimate as f64 / pixels as f64
            );
            assert!(
                peak <= estimate,
                "{color:?} {depth:?} {arguments:?}: {peak} bytes, estimated {estimate}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 24);
}
