//! Compares two files by SSIMULACRA2: both are decoded through the pipeline, and the original is resized to the other's
//! size.

use serde::Serialize;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::Traits;
use crate::image::flatten;
use crate::image::geometry::Sides;
use crate::image::memory::Cost;
use crate::image::metric::ScoreReference;
use crate::image::source::{DecodeRequest, Source};
use crate::limits::Limits;
use crate::options::{Background, Edit, Resize};
use crate::warning::Warning;
use filepress_wire::MediaType;

/// The pixels that are compared: upright, in sRGB, with alpha.
const COMPARED: Traits = Traits::ALPHA;
/// Pixels without alpha.
const OPAQUE: Traits = Traits::NONE;
/// Bytes per pixel for the conversion to RGBA.
const RGBA_BYTES_PER_PIXEL: u64 = 11;
/// Bytes per pixel during the comparison: both pictures as RGBA, and each as decoded.
const BYTES_PER_PIXEL: u64 = 8;
/// Scores are reported in thousandths, rounded down.
const UNIT: f64 = 1000.0;

/// A file to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The whole file.
    pub bytes: &'a [u8],
    /// Its type.
    pub media: MediaType,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// SSIMULACRA2: 100 is identical, 90 hardly distinguishable, 70 high quality, 50 medium quality; there is no lower
    /// bound.
    pub score: f64,
    /// Width in pixels at which the pictures were compared: that of the other, upright.
    pub width: u32,
    /// Height in pixels at which the pictures were compared.
    pub height: u32,
    /// Whether the original had another size and was resized to that of the other first.
    pub resized: bool,
    /// Parts that were not compared: all frames and pages but the first.
    pub warnings: Vec<Warning>,
}

/// Compares `other` with the picture that it was made from.
///
/// If only one of them has transparent pixels, those are composited over `background`. If both have, they are compared
/// over black and over white, and the lower score counts.
///
/// # Errors
/// [`ErrorCode::SizesDiffer`] if the shape of `other` differs from that of `original` by more than a pixel. Otherwise
/// any code of the kinds input and limits, with the detail `file` (`original` or `other`) if it concerns one of the
/// two. Memory is estimated for both together before a pixel is decoded.
pub fn compare(original: Side, other: Side, background: Background, limits: &Limits) -> Result<Comparison> {
    // The memory limit applies to both files together.
    let roomy = Limits { max_memory_bytes: u64::MAX, ..*limits };
    let other_source = open(other, None, background, roomy).map_err(of_other)?;
    let size = (other_source.geometry.width, other_source.geometry.height);
    let full = open(original, None, background, roomy).map_err(of_original)?.geometry;
    let resized = (full.width, full.height) != size;
    if resized && !is_same_shape((full.width, full.height), size) {
        return Err(Error::new(
            ErrorCode::SizesDiffer,
            format!(
                "Images of different aspect ratios cannot be compared: the original has {} × {} pixels, the other {} × {}.",
                full.width, full.height, size.0, size.1
            ),
        ));
    }
    let resize = Resize { width: Some(size.0), height: Some(size.1), ..Resize::default() };
    let original_source =
        open(original, resized.then_some(resize), background, roomy).map_err(of_original)?;
    limits.check_memory(memory_estimate(&original_source, &other_source))?;
    let [original_source, other_source] =
        [original_source, other_source].map(|source| source.within(*limits));

    let mut dropped = Vec::new();
    let mut pixels = |source: &Source| source.picture(None, None, &mut dropped);
    let mut reference = pixels(&original_source).map_err(of_original)?;
    let mut coded = pixels(&other_source).map_err(of_other)?;
    if reference.color().has_alpha() != coded.color().has_alpha() {
        reference = flatten::apply(reference, OPAQUE, background, &mut dropped);
        coded = flatten::apply(coded, OPAQUE, background, &mut dropped);
    }
    let scorer = ScoreReference::for_one(reference);
    let score = (scorer.score(coded) * UNIT).floor() / UNIT;
    let warnings = [(&original_source, "original"), (&other_source, "other")];
    let warnings =
        warnings.into_iter().filter_map(|(source, name)| first_only_warning(source, name)).collect();
    Ok(Comparison { score, width: size.0, height: size.1, resized, warnings })
}

fn of_original(error: Error) -> Error {
    error.with_detail("file", "original")
}

fn of_other(error: Error) -> Error {
    error.with_detail("file", "other")
}

/// Opens a file for comparison at the requested size.
fn open<'a>(
    Side { bytes, media }: Side<'a>,
    resize: Option<Resize>,
    background: Background,
    limits: Limits,
) -> Result<Source<'a>> {
    let request = DecodeRequest {
        media,
        shape: (Edit::default(), resize),
        sides: Sides { output: "A comparison", longest: i32::MAX as u32, shrinks: false },
        output: (COMPARED, Some(background)),
        overlay: None,
        fonts: &[],
        limits,
        cost: Cost { encoder: RGBA_BYTES_PER_PIXEL, ..Cost::default() },
    };
    Source::open(bytes, request)
}

/// Whether one size is a scaled form of the other. Sides are whole numbers, so a difference of one pixel is allowed.
fn is_same_shape(from: (u32, u32), to: (u32, u32)) -> bool {
    let near = |side: u32, numerator: u32, denominator: u32, found: u32| {
        let [side, numerator, denominator, found] =
            [side, numerator, denominator, found].map(|number| i128::from(number.max(1)));
        (side * numerator - found * denominator).abs() <= denominator
    };
    near(from.1, to.0, from.0, to.1) || near(from.0, to.1, from.1, to.0)
}

/// Peak memory in bytes: while the original is decoded, while the other is decoded beside it, or while they are
/// compared.
fn memory_estimate(original: &Source, other: &Source) -> u64 {
    let target = u64::from(other.geometry.width) * u64::from(other.geometry.height);
    let need = |source: &Source| source.memory;
    let pixel = |source: &Source| u64::from(source.header.bytes_per_pixel).max(4);
    let files = [original, other].map(|source| source.bytes.len() as u64);
    let comparing = target * (pixel(original) + pixel(other) + BYTES_PER_PIXEL);
    let first = need(original) + files[1];
    let second = target * pixel(original) + need(other) + files[0];
    first.max(second).max(comparing + files[0] + files[1])
}

/// A warning if only the first of several pictures was compared.
fn first_only_warning(source: &Source, name: &str) -> Option<Warning> {
    match source.header.frames > 1 {
        false => None,
        true if source.is_animated() => {
            let message = format!("The {name} is animated; its first frame was compared.");
            Some(Warning::new("animation_dropped", message))
        }
        true => {
            let message = format!("The {name} has several pages; the first was compared.");
            Some(Warning::new("pages_dropped", message))
        }
    }
}
