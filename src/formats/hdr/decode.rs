//! Radiance HDR: linear light as three 8-bit mantissas with a shared exponent (Ward, "Real Pixels", Graphics Gems II;
//! the Radiance manual, "Picture File Format").
//!
//! Both run-length encodings and all eight orientations are supported; the reader of `image` supports one. EXPOSURE is
//! ignored, as in viewers: it only tells what the pixels were multiplied by.

use image::metadata::Orientation;
use image::{DynamicImage, Rgb32FImage};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header, bytes_of_pixels};
use crate::limits::Limits;
use crate::pixels::{orient, part};

const NAME: &str = "Radiance HDR";
const FORMAT: &[u8] = b"32-bit_rle_rgbe";

/// Headers have a few lines. A longer one counts as malformed.
const MAX_HEADER: usize = 64 << 10;
const MAX_SIDE: u32 = i32::MAX as u32;

/// The number of pixels of a line that are skipped when searching the end of a file.
const MAX_LINE: usize = 1 << 24;

/// The widths for which the newer run-length encoding is used.
const RUN_WIDTHS: std::ops::RangeInclusive<usize> = 8..=32_767;

pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let picture = Picture::of(bytes)?;
    let (width, height) = match part::swaps(picture.orientation) {
        true => (picture.lines, picture.columns),
        false => (picture.columns, picture.lines),
    };
    Ok(Header {
        width,
        height,
        frames: 1,
        scalable: false,
        reducible: false,
        has_alpha: false,
        color_model: ColorModel::Rgb,
        bit_depth: 32,
        bytes_per_pixel: 12,
        decoder_bytes: match picture.orientation {
            Orientation::NoTransforms => 0,
            _ => bytes_of_pixels((width, height), 12),
        },
    })
}

/// Upright pixels as linear light. The limits were checked against the header.
pub(crate) fn pixels(bytes: &[u8], _limits: &Limits) -> Result<DynamicImage> {
    let picture = Picture::of(bytes)?;
    let mut light = Rgb32FImage::new(picture.columns, picture.lines);
    let columns = picture.columns as usize;
    let mut line = vec![[0; 4]; columns];
    let mut rest = picture.coded;
    for row in light.chunks_exact_mut(3 * columns) {
        read_line(&mut rest, &mut line)
            .ok_or_else(|| Error::corrupt(NAME, "a line breaks off or is too long"))?;
        for (pixel, &coded) in row.as_chunks_mut().0.iter_mut().zip(&line) {
            *pixel = decoded(coded);
        }
    }
    Ok(orient::apply(DynamicImage::ImageRgb32F(light), picture.orientation))
}

/// The length of the header in bytes. `None` if it is malformed.
pub(crate) fn header_size(bytes: &[u8]) -> Option<usize> {
    Picture::of(bytes).ok().map(|picture| bytes.len() - picture.coded.len())
}

/// The length of the header, and of the file up to the end of the last line. `None` if a line is missing.
pub(crate) fn extent(bytes: &[u8]) -> Option<(usize, usize)> {
    let picture = Picture::of(bytes).ok()?;
    let mut rest = picture.coded;
    // A line has at least four bytes.
    if picture.columns as usize > MAX_LINE || rest.len() / 4 < picture.lines as usize {
        return None;
    }
    let mut line = vec![[0; 4]; picture.columns as usize];
    (0..picture.lines).try_for_each(|_| read_line(&mut rest, &mut line))?;
    Some((bytes.len() - picture.coded.len(), bytes.len() - rest.len()))
}

/// The contents of the header.
struct Picture<'a> {
    /// The number of stored lines, and of pixels in each.
    lines: u32,
    columns: u32,
    orientation: Orientation,
    coded: &'a [u8],
}

