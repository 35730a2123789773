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
/// [`ErrorCode::InputTooLarge`], [`ErrorCode::TooManyPixels`], and [`ErrorCode::TooMuchMemory`], also if the frames of an animation
/// have more bytes than `limits.max_memory_bytes`.
pub fn to_png(
    bytes: &[u8],
    limits: &Limits,
    sink: &mut dyn FnMut(&[u8]),
    progress: &mut dyn FnMut(f64),
) -> Result<Outcome> {
    let reader = open(bytes, limits)?;
    limits.check_memory(reader.header().memory())?;
    reader.write(limits.max_memory_bytes, sink, progress).map_err(|error| translate(error, limits))
}

/// Hands out the PNG of a file without its pixels: size, depth, color space, number of frames and metadata.
///
/// # Errors
/// As [`to_png`].
pub fn to_header(bytes: &[u8], limits: &Limits, sink: &mut dyn FnMut(&[u8])) -> Result<()> {
    let reader = open(bytes, limits)?;
    reader.write_header(sink).map_err(|error| translate(error, limits))
}

fn open<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Reader<'a>> {
    limits.check_input(bytes.len() as u64)?;
    let reader = Reader::open(bytes).map_err(|error| translate(error, limits))?;
    let Header { width, height, .. } = *reader.header();
    limits.check_pixels("input", width, height)?;
    Ok(reader)
}

fn translate(error: ReadError, limits: &Limits) -> Error {
    match error {
        ReadError::Damaged(cause) => Error::corrupt(NAME, cause),
        ReadError::Unsupported(what) => {
            Error::new(ErrorCode::UnsupportedType, what).with_detail("type", "image/jxl")
        }
        ReadError::OutOfMemory(need) => {
            let message = "There is not enough memory for this JPEG XL file.";
            Error::too_much_memory(message, need, limits.max_memory_bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gray pixel: a bare codestream whose header says 8 × 8, in its smallest form.
    const HEADER: [u8; 4] = [0xff, 0x0a, 0x00, 0x10];

    fn code(bytes: &[u8], limits: &Limits) -> Option<ErrorCode> {
        to_png(bytes, limits, &mut |_| {}, &mut |_| {}).err().map(|error| error.code())
    }

    #[test]
    fn limits_go_before_damage() {
        let limits = Limits { max_input_bytes: 3, ..Limits::default() };
        assert_eq!(code(&HEADER, &limits), Some(ErrorCode::InputTooLarge));
        assert_eq!(code(&HEADER, &Limits::default()), Some(ErrorCode::Corrupt));
        assert_eq!(code(b"", &Limits::default()), Some(ErrorCode::Corrupt));
    }
}
