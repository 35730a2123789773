//! JPEG (ITU-T T.81) by filepress-jpeg.
//!
//! What is wrong between segments is passed over, because cameras deviate from the standard; coded pixels that are
//! missing or damaged are an error instead of a half-gray picture.

use filepress_jpeg::{self as jpeg, DecodeOptions, Decoder};
use image::{DynamicImage, GrayImage, RgbImage};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header};
use crate::formats::rows::{RowReader, Samples};
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;

const NAME: &str = "JPEG";

pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let decoder = open(bytes)?;
    let header = decoder.header();
    let (color_model, bytes_per_pixel, inks) = match header.color_model {
        jpeg::ColorModel::Gray => (ColorModel::Gray, 1, 0),
        jpeg::ColorModel::Rgb => (ColorModel::Rgb, 3, 0),
        jpeg::ColorModel::Ycbcr => (ColorModel::Ycbcr, 3, 0),
        jpeg::ColorModel::Cmyk | jpeg::ColorModel::Ycck => (ColorModel::Cmyk, 3, 4),
        _ => return Err(Error::corrupt(NAME, "its number of components has no meaning")),
    };
    let pixels = u64::from(header.width) * u64::from(header.height);
    // All coefficients until the last scan is read, or a few rows.
    let coefficients = if decoder.keeps_coefficients() { decoder.memory().div_ceil(pixels) } else { 0 };
    Ok(Header {
        width: header.width.into(),
        height: header.height.into(),
        frames: 1,
        scalable: false,
        reducible: color_model != ColorModel::Cmyk,
        has_alpha: false,
        color_model,
        // Pixels are reduced to 8.
        bit_depth: header.precision,
        bytes_per_pixel,
        decoder_bytes: pixels * (inks + coefficients),
    })
}

/// The picture at 1/`reduction` of its size, each side rounded up. 2, 4 or 8 if the header is reducible, otherwise 1.
pub(crate) fn pixels(bytes: &[u8], reduction: u32) -> Result<DynamicImage> {
    let mut decoder = at_scale(bytes, reduction)?;
    pixels_and_components(&mut decoder, &mut |_, _| {})
}

/// The picture of a decoder. `put` gets the rows of its components as they are decoded.
pub(super) fn pixels_and_components(
    decoder: &mut Decoder,
    put: &mut dyn FnMut(usize, &[u8]),
) -> Result<DynamicImage> {
    let is_gray = decoder.header().color_model == jpeg::ColorModel::Gray;
    let (width, height, samples) = decode(decoder, put)?;
    match is_gray {
        true => GrayImage::from_raw(width, height, samples).map(DynamicImage::ImageLuma8),
        false => RgbImage::from_raw(width, height, samples).map(DynamicImage::ImageRgb8),
    }
    .ok_or_else(|| Error::corrupt(NAME, "its size is not what its header says"))
}

/// The rows of the picture, as [`pixels`] gives them.
pub(crate) fn rows(bytes: &[u8], reduction: u32) -> Result<Box<dyn RowReader + '_>> {
    Ok(Box::new(at_scale(bytes, reduction)?))
}

impl RowReader for Decoder<'_> {
    fn size(&self) -> (u32, u32) {
        self.size()
    }

    fn samples(&self) -> Samples {
        if self.samples_per_pixel() > 1 { Samples::Rgb } else { Samples::Gray }
    }

    fn read(&mut self, rows: &mut [u8]) -> Result<usize> {
        let count = self.read_rows(rows).map_err(failed)?;
        if count == 0 {
            intact(self)?;
        }
        Ok(count)
    }
}

/// The CMYK samples of a picture whose model is [`ColorModel::Cmyk`].
///
/// They are stored inverted, as Adobe does, with or without an Adobe marker: writers that set no marker follow Adobe
/// too, and browsers assume it.
#[cfg(feature = "full")]
pub(crate) fn cmyk(bytes: &[u8]) -> Result<Cmyk> {
    let mut decoder = open(bytes)?;
    decoder.set_output(jpeg::Output::Inks).map_err(failed)?;
    let (width, height, mut samples) = decode(&mut decoder, &mut |_, _| {})?;
    samples.iter_mut().for_each(|sample| *sample = !*sample);
    Ok(Cmyk { width, height, samples })
}

