//! AVIF: AV1 by filepress-av1, in boxes written by `isobmff`.
//!
//! Lossy pictures always have 10 bits per channel: at equal SSIMULACRA2, photos are smaller than with 8 bits, and 16-bit pictures keep
//! more precision. By default the chroma of photos is subsampled 4:2:0 below quality 90, as in JPEG; that of drawings is not. Lossless
//! pictures have 8 bits of red, green and blue. Gray pictures are encoded without chroma.

mod drawing;
mod file;
mod layout;
mod planes;
mod sample;
mod transparent_area;

use filepress_av1 as av1;
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::Encoding;
use crate::formats::avif::encode::drawing::is_drawing;
use crate::formats::avif::encode::file::{Coded, file};
use crate::formats::avif::encode::layout::Layout;
use crate::formats::avif::encode::planes::Planes;
use crate::formats::prepared::PreparedImage;
use crate::pixels;

/// Lossy with a quality, otherwise lossless.
pub(crate) fn encode(image: DynamicImage, encoding: Encoding) -> Result<Vec<u8>> {
    Prepared::new(image, encoding)?.file(encoding)
}

/// A picture as planes for the encoder, for all encodings with the same layout.
struct Prepared {
    layout: Layout,
    is_drawing: bool,
    planes: Planes,
}

pub(crate) fn prepare(image: &DynamicImage, encoding: Encoding) -> Result<Option<Box<dyn PreparedImage>>> {
    Ok(Some(Box::new(Prepared::new(image.clone(), encoding)?)))
}

impl PreparedImage for Prepared {
    fn suits(&self, encoding: Encoding) -> bool {
        self.layout == Layout::of(self.layout.has_color(), self.is_drawing, encoding)
    }

    fn encode(&self, encoding: Encoding) -> Result<Vec<u8>> {
        self.file(encoding)
    }
}

impl Prepared {
    fn new(image: DynamicImage, encoding: Encoding) -> Result<Self> {
        let (has_color, has_alpha) = (image.color().has_color(), image.color().has_alpha());
        let is_drawing = is_drawing(&image);
        let layout = Layout::of(has_color, is_drawing, encoding);
        let size = (image.width() as usize, image.height() as usize);
        let planes = match image {
            DynamicImage::ImageLuma8(image) => Planes::new(image.into_raw(), size, 1, layout),
            DynamicImage::ImageLumaA8(image) => Planes::new(image.into_raw(), size, 2, layout),
            DynamicImage::ImageRgb8(image) => Planes::new(image.into_raw(), size, 3, layout),
            DynamicImage::ImageRgba8(image) => Planes::new(image.into_raw(), size, 4, layout),
            other if layout.is_lossless() => match has_alpha {
                true => Planes::new(pixels::rgba8(other).into_raw(), size, 4, layout),
                false => Planes::new(pixels::rgb8(other).into_raw(), size, 3, layout),
            },
            other => match (has_color, has_alpha) {
                (false, false) => Planes::new(pixels::gray16(other).into_raw(), size, 1, layout),
                (true, false) => Planes::new(pixels::rgb16(other).into_raw(), size, 3, layout),
                (_, true) => Planes::new(pixels::rgba16(other).into_raw(), size, 4, layout),
            },
        };
        Ok(Self { layout, is_drawing, planes: planes.map_err(failed)? })
    }

    fn file(&self, encoding: Encoding) -> Result<Vec<u8>> {
        let (quality, effort) = (encoding.quality(), encoding.effort());
        let coded = |picture, quality: Option<u8>| {
            let lossless = quality.is_none();
            let options = av1::EncodeOptions { quality: quality.unwrap_or(100), effort, lossless };
            let encoded = av1::encode(picture, &options).map_err(failed)?;
            Ok(Coded { picture, encoded })
        };
        let colors = coded(&self.planes.colors, quality)?;
        // Alpha needs few bytes, and errors in it are visible edges.
        let alpha_quality = quality.map(|quality| quality.midpoint(100));
        let alpha = self.planes.alpha.as_ref().map(|alpha| coded(alpha, alpha_quality));
        file(colors, alpha.transpose()?).ok_or_else(|| {
            Error::new(ErrorCode::EncodeFailed, "The AVIF would be longer than its format allows.")
        })
    }
}

fn failed(cause: av1::Error) -> Error {
    match cause {
        av1::Error::OutOfMemory => {
            Error::new(ErrorCode::TooMuchMemory, "The AVIF encoder needs more memory than there is.")
        }
        cause => Error::new(ErrorCode::EncodeFailed, format!("The AVIF could not be written: {cause}.")),
    }
}
