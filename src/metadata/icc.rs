//! ICC profiles: their length, and whether they are equivalent to sRGB (ICC.1:2022).
//!
//! Only matrix/TRC profiles are compared, as sRGB profiles are of this kind. What happens to a profile is decided in
//! `image/color_profile.rs`; what a metadata policy keeps, in `metadata/mod.rs`.

use crate::pixels::srgb;

/// The capacity of 255 JPEG segments. A larger profile could not be kept in every format and is ignored.
pub(crate) const MAX_LENGTH: usize = 255 * 65_519;

/// Header and tag count, 7.2.
const MIN_LENGTH: usize = 132;

/// The columns of a matrix, by the tags that contain them, in 1/65,536.
type Colorants = [(&'static [u8; 4], [i32; 3]); 3];

/// The columns of sRGB's matrix, adapted to D50, in 1/65,536.
const SRGB_COLORANTS: Colorants = [
    (b"rXYZ", [0x6FA2, 0x38F5, 0x0390]),
    (b"gXYZ", [0x6299, 0xB785, 0x18DA]),
    (b"bXYZ", [0x24A0, 0x0F84, 0xB6CF]),
];

/// The same of Display P3 (SMPTE EG 432-1, with the white of D65).
#[cfg(feature = "full")]
const P3_COLORANTS: Colorants = [
    (b"rXYZ", [0x83DF, 0x3DBF, -0x45]),
    (b"gXYZ", [0x4ABF, 0xB137, 0x0AB9]),
    (b"bXYZ", [0x2838, 0x110B, 0xC8B9]),
];

/// The tolerance within which two profiles give the same 8-bit colors: a thousandth in the matrix, and half a step in
/// the curves, measured in sRGB.
const COLORANT_TOLERANCE: u32 = 65;
const TONE_TOLERANCE: f32 = 0.5 / 255.0;

/// The profile up to the length in its header; `None` if the data are not a profile or are truncated.
pub(crate) fn profile(mut icc: Vec<u8>) -> Option<Vec<u8>> {
    let length = u32_at(&icc, 0)? as usize;
    let whole = (MIN_LENGTH..=MAX_LENGTH.min(icc.len())).contains(&length);
    icc.truncate(length);
    (whole && icc.get(36..40) == Some(b"acsp")).then_some(icc)
}

/// Whether a profile gives the same colors as sRGB, so that it can be dropped.
pub(crate) fn is_srgb(icc: &[u8]) -> bool {
    let is_matrix =
        [b"A2B0", b"A2B1", b"A2B2", b"D2B0", b"D2B1", b"D2B2"].iter().all(|kind| tag(icc, kind).is_none());
    icc.get(16..24) == Some(b"RGB XYZ ")
        && is_matrix
        && has_colorants(icc, &SRGB_COLORANTS)
        && [b"rTRC", b"gTRC", b"bTRC"].iter().all(|kind| tag(icc, kind).is_some_and(has_srgb_tones))
}

/// Whether a profile has the primaries of Display P3, whatever its tone curves are.
#[cfg(feature = "full")]
pub(crate) fn has_p3_primaries(icc: &[u8]) -> bool {
    has_colorants(icc, &P3_COLORANTS)
}

fn has_colorants(icc: &[u8], colorants: &Colorants) -> bool {
    colorants.iter().all(|(kind, expected)| has_colorant(icc, kind, expected))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// A fixed-point number (`s15Fixed16Number`).
fn fixed_at(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The data of the first tag with a signature, 7.3.
pub(crate) fn tag<'a>(icc: &'a [u8], kind: &[u8; 4]) -> Option<&'a [u8]> {
    let count = u32_at(icc, 128)? as usize;
    let table = icc.get(MIN_LENGTH..)?.as_chunks::<12>().0;
    let entry = table.iter().take(count).find(|entry| entry.starts_with(kind))?;
    icc.get(u32_at(entry, 4)? as usize..)?.get(..u32_at(entry, 8)? as usize)
}

/// `XYZType`, 10.31.
fn has_colorant(icc: &[u8], kind: &[u8; 4], expected: &[i32; 3]) -> bool {
    let near = |(at, expected): (usize, &i32)| {
        tag(icc, kind)
            .and_then(|data| fixed_at(data, at))
            .is_some_and(|value| value.abs_diff(*expected) <= COLORANT_TOLERANCE)
    };
    (8..).step_by(4).zip(expected).all(near)
}

fn has_srgb_tones(curve: &[u8]) -> bool {
    (0..=u8::MAX).map(|level| f32::from(level) / 255.0).all(|level| {
        linear(curve, level)
            .is_some_and(|value| (srgb::encode_with_powf(f32::powf, value) - level).abs() < TONE_TOLERANCE)
    })
}

/// The linear value of an encoded value, both 0 to 1.
fn linear(curve: &[u8], level: f32) -> Option<f32> {
    match curve.first_chunk()? {
        b"curv" => sampled(curve, level),
        b"para" => parametric(curve, level),
        _ => None,
    }
}

/// `curveType`, 10.6: identity, an exponent, or samples.
fn sampled(curve: &[u8], level: f32) -> Option<f32> {
    let count = u32_at(curve, 8)? as usize;
    let sample = |index: usize| Some(f32::from(u16_at(curve, index.checked_mul(2)?.checked_add(12)?)?));
    match count {
        0 => Some(level),
        1 => Some(level.powf(sample(0)? / 256.0)),
        _ => {
            let place = level * (count - 1) as f32;
            let (below, share) = (place as usize, place.fract());
            let above = (below + 1).min(count - 1);
            Some((sample(below)? * (1.0 - share) + sample(above)? * share) / 65_535.0)
        }
    }
}

/// `parametricCurveType`, 10.18: a power segment and a linear segment.
fn parametric(curve: &[u8], level: f32) -> Option<f32> {
    let parameter = |index: usize| Some(fixed_at(curve, 12 + 4 * index)? as f32 / 65_536.0);
    let kind = u16_at(curve, 8)?;
    let gamma = parameter(0)?;
    let (a, b) = if kind == 0 { (1.0, 0.0) } else { (parameter(1)?, parameter(2)?) };
    let (slope, bound, above, below) = match kind {
        0 => (0.0, 0.0, 0.0, 0.0),
        1 => (0.0, -b / a, 0.0, 0.0),
        2 => (0.0, -b / a, parameter(3)?, parameter(3)?),
        3 => (parameter(3)?, parameter(4)?, 0.0, 0.0),
        4 => (parameter(3)?, parameter(4)?, parameter(5)?, parameter(6)?),
        _ => return None,
    };
    Some(if level >= bound { (a * level + b).powf(gamma) + above } else { slope * level + below })
}
