//! The memory that decoding takes, by every kind of file, is below the estimate, and below what the caller allows. A process of its own: the peak is that of the process.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and may print"
)]

#[path = "../jxl/tools.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod tools;

#[path = "../jxl/codestream.rs"]
mod codestream;

use codestream::{Frame, Use, codestream, with_large_profile};
use filepress_jxl::{Error, Reader};
use peak_alloc::PeakAlloc;
use png::{BitDepth, ColorType};

use tools::{MOST, Picture, cjxl};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[path = "../../../../tests/common/seed.rs"]
mod seed;

/// What is allowed to a damaged file.
const ALLOWED: u64 = 64 << 20;

/// The most bytes beyond those at the start that `work` takes.
fn peak_of(work: impl FnOnce()) -> u64 {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    (ALLOCATOR.peak_usage() - before) as u64
}

/// The peak of decoding a file, and the estimate without the file, which is there before.
fn decode(jxl: &[u8]) -> (u64, u64) {
    let mut estimate = 0;
    let peak = peak_of(|| {
        let picture = Reader::open(jxl).unwrap().scan(MOST).unwrap();
        estimate = picture.memory() - jxl.len() as u64;
        picture.write(MOST, &mut |_| {}, &mut |_| {}).unwrap();
    });
    (peak, estimate)
}

/// One test: the peak is that of all threads.
#[test]
fn the_peak_is_below_the_estimate() {
    whole_files();
    several_frames();
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
    let peak = peak_of(|| assert!(tools::ours(&file).is_ok()));
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
            let mut outcome = None;
            let peak = peak_of(|| {
                let picture = Reader::open(&changed).and_then(|reader| reader.scan(ALLOWED));
                outcome = picture.map(|picture| picture.write(MOST, &mut |_| {}, &mut |_| {})).ok();
            });
            assert!(peak <= ALLOWED, "{peak} bytes: {outcome:?}");
            let Some(_) = outcome else { continue };
            read += 1;
        }
    }
    assert!(read > 300, "{read} files were scanned");
}

fn check(what: &str, pixels: u64, jxl: &[u8]) {
    let (peak, estimate) = decode(jxl);
    let per_pixel = |bytes: u64| bytes as f64 / pixels as f64;
    println!("{what}: {:.1} of {:.1} bytes a pixel", per_pixel(peak), per_pixel(estimate));
    assert!(peak <= estimate, "{what}: {peak} bytes, estimated {estimate}");
}

/// Frames that others are drawn on, of the size of the picture and larger, and animations.
fn several_frames() {
    let frames =
        |size, uses: &[Use]| -> Vec<Frame> { uses.iter().map(|&used| Frame { size, used }).collect() };
    let uses = [0, 1, 2, 3, 0, 1, 2, 3].map(Use::Saved);
    let references = [0, 1, 2, 3, 0, 1, 2, 3].map(Use::Reference);
    let shown = [1, 2, 3, 1, 2, 3].map(Use::Shown);
    for (what, uses, animated) in
        [("layers", &uses[..], false), ("references", &references, false), ("animation", &shown, true)]
    {
        for size in [(1, 1), (900, 700)] {
            let last = Frame { size: (900, 700), used: Use::Last };
            let file = codestream((900, 700), animated, &[&frames(size, uses)[..], &[last]].concat());
            check(&format!("{what} of {size:?}"), 900 * 700, &file);
        }
    }
    // Larger frames are decoded if there is memory for them, and refused before if there is not.
    for used in [Use::Saved(1), Use::Reference(1)] {
        let last = Frame { size: (100, 70), used: Use::Last };
        let file = codestream((100, 70), false, &[&frames((1000, 1000), &[used; 4])[..], &[last]].concat());
        for most in [16 << 20, 48 << 20, 128 << 20] {
            let mut outcome = Ok(());
            let peak = peak_of(|| {
                let picture = Reader::open(&file).and_then(|reader| reader.scan(most));
                outcome =
                    picture.and_then(|picture| picture.write(MOST, &mut |_| {}, &mut |_| {})).map(|_| ());
            });
            assert!(peak <= most, "{peak} bytes of {most}");
            let is_refused = matches!(outcome, Err(Error::OutOfMemory(_)));
            assert!(is_refused == (most < 48 << 20) || most == 48 << 20, "{outcome:?}");
        }
    }
    let read = peak_of(|| assert!(Reader::open(&with_large_profile()).is_err()));
    assert!((256 << 20..=320 << 20).contains(&read), "{read} bytes");
}

fn whole_files() {
    let mut checked = 0;
    for (color, depth) in [
        (ColorType::Grayscale, BitDepth::Eight),
        (ColorType::Grayscale, BitDepth::Sixteen),
        (ColorType::GrayscaleAlpha, BitDepth::Eight),
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
            check(&format!("{color:?} {depth:?} {arguments:?}"), 600 * 450, &jxl);
            checked += 1;
        }
    }
    assert_eq!(checked, 36);
}
