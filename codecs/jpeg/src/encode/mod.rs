//! The encoder: from pixels or quantized coefficients to the bytes of a file.
//!
//! `mcu_rows` and `downsample` make rows of MCUs of rows of pixels, `dct` their coefficients, which [`Prepared`] holds. `quant_tables`
//! has the tables, `masking` says what an error costs, `ac` and `dc` choose coefficients by it. `statistics` and `search` find the
//! scans with the fewest bytes, `scans` and `sequential` write them.

mod ac;
mod bit_cost;
mod bits;
mod blocks;
mod color;
mod dc;
mod dct;
mod downsample;
mod huffman;
mod markers;
mod masking;
mod mcu_rows;
mod plane;
mod prepared;
mod quant_tables;
mod quantize;
mod scans;
mod search;
mod sequential;
mod settings;
mod statistics;
mod try_alloc;
mod tuning;
mod write;

pub use prepared::{Prepared, Preparer};
pub use settings::{Color, Sampling, Settings};
#[doc(hidden)]
pub use tuning::Tuning;

pub(crate) use blocks::Component;
pub(crate) use write::{Frame, picture, smallest};

use crate::Error;

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

    #[doc(hidden)]
    pub fn into_file_with(mut self, settings: &Settings, tuning: &Tuning) -> Result<Vec<u8>, Error> {
        let tables = quant_tables::tables(settings.quality, tuning);
        quantize::quantize(&mut self, &tables, settings, tuning)?;
        let count = self.components.len();
        let components = (0..count as u8).map(|number| (number + 1, number)).collect();
        let frame = Frame { size: self.size, precision: 8, components, tables: tables[..count].to_vec() };
        let mut out = Vec::new();
        markers::soi(&mut out);
        markers::jfif(&mut out);
        Ok(match settings.progressive {
            true => smallest(out, &frame, &self.components),
            false => picture(out, &frame, &self.components, false),
        })
    }
}

/// A picture as a file: [`Preparer`] and [`Prepared::into_file`] in one call.
///
/// # Errors
/// [`Error::Argument`] where `pixels` are not as many as the size says, [`Error::Limit`] where there is too little memory.
pub fn encode(
    pixels: &[u8],
    (width, height): (u16, u16),
    color: Color,
    sampling: Sampling,
    settings: &Settings,
) -> Result<Vec<u8>, Error> {
    encode_with(pixels, (width, height), color, sampling, settings, &Tuning::DEFAULT)
}

#[doc(hidden)]
pub fn encode_with(
    pixels: &[u8],
    (width, height): (u16, u16),
    color: Color,
    sampling: Sampling,
    settings: &Settings,
    tuning: &Tuning,
) -> Result<Vec<u8>, Error> {
    let mut preparer = Preparer::with(width, height, color, sampling, tuning)?;
    preparer.push_rows(pixels)?;
    preparer.finish()?.into_file_with(settings, tuning)
}
