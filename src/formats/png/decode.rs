//! PNG by `image`. Of an APNG, the first frame is decoded.

use std::borrow::Cow;
use std::io::Cursor;

use filepress_wire::MediaType;
use image::DynamicImage;
use image::codecs::png::PngDecoder;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header};
use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{self, Reader, boxed};
use crate::formats::png::animation_decode::{first_frame, frame_count, hides_default};
use crate::formats::png::metadata::{Chunks, push};
use crate::formats::rows::{RowReader, Samples};
use crate::limits::Limits;
use crate::metadata::MAX_DECOMPRESSED;

/// The color type of gray in IHDR (11.2.1).
const GRAY: u8 = 0;

/// How PNG is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Png,
    open: |bytes| Reader::opened(MediaType::Png, open(bytes).map(boxed)),
    decoder_bytes: |_| 1,
    frame_count,
};

/// Decodes the picture, or the first frame.
pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    if !hides_default(bytes) {
        return image_rs::pixels(bytes, &READER, limits);
    }
    let header = image_rs::header(bytes, &READER)?;
    // The frame is copied.
    limits.check_memory(2 * bytes.len() as u64 + header.decoding_bytes())?;
    image_rs::pixels(&first_frame(bytes).unwrap_or_default(), &READER, limits)
}

/// A PNG decoder whose memory is limited. A larger profile counts as absent.
pub(crate) fn open(bytes: &[u8]) -> image::ImageResult<PngDecoder<Cursor<Cow<'_, [u8]>>>> {
    let mut bounds = image::Limits::no_limits();
    bounds.max_alloc = Some(most_memory(bytes));
    PngDecoder::with_limits(Cursor::new(with_masked_key(bytes)), bounds)
}

/// The memory of a decoder beside the pixels: the input's chunks, a row, and a profile of [`MAX_DECOMPRESSED`] bytes.
fn most_memory(bytes: &[u8]) -> u64 {
    let width = probe(bytes).map_or(0, |probe| probe.size.0);
    4 * bytes.len() as u64 + 16 * u64::from(width) + MAX_DECOMPRESSED as u64
}

/// Whether [`rows`] reads a file: its default image is what is shown, not gray with alpha, of 8 bits a sample or less, and not interlaced
/// (PNG, third edition, 11.2.1).
pub(crate) fn has_rows(bytes: &[u8], header: &Header) -> bool {
    let is_gray_with_alpha = header.has_alpha && header.color_model == ColorModel::Gray;
    !is_gray_with_alpha && header.bit_depth <= 8 && bytes.get(28) == Some(&0) && !hides_default(bytes)
}

/// The rows of the (first) picture, as [`READER`] decodes it.
pub(crate) fn rows(bytes: &[u8]) -> Result<Box<dyn RowReader + '_>> {
    let limits = png::Limits { bytes: usize::try_from(most_memory(bytes)).unwrap_or(usize::MAX) };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(with_masked_key(bytes)), limits);
    decoder.set_transformations(png::Transformations::EXPAND);
    let reader = decoder.read_info().map_err(failed)?;
    Ok(Box::new(Rows(reader)))
}

/// The rows of a PNG.
struct Rows<'a>(png::Reader<Cursor<Cow<'a, [u8]>>>);

impl RowReader for Rows<'_> {
    fn size(&self) -> (u32, u32) {
        self.0.info().size()
    }

    fn samples(&self) -> Samples {
        match self.0.output_color_type().0 {
            png::ColorType::Rgba => Samples::Rgba,
            png::ColorType::Rgb => Samples::Rgb,
            _ => Samples::Gray,
        }
    }

    fn read(&mut self, rows: &mut [u8]) -> Result<usize> {
        let length = self.size().0 as usize * self.samples().count();
        for (count, row) in rows.chunks_exact_mut(length).enumerate() {
            if self.0.read_row(row).map_err(failed)?.is_none() {
                return Ok(count);
            }
        }
        Ok(rows.len() / length.max(1))
    }
}

/// As the decoder of the whole picture has it.
fn failed(cause: png::DecodingError) -> Error {
    match cause {
        png::DecodingError::LimitsExceeded => {
            Error::new(ErrorCode::TooMuchMemory, "The PNG needs more memory than there is.")
        }
        cause => Error::corrupt(MediaType::Png.name(), cause),
    }
}

/// The file with a transparent gray that has no bits above the depth. Only the lowest bits of `tRNS` count (PNG, third edition,
/// 11.3.1.1), but `png` compares all of them with a pixel of 1, 2 or 4 bits.
fn with_masked_key(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(&[depth @ (1 | 2 | 4), GRAY]) = bytes.get(24..26) else { return bytes.into() };
    let mut start = 8;
    for chunk in Chunks::new(bytes).take_while(|chunk| &chunk.kind != b"IDAT") {
        let key =
            <[u8; 2]>::try_from(chunk.data).ok().filter(|_| &chunk.kind == b"tRNS" && chunk.is_intact());
        if let Some([_, key]) = key.filter(|[_, key]| key >> depth != 0) {
            let mut file = bytes[..start].to_vec();
            if push(&mut file, b"tRNS", &[&[0, key & ((1 << depth) - 1)]]).is_some() {
                file.extend_from_slice(&bytes[start + chunk.whole.len()..]);
                return file.into();
            }
        }
        start += chunk.whole.len();
    }
    bytes.into()
}

/// The color type has bits for color (2) and alpha (4): PNG, third edition, 11.2.1.
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    let (bit_depth, kind) = (fields.byte(24)?, fields.byte(25)?);
    let is_header = bytes.get(12..16)? == b"IHDR" && matches!(bit_depth, 1 | 2 | 4 | 8 | 16);
    let size = (fields.be32(16)?, fields.be32(20)?);
    is_header.then_some(Probe { size, gray: kind & 2 == 0, has_alpha: kind & 4 != 0, bit_depth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::image_rs;
    use crate::limits::Limits;
    use image::codecs::png;
    use image::{ExtendedColorType, ImageDecoder, ImageEncoder};

    #[test]
    fn a_profile_that_unfolds_without_end_is_as_absent() {
        for (size, is_there) in [(1 << 16, true), (2 * MAX_DECOMPRESSED, false)] {
            let mut file = Vec::new();
            let mut encoder = png::PngEncoder::new(&mut file);
            encoder.set_icc_profile(vec![0; size]).expect("a profile");
            encoder.write_image(&[1, 2, 3], 1, 1, ExtendedColorType::Rgb8).expect("a PNG");
            let mut decoder = (READER.open)(&file).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(decoder.icc_profile().expect("chunks").is_some(), is_there, "{size} bytes");
            assert!(image_rs::pixels(&file, &READER, &Limits::default()).is_ok());
        }
    }
}
