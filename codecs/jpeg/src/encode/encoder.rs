//! From rows of pixels to a file.

use super::prepared::{Prepared, Preparer};
use super::settings::{Color, Sampling, Settings};
use super::tuning::Tuning;
use super::write::{Frame, picture, smallest};
use super::{markers, quant_tables, quantize};
use crate::Error;
use crate::coefficients::QuantTable;

/// Encodes a picture at one quality, row by row: in less memory than a [`Preparer`], which keeps it for all qualities.
pub struct Encoder {
    preparer: Preparer,
    settings: Settings,
    tuning: Tuning,
}

impl Encoder {
    /// As [`Preparer::new`].
    ///
    /// # Errors
    /// Those of [`Preparer::new`].
    pub fn new(
        width: u16,
        height: u16,
        color: Color,
        sampling: Sampling,
        settings: &Settings,
    ) -> Result<Self, Error> {
        Self::with((width, height), color, sampling, settings, &Tuning::DEFAULT)
    }

    fn with(
        size: (u16, u16),
        color: Color,
        sampling: Sampling,
        settings: &Settings,
        tuning: &Tuning,
    ) -> Result<Self, Error> {
        let tables = quant_tables::tables(settings.quality, tuning);
        let preparer = Preparer::with(size, color, sampling, &tables, tuning)?;
        Ok(Self { preparer, settings: *settings, tuning: tuning.clone() })
    }

    /// As [`Preparer::push_rows`].
    ///
    /// # Errors
    /// Those of [`Preparer::push_rows`].
    pub fn push_rows(&mut self, pixels: &[u8]) -> Result<(), Error> {
        self.preparer.push_rows(pixels)
    }

    /// The file, after the last row, without metadata.
    ///
    /// # Errors
    /// [`Error::Argument`] where rows are missing, [`Error::Limit`] where there is too little memory.
    pub fn finish(self) -> Result<Vec<u8>, Error> {
        self.preparer.finish()?.into_file_with(&self.settings, &self.tuning)
    }
}

impl Prepared {
    /// The file at this quality, without metadata.
    ///
    /// # Errors
    /// [`Error::Limit`] where there is too little memory.
    pub fn encode(&self, settings: &Settings) -> Result<Vec<u8>, Error> {
        self.clone().into_file(settings)
    }

    /// As [`encode`](Self::encode), in half the memory.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn into_file(self, settings: &Settings) -> Result<Vec<u8>, Error> {
        self.into_file_with(settings, &Tuning::DEFAULT)
    }

    fn into_file_with(self, settings: &Settings, tuning: &Tuning) -> Result<Vec<u8>, Error> {
        let (size, tables) = (self.size, quant_tables::tables(settings.quality, tuning));
        let components = quantize::quantize(self, &tables, settings, tuning)?;
        let count = components.len();
        let ids = (0..count as u8).map(|number| (number + 1, number)).collect();
        let frame = Frame { size, precision: 8, components: ids, tables: tables[..count].to_vec() };
        let mut out = Vec::new();
        markers::soi(&mut out);
        markers::jfif(&mut out);
        Ok(match settings.progressive {
            true => smallest(out, &frame, &components),
            false => picture(out, &frame, &components, false),
        })
    }
}

/// The quantization tables of a quality.
pub(crate) fn tables(quality: f32) -> [QuantTable; 3] {
    quant_tables::tables(quality, &Tuning::DEFAULT)
}

/// A picture as a file: all of [`Encoder`] in one call.
///
/// # Errors
/// [`Error::Argument`] where `pixels` are not as many as the size says, [`Error::Limit`] where there is too little memory.
pub fn encode(
    pixels: &[u8],
    size: (u16, u16),
    color: Color,
    sampling: Sampling,
    settings: &Settings,
) -> Result<Vec<u8>, Error> {
    encode_with(pixels, size, color, sampling, settings, &Tuning::DEFAULT)
}

#[doc(hidden)]
pub fn encode_with(
    pixels: &[u8],
    size: (u16, u16),
    color: Color,
    sampling: Sampling,
    settings: &Settings,
    tuning: &Tuning,
) -> Result<Vec<u8>, Error> {
    let mut encoder = Encoder::with(size, color, sampling, settings, tuning)?;
    encoder.push_rows(pixels)?;
    encoder.finish()
}
