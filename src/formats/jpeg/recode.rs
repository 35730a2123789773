//! Encodes a JPEG again in its size, from its coefficients. Chroma keeps the resolution that it has where quality asks for more.

use filepress_jpeg::{self as jpeg, Damage, DecodeOptions};

use crate::error::Result;
use crate::formats::jpeg::decode::{failed, lost};
use crate::formats::jpeg::encode::{Prepared, sampling, settings};
use crate::formats::prepared::PreparedImage;

pub(crate) fn recode(bytes: &[u8], quality: u8, effort: u8) -> Result<Option<Vec<u8>>> {
    let settings = settings(quality, effort);
    let made = jpeg::recode(bytes, DecodeOptions::default(), sampling(quality), &settings).map_err(failed)?;
    made.map(|(file, damage)| intact(damage).map(|()| file)).transpose()
}

pub(crate) fn prepare(bytes: &[u8], quality: u8) -> Result<Option<Box<dyn PreparedImage>>> {
    let sampling = sampling(quality);
    let made = jpeg::prepare_file(bytes, DecodeOptions::default(), sampling).map_err(failed)?;
    let Some((coefficients, damage)) = made else { return Ok(None) };
    intact(damage)?;
    Ok(Some(Box::new(Prepared { coefficients, sampling })))
}

fn intact(damage: Option<Damage>) -> Result<()> {
    match damage {
        Some(damage) if damage.share > 0.0 => Err(lost(damage)),
        _ => Ok(()),
    }
}
