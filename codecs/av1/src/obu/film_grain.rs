//! The parameters of film grain (AV1 specification, section 5.9.30).

use super::bit_reader::BitReader;
use super::color::ColorConfig;
use crate::error::Error;
use crate::film_grain::FilmGrain;

/// The code point of the identity matrix (ITU-T H.273).
const IDENTITY: u8 = 0;

/// Reads film_grain_params( ) of an intra frame that has them. None if no grain is applied.
pub(super) fn read_film_grain(
    reader: &mut BitReader<'_>,
    color: &ColorConfig,
) -> Result<Option<FilmGrain>, Error> {
    if !reader.flag()? {
        return Ok(None);
    }
    let mut grain = FilmGrain {
        grain_seed: reader.bits(16)? as u16,
        identity_matrix: color.matrix_coefficients == IDENTITY,
        ..FilmGrain::default()
    };
    grain.y_points = points(reader, 14)?;
    grain.chroma_scaling_from_luma = !color.monochrome && reader.flag()?;
    let is_420 = color.subsampling_x && color.subsampling_y;
    let has_no_chroma =
        color.monochrome || grain.chroma_scaling_from_luma || is_420 && grain.y_points.is_empty();
    if !has_no_chroma {
        grain.cb_points = points(reader, 10)?;
        grain.cr_points = points(reader, 10)?;
    }
    grain.scaling_shift = reader.byte(2)? + 8;
    read_autoregression(reader, &mut grain)?;
    if !grain.cb_points.is_empty() {
        grain.cb_mult = reader.bits(8)? as u16;
        grain.cb_luma_mult = reader.bits(8)? as u16;
        grain.cb_offset = reader.bits(9)? as u16;
    }
    if !grain.cr_points.is_empty() {
        grain.cr_mult = reader.bits(8)? as u16;
        grain.cr_luma_mult = reader.bits(8)? as u16;
        grain.cr_offset = reader.bits(9)? as u16;
    }
    grain.overlap = reader.flag()?;
    grain.clip = reader.flag()?;
    Ok(Some(grain))
}

fn read_autoregression(reader: &mut BitReader<'_>, grain: &mut FilmGrain) -> Result<(), Error> {
    let lag = reader.byte(2)?;
    grain.ar_coeff_lag = lag;
    let positions = 2 * usize::from(lag) * (usize::from(lag) + 1);
    let mut chroma_positions = positions;
    if !grain.y_points.is_empty() {
        chroma_positions += 1;
        coefficients(reader, &mut grain.ar_coeffs_y[..positions])?;
    }
    if grain.chroma_scaling_from_luma || !grain.cb_points.is_empty() {
        coefficients(reader, &mut grain.ar_coeffs_cb[..chroma_positions])?;
    }
    if grain.chroma_scaling_from_luma || !grain.cr_points.is_empty() {
        coefficients(reader, &mut grain.ar_coeffs_cr[..chroma_positions])?;
    }
    grain.ar_coeff_shift = reader.byte(2)? + 6;
    grain.grain_scale_shift = reader.byte(2)?;
    Ok(())
}

/// Points of a piecewise linear function, with ascending places.
fn points(reader: &mut BitReader<'_>, most: usize) -> Result<Vec<(u8, u8)>, Error> {
    let count = reader.bits(4)? as usize;
    if count > most {
        return Err(Error::Corrupt("film grain has too many points"));
    }
    let mut points = Vec::with_capacity(count);
    for _ in 0..count {
        points.push((reader.byte(8)?, reader.byte(8)?));
    }
    match points.is_sorted_by(|a, b| a.0 < b.0) {
        true => Ok(points),
        false => Err(Error::Corrupt("the points of film grain do not ascend")),
    }
}

fn coefficients(reader: &mut BitReader<'_>, out: &mut [i8]) -> Result<(), Error> {
    for coefficient in out {
        *coefficient = (reader.bits(8)? as i32 - 128) as i8;
    }
    Ok(())
}
