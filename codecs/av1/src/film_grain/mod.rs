//! Film grain synthesis (section 7.18.3): noise that the encoder removed is added again after decoding, from a description of it.

mod blend;
mod gaussian;
mod random;
mod scaling;
mod stripe;
mod template;
#[cfg(test)]
mod tests;

use crate::coverage;
use crate::plane::Plane;
use blend::Range;
use scaling::Scaling;
use std::collections::TryReserveError;
use stripe::Stripes;
use template::Templates;

/// The parameters of film grain (section 5.9.30).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FilmGrain {
    /// `grain_seed`.
    pub(crate) grain_seed: u16,
    /// `point_y_value` and `point_y_scaling`, by ascending value; at most 14.
    pub(crate) y_points: Vec<(u8, u8)>,
    /// The same for U; at most 10.
    pub(crate) cb_points: Vec<(u8, u8)>,
    /// The same for V; at most 10.
    pub(crate) cr_points: Vec<(u8, u8)>,
    /// `chroma_scaling_from_luma`.
    pub(crate) chroma_scaling_from_luma: bool,
    /// `grain_scaling_minus_8` + 8.
    pub(crate) scaling_shift: u8,
    /// `ar_coeff_lag`, 0 to 3.
    pub(crate) ar_coeff_lag: u8,
    /// `ar_coeffs_y_plus_128` - 128.
    pub(crate) ar_coeffs_y: [i8; 24],
    /// `ar_coeffs_cb_plus_128` - 128.
    pub(crate) ar_coeffs_cb: [i8; 25],
    /// `ar_coeffs_cr_plus_128` - 128.
    pub(crate) ar_coeffs_cr: [i8; 25],
    /// `ar_coeff_shift_minus_6` + 6.
    pub(crate) ar_coeff_shift: u8,
    /// `grain_scale_shift`.
    pub(crate) grain_scale_shift: u8,
    /// `cb_mult`, as coded.
    pub(crate) cb_mult: u16,
    /// `cb_luma_mult`, as coded.
    pub(crate) cb_luma_mult: u16,
    /// `cb_offset`, as coded.
    pub(crate) cb_offset: u16,
    /// `cr_mult`, as coded.
    pub(crate) cr_mult: u16,
    /// `cr_luma_mult`, as coded.
    pub(crate) cr_luma_mult: u16,
    /// `cr_offset`, as coded.
    pub(crate) cr_offset: u16,
    /// `overlap_flag`.
    pub(crate) overlap: bool,
    /// `clip_to_restricted_range`.
    pub(crate) clip: bool,
    /// Whether `matrix_coefficients` is `MC_IDENTITY`.
    pub(crate) identity_matrix: bool,
}

/// Adds film grain to the planes of a frame, one or three.
///
/// # Errors
///
/// If memory cannot be allocated. The planes are then as they were, or some of them are done.
pub(crate) fn apply(
    planes: &mut [Plane],
    grain: &FilmGrain,
    ss_x: u8,
    ss_y: u8,
    bit_depth: u8,
) -> Result<(), TryReserveError> {
    let ss = (usize::from(ss_x), usize::from(ss_y));
    let templates = Templates::new(grain, ss, bit_depth);
    count_branches(grain);
    let range = Range::new(grain, bit_depth);
    let Some((luma, chroma)) = planes.split_first_mut() else { return Ok(()) };
    // Chroma first: it depends on luma without grain.
    for (index, plane) in chroma.iter_mut().enumerate() {
        let Some(scaling) = Scaling::of_chroma(grain, index, bit_depth) else { continue };
        let mut stripes = Stripes::new(&templates.chroma[index], grain, plane.width, ss, bit_depth)?;
        for y in 0..plane.height {
            let noise = stripes.row(y);
            blend::chroma_row(plane.row_mut(y), luma.row(y << ss.1), noise, ss.0, &scaling, &range);
        }
    }
    let Some(scaling) = Scaling::of_luma(grain, bit_depth) else { return Ok(()) };
    let mut stripes = Stripes::new(&templates.luma, grain, luma.width, (0, 0), bit_depth)?;
    for y in 0..luma.height {
        let noise = stripes.row(y);
        blend::luma_row(luma.row_mut(y), noise, &scaling, &range);
    }
    Ok(())
}

fn count_branches(grain: &FilmGrain) {
    let chroma = grain.cb_points.len() + grain.cr_points.len() > 0;
    let branches =
        [!grain.y_points.is_empty(), chroma, grain.chroma_scaling_from_luma, grain.overlap, grain.clip];
    for (branch, _) in branches.iter().enumerate().filter(|&(_, &taken)| taken) {
        coverage::count("film_grain", branch);
    }
    coverage::count("film_grain_lag", usize::from(grain.ar_coeff_lag));
}
