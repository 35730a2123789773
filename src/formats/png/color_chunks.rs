//! The color space of a PNG as one ICC profile. A PNG can declare its color space in four ways, but only a profile can
//! be copied to other formats. Precedence: cICP before iCCP before sRGB before gAMA and cHRM (PNG, third edition, 4.3).
//!
//! As in browsers, gAMA alone implies the primaries of sRGB, and cHRM alone has no effect.
//! A profile cannot say all of cICP: PQ, HLG (HDR) and rare primaries stay code points. gAMA and cHRM values close to those of sRGB
//! count as sRGB.
use fdeflate::decompress_to_vec_bounded;

use crate::metadata::code_points::CodePoints;
use crate::metadata::icc;
use crate::metadata::matrix_profile::{self, Tones};

/// White, red, green and blue of sRGB, in the units of cHRM.
const SRGB: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

/// The contents of the color chunks of a PNG.
#[derive(Default)]
pub(crate) struct Color {
    gray: bool,
    cicp: Option<[u8; 4]>,
    mastering: Option<[u8; 24]>,
    light_levels: Option<[u8; 8]>,
    icc: Option<Vec<u8>>,
    srgb: bool,
    gamma: Option<u32>,
    /// x and y of white, red, green and blue, in units of 1/100,000.
    chromaticities: Option<[u32; 8]>,
}

impl Color {
    /// Reads a chunk. Chunks that do not describe colors have no effect.
    pub(crate) fn add(&mut self, kind: &[u8; 4], data: &[u8]) {
        match kind {
            // Color types 0 and 4. Bit 1 stands for palette, bit 2 for color.
            b"IHDR" => self.gray = data.get(9).is_some_and(|color_type| color_type & 2 == 0),
            b"cICP" => self.cicp = data.try_into().ok(),
            b"mDCV" => self.mastering = data.try_into().ok(),
            b"cLLI" => self.light_levels = data.try_into().ok(),
            b"iCCP" if self.icc.is_none() => {
                self.icc = iccp_profile(data).and_then(icc::profile);
            }
            b"sRGB" => self.srgb = true,
            b"gAMA" => self.gamma = data.first_chunk().map(|gamma| u32::from_be_bytes(*gamma)),
            b"cHRM" => self.chromaticities = chromaticities(data),
            _ => {}
        }
    }

    /// The code points, if no profile says what they say.
    pub(crate) fn code_points(&self) -> Option<CodePoints> {
        let [primaries, transfer, 0, 1] = self.cicp? else { return None };
        let said =
            CodePoints { primaries, transfer, mastering: self.mastering, light_levels: self.light_levels };
        let is_known = (1..=22).contains(&primaries) && (1..=18).contains(&transfer);
        // 2 stands for "unspecified".
        (is_known && primaries != 2 && transfer != 2 && code_points(self.cicp?).is_none()).then_some(said)
    }

    /// The profile. `None` for sRGB.
    pub(crate) fn profile(self) -> Option<Vec<u8>> {
        if let Some((chromaticities, tones)) = self.cicp.and_then(code_points) {
            let srgb = chromaticities == SRGB && tones == Tones::Srgb;
            return if srgb { None } else { self.describe(&chromaticities, tones) };
        }
        if self.icc.is_some() || self.srgb {
            return self.icc;
        }
        // 0.01 to 10: with other values nothing would be visible.
        let gamma = self.gamma.filter(|gamma| (1_000..=1_000_000).contains(gamma))?;
        let chromaticities = self.chromaticities.unwrap_or(SRGB);
        if is_srgb(gamma, &chromaticities) {
            return None;
        }
        self.describe(&chromaticities, Tones::Power(100_000.0 / f64::from(gamma)))
    }

    fn describe(&self, chromaticities: &[u32; 8], tones: Tones) -> Option<Vec<u8>> {
        if self.gray { matrix_profile::gray(tones) } else { matrix_profile::rgb(chromaticities, tones) }
    }
}

/// The profile of an `iCCP` chunk.
pub(crate) fn iccp_profile(data: &[u8]) -> Option<Vec<u8>> {
    let name = data.iter().position(|&byte| byte == 0)?;
    let (&[0], compressed) = data.get(name + 1..)?.split_first_chunk()? else { return None };
    decompress_to_vec_bounded(compressed, icc::MAX_LENGTH).ok()
}

/// The gamma that [`Color::profile`] made a profile from. A gAMA chunk says the same in 16 bytes.
#[cfg(feature = "core")]
pub(crate) fn gamma_of(profile: &[u8]) -> Option<u32> {
    // The curve is the last tag. Its parameter, in units of 1/65,536, ends the profile.
    let exponent = u32::from_be_bytes(*profile.last_chunk()?);
    let gamma = (100_000.0 * 65_536.0 / f64::from(exponent.max(1))).round() as u32;
    let gray = profile.get(16..20) == Some(b"GRAY");
    let made = Color { gray, gamma: Some(gamma), ..Color::default() }.profile();
    (made.as_deref() == Some(profile)).then_some(gamma)
}

/// The profile of a color space given by code points of ITU-T H.273, in any container. `None` for sRGB, for HDR and for
/// rare values.
#[cfg(feature = "full")]
pub(crate) fn profile_of(primaries: u8, transfer: u8, gray: bool) -> Option<Vec<u8>> {
    Color { gray, cicp: Some([primaries, transfer, 0, 1]), ..Color::default() }.profile()
}

fn chromaticities(data: &[u8]) -> Option<[u32; 8]> {
    let (numbers, []) = data.as_chunks::<4>() else { return None };
    let numbers: Vec<u32> = numbers.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect();
    // A chromaticity lies in or near the triangle x > 0, y > 0, x + y < 1.
    let plausible = |pair: &[u32]| pair.iter().all(|value| (1..=100_000).contains(value));
    numbers.chunks(2).all(plausible).then_some(numbers)?.try_into().ok()
}

/// The values that the PNG specification recommends for sRGB images. Encoders round them differently.
fn is_srgb(gamma: u32, chromaticities: &[u32; 8]) -> bool {
    gamma.abs_diff(45_455) <= 500
        && SRGB.iter().zip(chromaticities).all(|(expected, value)| expected.abs_diff(*value) <= 200)
}

/// Primaries and transfer curve of a `cICP` chunk (ITU-T H.273), with the curves that browsers use. `None` for HDR, for
/// rare values, and for values that PNG does not allow.
fn code_points([primaries, transfer, matrix, full_range]: [u8; 4]) -> Option<([u32; 8], Tones)> {
    let colors: [u32; 6] = match primaries {
        1 => [64_000, 33_000, 30_000, 60_000, 15_000, 6_000],
        5 => [64_000, 33_000, 29_000, 60_000, 15_000, 6_000],
        6 | 7 => [63_000, 34_000, 31_000, 59_500, 15_500, 7_000],
        9 => [70_800, 29_200, 17_000, 79_700, 13_100, 4_600],
        12 => [68_000, 32_000, 26_500, 69_000, 15_000, 6_000],
        _ => return None,
    };
    let tones = match transfer {
        1 | 6 | 14 | 15 => Tones::Power(2.4),
        4 => Tones::Power(2.2),
        5 => Tones::Power(2.8),
        8 => Tones::Power(1.0),
        13 => Tones::Srgb,
        _ => return None,
    };
    let [white_x, white_y, ..] = SRGB;
    let [red_x, red_y, green_x, green_y, blue_x, blue_y] = colors;
    let chromaticities = [white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y];
    (matrix == 0 && full_range == 1).then_some((chromaticities, tones))
}
