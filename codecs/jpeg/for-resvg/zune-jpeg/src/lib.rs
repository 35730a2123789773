//! [`filepress_jpeg::Decoder`] with the names that resvg calls. `../../README.md` says why.

use std::io::Cursor;

use filepress_jpeg::{DecodeOptions, Decoder, Error};
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

/// What resvg says about the output: nothing but that it is RGBA.
pub mod zune_core {
    /// The form of the decoded pixels.
    pub mod colorspace {
        /// What a pixel consists of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ColorSpace {
            /// Red, green, blue and alpha, a byte each.
            RGBA,
        }
    }

    /// The settings of a decoder.
    pub mod options {
        use super::colorspace::ColorSpace;

        /// No setting has an effect: the pixels are always RGBA.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct DecoderOptions;

        impl DecoderOptions {
            /// Takes what is always so.
            #[must_use]
            pub fn jpeg_set_out_colorspace(self, _: ColorSpace) -> Self {
                self
            }
        }
    }
}

/// Width and height of a picture in pixels.
#[derive(Clone, Copy, Debug)]
pub struct ImageInfo {
    /// 1 to 65,535.
    pub width: u16,
    /// 1 to 65,535.
    pub height: u16,
}

/// Decodes one file to RGBA.
pub struct JpegDecoder<'a> {
    file: &'a [u8],
    info: Option<ImageInfo>,
}

impl<'a> JpegDecoder<'a> {
    /// The whole file lies in `file`.
    pub fn new_with_options(file: Cursor<&'a [u8]>, _: DecoderOptions) -> Self {
        Self { file: file.into_inner(), info: None }
    }

    /// Reads the size.
    ///
    /// # Errors
    /// As [`Decoder::new`].
    pub fn decode_headers(&mut self) -> Result<(), Error> {
        let decoder = Decoder::new(self.file, DecodeOptions::default())?;
        self.info = Some(ImageInfo { width: decoder.header().width, height: decoder.header().height });
        Ok(())
    }

    /// What [`Self::decode`] gives.
    pub fn output_colorspace(&self) -> Option<ColorSpace> {
        Some(ColorSpace::RGBA)
    }

    /// The size, behind [`Self::decode_headers`].
    pub fn info(&self) -> Option<ImageInfo> {
        self.info
    }

    /// The pixels, opaque.
    ///
    /// # Errors
    /// As [`Decoder::new`] and [`Decoder::read_rows`].
    pub fn decode(&mut self) -> Result<Vec<u8>, Error> {
        let mut decoder = Decoder::new(self.file, DecodeOptions::default())?;
        let (width, height) = decoder.size();
        let samples = decoder.samples_per_pixel();
        let length = u64::from(width) * u64::from(height) * samples as u64;
        let too_long = |_| Error::Unsupported("more pixels than can be addressed");
        let mut pixels = vec![0; usize::try_from(length).map_err(too_long)?];
        decoder.read_rows(&mut pixels)?;
        Ok(pixels.chunks_exact(samples).flat_map(rgba).collect())
    }
}

fn rgba(pixel: &[u8]) -> [u8; 4] {
    match *pixel {
        [red, green, blue, ..] => [red, green, blue, 255],
        [gray, ..] => [gray, gray, gray, 255],
        [] => [0; 4],
    }
}
