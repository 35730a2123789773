//! TGA with the top row first, run-length encoded if that is smaller (Truevision TGA File Format Specification 2.0).

use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;

const HEADER: usize = 18;
/// The maximum number of pixels in a packet.
const MAX_COUNT: usize = 128;
/// Bit of the image type: the pixels are run-length encoded.
const RUN_LENGTH: u8 = 8;
/// Bit of the image descriptor: the top row is first.
const TOP_FIRST: u8 = 0x20;

/// Writes gray or true color, with 8 bits of alpha where the image has alpha.
///
/// # Errors
/// [`ErrorCode::OutputTooLarge`] for an image wider or higher than 65,535 pixels.
pub(crate) fn encode(image: DynamicImage) -> Result<Vec<u8>> {
    let image = pixels::eight_bit(image);
    let [width, height] = [image.width(), image.height()].map(u16::try_from);
    let (Ok(width), Ok(height)) = (width, height) else {
        return Err(Error::new(ErrorCode::OutputTooLarge, "A TGA file has at most 65,535 × 65,535 pixels."));
    };
    let color = image.color();
    let channels = usize::from(color.channel_count());
    let mut samples = image.into_bytes();
    if color.has_color() {
        // Blue comes first in the file.
        samples.chunks_exact_mut(channels).for_each(|pixel| pixel.swap(0, 2));
    }

    let row_size = usize::from(width) * channels;
    let headers = usize::from(height) * usize::from(width).div_ceil(MAX_COUNT);
    // The maximum length: a growing buffer would be in memory twice.
    let mut out = Vec::with_capacity(HEADER + samples.len() + headers);
    let image_type = if color.has_color() { 2 } else { 3 };
    out.extend([0, 0, image_type | RUN_LENGTH]);
    out.resize(HEADER - 6, 0);
    out.extend([width, height].into_iter().flat_map(u16::to_le_bytes));
    out.extend([8 * channels as u8, TOP_FIRST | if color.has_alpha() { 8 } else { 0 }]);
    // Packets do not cross the end of a row.
    for row in samples.chunks_exact(row_size.max(1)) {
        encode_row(row, channels, &mut out);
    }
    if out.len() - HEADER > samples.len() {
        out.truncate(HEADER);
        out[2] = image_type;
        out.extend(samples);
    }
    Ok(out)
}

fn encode_row(mut row: &[u8], channels: usize, out: &mut Vec<u8>) {
    // A shorter run is no smaller than the same pixels among literals, where it needs no second header.
    let worth = match channels {
        1 => 4,
        2 => 3,
        _ => 2,
    };
    while !row.is_empty() {
        let run = run(row, channels);
        if run >= worth {
            out.push(0x80 | (run - 1) as u8);
            out.extend_from_slice(&row[..channels]);
            row = &row[run * channels..];
        } else {
            let (taken, rest) = row.split_at(literals(row, channels, worth) * channels);
            out.push((taken.len() / channels - 1) as u8);
            out.extend_from_slice(taken);
            row = rest;
        }
    }
}

/// The number of pixels before the next run of `worth` pixels, at most [`MAX_COUNT`].
fn literals(row: &[u8], channels: usize, worth: usize) -> usize {
    let mut count = 0;
    while count < MAX_COUNT {
        let rest = &row[count * channels..];
        let run = run(rest, channels);
        if run == 0 || run >= worth {
            break;
        }
        count += run;
    }
    count.min(MAX_COUNT)
}

/// The length of the run at the beginning, at most [`MAX_COUNT`].
fn run(row: &[u8], channels: usize) -> usize {
    let first = &row[..channels.min(row.len())];
    row.chunks_exact(channels).take(MAX_COUNT).take_while(|pixel| *pixel == first).count()
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, GrayAlphaImage, GrayImage, ImageFormat, RgbImage, RgbaImage};

    use super::encode;

    /// Runs of every length up to 300 pixels, between them pixels that never repeat.
    fn levels() -> impl Iterator<Item = u8> {
        let literals = |seed: usize| (0..seed % 150).map(move |at| (at * 7 + seed) as u8);
        (0..300).flat_map(move |length| std::iter::repeat_n(length as u8, length).chain(literals(length)))
    }

    fn read(file: &[u8]) -> DynamicImage {
        image::load_from_memory_with_format(file, ImageFormat::Tga).expect("a TGA")
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (width, height) = (211, 200);
        let samples = |channels: usize| levels().flat_map(move |level| std::iter::repeat_n(level, channels));
        let of = |channels| samples(channels).take(width * height * channels).collect::<Vec<_>>();
        let (w, h) = (width as u32, height as u32);
        let images = [
            DynamicImage::from(GrayImage::from_raw(w, h, of(1)).expect("gray")),
            DynamicImage::from(GrayAlphaImage::from_raw(w, h, of(2)).expect("gray and alpha")),
            DynamicImage::from(RgbImage::from_raw(w, h, of(3)).expect("colors")),
            DynamicImage::from(RgbaImage::from_raw(w, h, of(4)).expect("colors and alpha")),
        ];
        for image in images {
            let file = encode(image.clone()).expect("a file");
            assert_eq!(file[2] & 8, 8, "run-length coded");
            assert!(file.len() < 18 + image.as_bytes().len());
            assert_eq!(read(&file), image);
        }
    }

    #[test]
    fn noise_is_not_coded() {
        let noise = RgbImage::from_fn(97, 41, |x, y| [x as u8, y as u8, (x * 31 + y * 17) as u8].into());
        let file = encode(noise.clone().into()).expect("a file");
        assert_eq!((file[2], file.len()), (2, 18 + 3 * 97 * 41));
        assert_eq!(read(&file), DynamicImage::from(noise));
    }
}
