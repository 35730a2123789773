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

#[test]
fn the_peak_is_below_the_estimate() {
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
