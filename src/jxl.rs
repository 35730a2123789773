//! JPEG XL, which becomes a PNG before any stage of the pipeline. The decoder is half as large as all others together, and few files
//! need it, so it has a build of its own: what it makes is the input of the other builds.

use filepress_jxl::{Error as ReadError, Header, Reader};

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;

pub use filepress_jxl::Outcome;

const NAME: &str = "JPEG XL";

/// Hands out the PNG of a file, in parts. `progress` receives the share that was decoded, 0 to 1.
///
/// # Errors
/// [`ErrorCode::Corrupt`]; [`ErrorCode::UnsupportedType`] for inks; the limits, which are checked before pixels are allocated:
/// [`ErrorCode::InputTooLarge`]; [`ErrorCode::TooManyPixels`], also for all frames of an animation together; and
/// [`ErrorCode::TooMuchMemory`], for the file, its decoder and the PNG. The size of a color profile is only known when it has been
/// decoded, which takes up to 320 MiB, unless the allocator has a limit.
pub fn to_png(
    bytes: &[u8],
    limits: &Limits,
    sink: &mut dyn FnMut(&[u8]),
    progress: &mut dyn FnMut(f64),
) -> Result<Outcome> {
    let told = |error| translate(error, limits);
    let reader = open(bytes, limits)?;
    let Header { width, height, .. } = *reader.header();
    limits.check_pixels("input", width, height)?;
    let png = reader.header().frame_bytes();
    limits.check_memory(reader.memory().saturating_add(png))?;
    let picture = reader.scan(limits.max_memory_bytes - png).map_err(told)?;
    limits.check_frame_pixels(u64::from(picture.frames()).saturating_mul(reader.header().pixels()))?;
    let left = limits.max_memory_bytes - picture.memory();
    picture.write(left, sink, progress).map_err(told)
}

/// Hands out the PNG of a file without its pixels: size, depth, color space, number of frames and metadata.
///
/// # Errors
/// [`ErrorCode::Corrupt`]; [`ErrorCode::UnsupportedType`]; [`ErrorCode::InputTooLarge`]; and [`ErrorCode::TooMuchMemory`]: frames that
/// others are drawn on are decoded, and color profiles.
pub fn to_header(bytes: &[u8], limits: &Limits, sink: &mut dyn FnMut(&[u8])) -> Result<()> {
    let reader = open(bytes, limits)?;
    reader.write_header(limits.max_memory_bytes, sink).map_err(|error| translate(error, limits))
}

fn open<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Reader<'a>> {
    limits.check_input(bytes.len() as u64)?;
    Reader::open(bytes).map_err(|error| translate(error, limits))
}

fn translate(error: ReadError, limits: &Limits) -> Error {
    match error {
        ReadError::Damaged(cause) => Error::corrupt(NAME, cause),
        ReadError::Unsupported(what) => {
            Error::new(ErrorCode::UnsupportedType, what).with_detail("type", "image/jxl")
        }
        ReadError::OutOfMemory(need) => {
            let message = "There is not enough memory for this JPEG XL file.";
            match need {
                // The decoder does not say how much.
                0 => Error::new(ErrorCode::TooMuchMemory, message),
                _ => Error::too_much_memory(message, need, limits.max_memory_bytes),
            }
        }
    }
}

#[cfg(test)]
#[path = "../codecs/jxl/tests/jxl/codestream.rs"]
#[allow(dead_code, reason = "tests of the codec use the rest")]
mod codestream;

#[cfg(test)]
mod tests {
    use super::codestream::{Frame, Use, codestream};
    use super::*;

    /// The beginning of bare codestreams: sizes of 30 bits, and the usual metadata. There are no frames.
    fn header(width: u64, height: u64) -> Vec<u8> {
        let bits = 3 << 1 | (height - 1) << 3 | 3 << 36 | u64::from((width - 1) as u32) << 38;
        [&[0xff, 0x0a][..], &bits.to_le_bytes(), &[((width - 1) >> 26) as u8 | 0b11_0000]].concat()
    }

    fn code(bytes: &[u8], limits: &Limits) -> Option<ErrorCode> {
        to_png(bytes, limits, &mut |_| {}, &mut |_| {}).err().map(|error| error.code())
    }

    fn header_code(bytes: &[u8], limits: &Limits) -> Option<ErrorCode> {
        to_header(bytes, limits, &mut |_| {}).err().map(|error| error.code())
    }

    #[test]
    fn limits_go_before_damage() {
        let usual = Limits::default();
        let file = header(1000, 800);
        for limits in [usual, Limits { max_pixels: 800_000, ..usual }] {
            assert_eq!(code(&file, &limits), Some(ErrorCode::Corrupt));
        }
        for (limits, expected) in [
            (Limits { max_input_bytes: 3, ..usual }, ErrorCode::InputTooLarge),
            (Limits { max_pixels: 799_999, ..usual }, ErrorCode::TooManyPixels),
            (Limits { max_memory_bytes: 25 << 20, ..usual }, ErrorCode::TooMuchMemory),
        ] {
            assert_eq!(code(&file, &limits), Some(expected), "{limits:?}");
        }
        assert_eq!(code(&header(1 << 20, 1 << 20), &usual), Some(ErrorCode::TooManyPixels));
        assert_eq!(code(b"", &usual), Some(ErrorCode::Corrupt));
    }

    #[test]
    fn the_header_alone_is_limited_by_the_memory_that_it_may_take() {
        let usual = Limits::default();
        let small = Limits { max_input_bytes: 3, ..usual };
        assert_eq!(header_code(&header(9, 9), &small), Some(ErrorCode::InputTooLarge));
        let few = Limits { max_pixels: 1, ..usual };
        assert_eq!(header_code(&header(1000, 800), &few), Some(ErrorCode::Corrupt));
        let little = Limits { max_memory_bytes: 8 << 20, ..usual };
        assert_eq!(header_code(&header(1000, 800), &little), Some(ErrorCode::TooMuchMemory));
    }

    #[test]
    fn frames_are_limited_before_they_are_decoded() {
        let frames =
            |uses: &[Use]| -> Vec<Frame> { uses.iter().map(|&used| Frame { size: (1, 1), used }).collect() };
        let animation = |count: usize| {
            codestream((90, 80), true, &frames(&[&vec![Use::Shown(1); count - 1][..], &[Use::Last]].concat()))
        };
        let limits = Limits { max_pixels: 7200, ..Limits::default() };
        assert_eq!(code(&animation(20), &limits), None);
        assert_eq!(code(&animation(21), &limits), Some(ErrorCode::TooManyPixels));
        // The header alone tells their number.
        assert_eq!(header_code(&animation(21), &limits), None);
        let layers = [0, 1, 2, 3].map(Use::Saved);
        let layers = codestream((900, 800), false, &frames(&[&layers[..], &[Use::Last]].concat()));
        for (most, expected) in [(48 << 20, Some(ErrorCode::TooMuchMemory)), (96 << 20, None)] {
            let limits = Limits { max_memory_bytes: most, ..Limits::default() };
            assert_eq!((code(&layers, &limits), header_code(&layers, &limits)), (expected, expected));
        }
    }
}