impl<'a> Picture<'a> {
    fn of(bytes: &'a [u8]) -> Result<Self> {
        let mut rest = bytes.get(..MAX_HEADER.min(bytes.len())).unwrap_or_default();
        let start = rest.len();
        let mut next = || {
            let end = rest.iter().position(|&byte| byte == b'\n')?;
            let line = rest[..end].trim_ascii();
            rest = &rest[end + 1..];
            Some(line)
        };
        let incomplete = || Error::corrupt(NAME, "its header is incomplete");
        loop {
            match next().ok_or_else(incomplete)? {
                [] => break,
                line => {
                    if let Some(format) =
                        line.strip_prefix(b"FORMAT=").filter(|&format| format.trim_ascii() != FORMAT)
                    {
                        let format = String::from_utf8_lossy(&format[..format.len().min(40)]).into_owned();
                        return Err(unsupported(&format!("its pixels are {format}")));
                    }
                }
            }
        }
        let size = next().ok_or_else(incomplete)?;
        let header = start - rest.len();
        let size = std::str::from_utf8(size).map_err(|_| incomplete())?;
        let words: Vec<&str> = size.split_ascii_whitespace().collect();
        let &[slow, lines, fast, columns] = words.as_slice() else { return Err(incomplete()) };
        // The slower axis is first. Y increases upwards.
        let orientation = match (slow, fast) {
            ("-Y", "+X") => 1,
            ("-Y", "-X") => 2,
            ("+Y", "-X") => 3,
            ("+Y", "+X") => 4,
            ("+X", "-Y") => 5,
            ("-X", "-Y") => 6,
            ("-X", "+Y") => 7,
            ("+X", "+Y") => 8,
            _ => return Err(Error::corrupt(NAME, "its axes are unknown")),
        };
        let side = |side: &str| side.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
        let (Some(lines), Some(columns)) = (side(lines), side(columns)) else {
            return Err(Error::corrupt(NAME, "it has no pixels"));
        };
        let orientation = Orientation::from_exif(orientation).unwrap_or(Orientation::NoTransforms);
        Ok(Self { lines, columns, orientation, coded: bytes.get(header..).unwrap_or_default() })
    }
}

fn unsupported(variant: &str) -> Error {
    Error::new(ErrorCode::UnsupportedType, format!("This variant of {NAME} cannot be read: {variant}."))
        .with_detail("type", "image/vnd.radiance")
        .with_detail("name", NAME)
}

/// `None` if the data ends before the line, or if a run exceeds it.
fn read_line(rest: &mut &[u8], line: &mut [[u8; 4]]) -> Option<()> {
    if let Some(&[2, 2, high, low]) = rest.first_chunk()
        && RUN_WIDTHS.contains(&line.len())
        && usize::from(u16::from_be_bytes([high, low])) == line.len()
    {
        *rest = &rest[4..];
        return (0..4).try_for_each(|channel| read_channel(rest, line, channel));
    }
    read_old_line(rest, line)
}

/// One channel of a line: runs of a byte, or literal bytes.
fn read_channel(rest: &mut &[u8], line: &mut [[u8; 4]], channel: usize) -> Option<()> {
    let mut at = 0;
    while at < line.len() {
        let (&count, behind) = rest.split_first()?;
        let length = usize::from(if count > 128 { count - 128 } else { count });
        let places = line.get_mut(at..at + length).filter(|places| !places.is_empty())?;
        let (bytes, behind) = behind.split_at_checked(if count > 128 { 1 } else { length })?;
        places.iter_mut().zip(bytes.iter().cycle()).for_each(|(pixel, &byte)| pixel[channel] = byte);
        at += length;
        *rest = behind;
    }
    Some(())
}

/// Whole pixels. A pixel with all mantissas 1 repeats the one before; several in a row give a longer count.
fn read_old_line(rest: &mut &[u8], line: &mut [[u8; 4]]) -> Option<()> {
    let mut at = 0;
    let mut shift = 0;
    while at < line.len() {
        let (&pixel, behind) = rest.split_first_chunk()?;
        *rest = behind;
        match pixel {
            [1, 1, 1, count] => {
                let before = *line.get(at.checked_sub(1)?)?;
                let length = usize::from(count).checked_shl(shift)?;
                line.get_mut(at..at.checked_add(length)?)?.fill(before);
                at += length;
                // A longer count would exceed every line.
                shift = (shift + 8).min(24);
            }
            _ => {
                *line.get_mut(at)? = pixel;
                at += 1;
                shift = 0;
            }
        }
    }
    Some(())
}

/// The light of a pixel: mantissas in units of 1/256, times 2 to the power of the exponent minus 128.
fn decoded([r, g, b, exponent]: [u8; 4]) -> [f32; 3] {
    match exponent {
        0 => [0.0; 3],
        _ => {
            let unit = libm::ldexpf(1.0, i32::from(exponent) - 136);
            [r, g, b].map(|mantissa| f32::from(mantissa) * unit)
        }
    }
}
