//! Encodes the coefficients of a JPEG again, with fewer bytes and identical pixels. Whole MCUs can be cropped and turned as
//! coefficients.

use filepress_jpeg::{
    self as jpeg, Coefficients, DecodeOptions, Scans, Segments, Turn, decode_coefficients, marker_segments,
    write_coefficients,
};
use image::metadata::Orientation;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::Rewrite;
use crate::formats::jpeg::decode::{failed, lost};
use crate::formats::jpeg::gain_map;
use crate::formats::jpeg::metadata::write;
use crate::metadata::Metadata;
use crate::options::MetadataPolicy;
use crate::pixels::part::{Part, View, turned_size};

/// The scans with the fewest bytes, and Huffman tables for this image. Without edits, pixels and orientation tag stay identical.
pub(crate) fn rewrite(file: &Rewrite) -> Result<Option<Vec<u8>>> {
    let View { edits, .. } = file.view;
    // What describes the stored pixels does not describe others.
    let copies = file.policy == MetadataPolicy::Keep && !edits;
    let limits = jpeg::Limits { max_memory: file.limits.max_memory_bytes, ..jpeg::Limits::default() };
    let options = DecodeOptions { limits, ..DecodeOptions::default() };
    let (mut coefficients, damage) = decode_coefficients(file.bytes, options).map_err(failed)?;
    if let Some(damage) = damage.filter(|damage| damage.share > 0.0) {
        return Err(lost(damage));
    }
    let orientation = edit(&mut coefficients, file.view)?;
    let size = (coefficients.width.into(), coefficients.height.into());
    let metadata = described(file.metadata, orientation, edits.then_some(size));
    let segments = marker_segments(file.bytes, if copies { Segments::All } else { Segments::Color });
    let recoded = write_coefficients(coefficients, &segments, Scans::Smallest).map_err(failed)?;
    let written = match copies {
        true if gain_map::refers_to_others(&recoded) => {
            gain_map::without_gain_map(&recoded, metadata.xmp.as_deref(), None)
        }
        true => Some(recoded),
        false => write(&recoded, &metadata),
    };
    let unreadable = || Error::new(ErrorCode::EncodeFailed, "The transcoded JPEG cannot be read.");
    let written = written.ok_or_else(unreadable)?;
    // The map of another part, or of a turned picture, would not fit: the caller encodes it again.
    let everything = file.policy == MetadataPolicy::Keep;
    let keeps_map = !edits && file.keeps_gain_map;
    let with_map = keeps_map.then(|| gain_map::attach(&written, file.bytes, None, everything));
    Ok(Some(with_map.flatten().unwrap_or(written)))
}

/// Crops and turns. Returns the orientation that is left for EXIF.
///
/// # Errors
/// [`ErrorCode::LosslessUnsupported`] for a part that does not begin at an MCU, with the nearest one that does as details.
fn edit(coefficients: &mut Coefficients, view: View) -> Result<Orientation> {
    let size = (u32::from(coefficients.width), u32::from(coefficients.height));
    if view.part != Part::whole(size) {
        crop(coefficients, view, size)?;
    }
    let Some(turn) = turn_of(view.orientation).filter(|_| view.turns) else {
        return Ok(view.orientation);
    };
    match coefficients.turn(turn) {
        Ok(()) => Ok(Orientation::NoTransforms),
        Err(_) => Ok(view.orientation),
    }
}

fn crop(coefficients: &mut Coefficients, view: View, size: (u32, u32)) -> Result<()> {
    let Part { left, top, width, height } = view.part;
    let sides = [left, top, width, height].map(|side| side as u16);
    if coefficients.crop(sides[0], sides[1], sides[2], sides[3]).is_ok() {
        return Ok(());
    }
    let sampling = |of: fn(&filepress_jpeg::ComponentCoefficients) -> u8| {
        8 * u32::from(coefficients.components.iter().map(of).max().unwrap_or(1))
    };
    let (across, down) = (sampling(|component| component.h), sampling(|component| component.v));
    let (from_left, from_top) = (left / across * across, top / down * down);
    let (wide, high) = (width + left - from_left, height + top - from_top);
    let around = Part { left: from_left, top: from_top, width: wide, height: high };
    // As the caller gives it: in the upright picture.
    let around = around.after(view.upright, turned_size(size, view.upright));
    let message = format!(
        "A JPEG can only be cropped without loss where blocks of {across} × {down} pixels begin: this crop needs x {}, y {}, width {}, height {}. Otherwise leave out `lossless`.",
        around.left, around.top, around.width, around.height
    );
    Err(Error::new(ErrorCode::LosslessUnsupported, message)
        .with_detail("x", u64::from(around.left))
        .with_detail("y", u64::from(around.top))
        .with_detail("width", u64::from(around.width))
        .with_detail("height", u64::from(around.height)))
}

/// The metadata of pixels that are left as `orientation` turns them. `size` is theirs, if it is another than before.
fn described(metadata: &Metadata, orientation: Orientation, size: Option<(u32, u32)>) -> Metadata {
    let mut metadata = metadata.clone();
    if let Some(size) = size {
        metadata = metadata.reframed(size);
    }
    match orientation {
        Orientation::NoTransforms => metadata,
        orientation => metadata.turned(orientation),
    }
}

fn turn_of(orientation: Orientation) -> Option<Turn> {
    Some(match orientation {
        Orientation::NoTransforms => return None,
        Orientation::FlipHorizontal => Turn::FlipHorizontal,
        Orientation::Rotate180 => Turn::Rotate180,
        Orientation::FlipVertical => Turn::FlipVertical,
        Orientation::Rotate90FlipH => Turn::Transpose,
        Orientation::Rotate90 => Turn::Rotate90,
        Orientation::Rotate270FlipH => Turn::Transverse,
        Orientation::Rotate270 => Turn::Rotate270,
    })
}
