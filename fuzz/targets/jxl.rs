//! Any file as a JPEG XL, by the codec alone, within the memory that it is allowed.

#![no_main]

use filepress_fuzz::{memory, seeds};
use filepress_jxl::{Error, Picture, Reader};
use libfuzzer_sys::{Corpus, fuzz_target};

#[path = "../../codecs/jxl/tests/jxl/codestream.rs"]
#[allow(clippy::unwrap_used, reason = "a byte has just been added")]
mod codestream;

use codestream::{Frame, Use, codestream, with_large_profile};

/// Bounds the work of a call.
const MOST: u64 = 16 << 20;
const PIXELS: u64 = 1 << 18;
/// Each of two boxes of metadata, as its bytes, and as what is made of them.
const METADATA: u64 = 64 << 20;
/// A color profile, whose size is not known before.
const PROFILE: u64 = 320 << 20;

fuzz_target!(init: seeds::write_if_requested(files), |file: &[u8]| -> Corpus {
    memory::within(MOST + METADATA + PROFILE, || {
        let Ok(reader) = Reader::open(file) else { return };
        if reader.header().pixels() > PIXELS {
            return;
        }
        let header = reader.write_header(MOST, &mut |_| {});
        let Ok(picture) = reader.scan(MOST) else { return };
        // Time is as limited as memory.
        if u64::from(picture.frames()) * reader.header().pixels() <= 4 * PIXELS {
            write(&picture, header);
        }
    });
    Corpus::Keep
});

fn write(picture: &Picture<'_>, header: Result<(), Error>) {
    let (mut written, mut last) = (0, 0.0);
    let outcome = picture.write(MOST, &mut |part| written += part.len() as u64, &mut |share| {
        assert!((last..=1.0).contains(&share), "{share} after {last}");
        last = share;
    });
    if let Ok(outcome) = outcome {
        assert_eq!(outcome.frames, picture.frames());
        assert!(written > 0 && header.is_ok(), "{header:?}");
    }
}

/// The files among the samples, and codestreams of layers, of an animation and with a profile.
fn files() -> Vec<Vec<u8>> {
    let pictures = seeds::pictures().into_iter();
    let files = pictures.filter(|(_, file)| {
        file.starts_with(b"\xff\x0a") || file.get(4..8).is_some_and(|kind| kind == b"JXL ")
    });
    let frames =
        |uses: &[Use]| -> Vec<Frame> { uses.iter().map(|&used| Frame { size: (9, 7), used }).collect() };
    let layers = frames(&[Use::Saved(0), Use::Saved(1), Use::Reference(2), Use::Last]);
    let shown = frames(&[Use::Shown(1), Use::Shown(2), Use::Last]);
    let made =
        [codestream((20, 10), false, &layers), codestream((20, 10), true, &shown), with_large_profile()];
    files.map(|(_, file)| file).chain(made).collect()
}
