//! Encodes a JPEG again in its size, from its coefficients. Chroma keeps the resolution that it has where only quality asks for more.

use filepress_jpeg::{self as jpeg, Damage, DecodeOptions};

use crate::error::Result;
use crate::formats::Encoding;
use crate::formats::jpeg::decode::{failed, lost};
use crate::formats::jpeg::encode::{Prepared, sampling, settings};
use crate::formats::prepared::PreparedImage;
use crate::options::Chroma;

pub(crate) fn recode(bytes: &[u8], encoding: Encoding) -> Result<Option<Vec<u8>>> {
    if lacks_chroma(bytes, encoding)? {
        return Ok(None);
    }
    let (sampling, settings) = (sampling(encoding), settings(encoding));
    let made = jpeg::recode(bytes, DecodeOptions::default(), sampling, &settings).map_err(failed)?;
    made.map(|(file, damage)| intact(damage).map(|()| file)).transpose()
}

pub(crate) fn prepare(bytes: &[u8], encoding: Encoding) -> Result<Option<Box<dyn PreparedImage>>> {
    if lacks_chroma(bytes, encoding)? {
        return Ok(None);
    }
    let sampling = sampling(encoding);
    let made = jpeg::prepare_file(bytes, DecodeOptions::default(), sampling).map_err(failed)?;
    let Some((coefficients, damage)) = made else { return Ok(None) };
    intact(damage)?;
    Ok(Some(Box::new(Prepared::new(coefficients, sampling))))
}

/// Whether the caller wants chroma of full resolution, which the file does not have: a decoder interpolates it.
fn lacks_chroma(bytes: &[u8], encoding: Encoding) -> Result<bool> {
    if encoding.chroma() != Some(Chroma::Full) {
        return Ok(false);
    }
    let header = jpeg::read_header(bytes, DecodeOptions::default()).map_err(failed)?;
    Ok(header.sampling.iter().any(|factors| *factors != header.sampling[0]))
}

fn intact(damage: Option<Damage>) -> Result<()> {
    match damage {
        Some(damage) if damage.share > 0.0 => Err(lost(damage)),
        _ => Ok(()),
    }
}