/// Width, height and samples of the whole picture.
fn decode(decoder: &mut Decoder, put: &mut dyn FnMut(usize, &[u8])) -> Result<(u32, u32, Vec<u8>)> {
    let (width, height) = decoder.size();
    let mut samples = vec![0; width as usize * height as usize * decoder.samples_per_pixel()];
    decoder.read_rows_and_components(&mut samples, put).map_err(failed)?;
    intact(decoder)?;
    Ok((width, height, samples))
}

/// Fails if pixels are missing. At an eighth of the size, all coded data is read as well.
#[cfg(feature = "full")]
pub(crate) fn check_complete(bytes: &[u8]) -> Result<()> {
    let mut decoder = open(bytes)?;
    decoder.set_scale(1).map_err(failed)?;
    decode(&mut decoder, &mut |_, _| {}).map(|_| ())
}

/// The samples of each component as they are stored, of a picture whose header `fits`.
#[cfg(feature = "full")]
pub(crate) fn components(bytes: &[u8], fits: impl FnOnce(&Decoder) -> Result<()>) -> Result<Vec<u8>> {
    let mut decoder = open(bytes)?;
    decoder.set_output(jpeg::Output::Components).map_err(failed)?;
    fits(&decoder)?;
    Ok(decode(&mut decoder, &mut |_, _| {})?.2)
}

/// A decoder at 1/`reduction` of the size: 1, 2, 4 or 8.
pub(super) fn at_scale(bytes: &[u8], reduction: u32) -> Result<Decoder<'_>> {
    let mut decoder = open(bytes)?;
    decoder.set_scale((8 / reduction) as u8).map_err(failed)?;
    Ok(decoder)
}

fn open(bytes: &[u8]) -> Result<Decoder<'_>> {
    let options = DecodeOptions { sharp_chroma: true, ..DecodeOptions::default() };
    Decoder::new(bytes, options).map_err(failed)
}

/// Whether no coded pixels were lost.
pub(super) fn intact(decoder: &Decoder) -> Result<()> {
    match decoder.damage() {
        Some(damage) if damage.share > 0.0 => Err(lost(damage)),
        _ => Ok(()),
    }
}

/// The error for a file some of whose pixels are lost.
pub(crate) fn lost(damage: jpeg::Damage) -> Error {
    let percent = (damage.share * 100.0).ceil() as u32;
    Error::corrupt(NAME, format!("{percent} % of its pixels cannot be decoded"))
}

#[cold]
#[inline(never)]
pub(crate) fn failed(cause: jpeg::Error) -> Error {
    match cause {
        jpeg::Error::Unsupported(what) => unsupported(what),
        jpeg::Error::Limit(jpeg::Limit::Memory { .. }) => {
            Error::new(ErrorCode::TooMuchMemory, "The JPEG needs more memory than there is.")
        }
        jpeg::Error::Limit(jpeg::Limit::Scans { limit }) => refused(&format!("more than {limit} scans")),
        cause => Error::corrupt(NAME, cause),
    }
}

#[cfg(feature = "full")]
fn unsupported(what: &str) -> Error {
    refused(what)
}

/// The error for what no build reads.
fn refused(what: &str) -> Error {
    Error::new(ErrorCode::UnsupportedType, format!("This variant of JPEG cannot be read: {what}."))
        .with_detail("type", "image/jpeg")
        .with_detail("name", NAME)
}

/// Arithmetic coding and 12 bits a sample are rare, so that a smaller build does without.
#[cfg(not(feature = "full"))]
fn unsupported(what: &str) -> Error {
    Error::new(ErrorCode::NotInBuild, format!("This build cannot read this variant of JPEG: {what}."))
        .with_detail("type", "image/jpeg")
        .with_detail("build", crate::formats::Build::Full.as_str())
}
