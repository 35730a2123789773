//! The headroom of Apple's gain map. Files of newer systems have it in the map's XMP. Older ones have two numbers in the maker note of
//! the picture's EXIF, from which it is computed (Apple, "Applying Apple HDR effect to your photos").

use crate::containers::tiff_ifd::{Directory, Endian, File};
use crate::formats::jpeg::metadata::{APPLE_GAIN_MAP, read};
use crate::metadata::xmp::find;

/// The property, in XMP.
const PROPERTY: &[u8] = b"HDRGainMapHeadroom";
const NAMESPACE: &[u8] = b"http://ns.apple.com/HDRGainMap/1.0/";
/// EXIF tags: the directory of EXIF's own tags, and the maker note in it.
const EXIF_DIRECTORY: u16 = 0x8769;
const MAKER_NOTE: u16 = 0x927C;
/// Apple's maker note: its prefix, then a version and a byte order; and where its directory begins. Offsets are relative to its start.
const PREFIX: &[u8] = b"Apple iOS\0";
const DIRECTORY_AT: usize = 14;
/// Its tags, `HDRHeadroom` and `HDRGain` of ExifTool.
const HDR_HEADROOM: u16 = 0x21;
const HDR_GAIN: u16 = 0x30;
/// The most stops that XMP is given. No picture has as many.
const MAX_STOPS: f64 = 16.0;

/// The headroom that the packet `xmp` of a map lacks: the light of the brightest white, as a multiple of the picture's white. `None` if the
/// map is not Apple's, if the packet has it, or if the maker note in the EXIF of `picture` does not tell it.
pub(super) fn headroom(xmp: &[u8], picture: &[u8]) -> Option<f64> {
    find(xmp, 0, APPLE_GAIN_MAP)?;
    // Elsewhere, the prefix of the attribute could be bound to another namespace.
    let declared = [b"xmlns:HDRGainMap=\"", NAMESPACE].concat();
    find(xmp, 0, &declared).or_else(|| find(xmp, 0, &[b"xmlns:HDRGainMap='", NAMESPACE].concat()))?;
    if find(xmp, 0, PROPERTY).is_some() {
        return None;
    }
    let exif = read(picture).exif?;
    let file = File::open(&exif)?;
    let own = file.directory(file.first()?.number(EXIF_DIRECTORY)?)?;
    let note = own.bytes(MAKER_NOTE).filter(|note| note.starts_with(PREFIX))?;
    // Its directory is read as that of a TIFF structure, whose header takes the place of the prefix.
    let header: &[u8; 8] = match note.get(12..14)? {
        b"II" => b"II\x2A\0\x0E\0\0\0",
        _ => b"MM\0\x2A\0\0\0\x0E",
    };
    let structure = [&header[..], note.get(header.len()..)?].concat();
    let note = File::open(&structure)?;
    let tags = note.directory(DIRECTORY_AT as u64)?;
    let stops = stops(ratio(&tags, note.endian, HDR_HEADROOM)?, ratio(&tags, note.endian, HDR_GAIN)?);
    Some(power_of_two(stops.clamp(0.0, MAX_STOPS)))
}

/// A headroom as an attribute of XMP.
pub(super) fn attribute(headroom: f64) -> String {
    // Millionths, without the code that prints any number.
    let millionths = (headroom * 1e6 + 0.5) as u64;
    format!(" HDRGainMap:HDRGainMapHeadroom=\"{}.{:06}\"", millionths / 1_000_000, millionths % 1_000_000)
}

/// The binary logarithm of the headroom.
fn stops(headroom: f64, gain: f64) -> f64 {
    match (headroom < 1.0, gain <= 0.01) {
        (true, true) => 1.8 - 20.0 * gain,
        (true, false) => 1.601 - 0.101 * gain,
        (false, true) => 3.0 - 70.0 * gain,
        (false, false) => 2.303 - 0.303 * gain,
    }
}

/// Two to a power of 0 to 16, by the series of the exponential function: `exp2` is a table of four kilobytes in the module.
fn power_of_two(power: f64) -> f64 {
    let exponent = power.fract() * std::f64::consts::LN_2;
    let (mut sum, mut term) = (1.0, 1.0);
    for index in 1..16 {
        term *= exponent / f64::from(index);
        sum += term;
    }
    sum * f64::from(1_u32 << power as u32)
}

/// A signed rational; `None` if it is no number.
fn ratio(tags: &Directory<'_>, endian: Endian, tag: u16) -> Option<f64> {
    let value = tags.bytes(tag)?;
    let number = |bytes: Option<&[u8]>| bytes.map(|bytes| f64::from(endian.number(bytes) as u32 as i32));
    let ratio = number(value.get(..4))? / number(value.get(4..8))?;
    ratio.is_finite().then_some(ratio)
}
