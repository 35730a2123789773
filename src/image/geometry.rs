//! Plans the size of the output and the transformation of the stored pixels: arithmetic on a header and the requested
//! size.

use image::metadata::Orientation;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::Header;
use crate::formats::{Encoding, codec_of};
#[cfg(feature = "full")]
use crate::image::metric;
use crate::job::{LocalJob, RateControl};
use crate::options::{Fit, Resize};
use crate::pixels::orient::swaps;
use crate::warning::Warning;

/// The longest sides that an output may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sides {
    /// Name of the type, for messages.
    pub(crate) output: &'static str,
    /// In pixels.
    pub(crate) longest: u32,
    /// Whether a larger picture is scaled down instead of refused.
    pub(crate) shrinks: bool,
}

impl Sides {
    /// The limits of a type.
    pub(crate) fn of(encoding: Encoding) -> Self {
        let codec = codec_of(encoding.media());
        Self { output: encoding.media().name(), longest: encoding.format().max_side, shrinks: codec.shrinks }
    }
}

/// Memory that a job needs, in bytes per pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Bytes that the encoder keeps beside the pixel itself.
    pub(crate) encoder: u64,
    /// Bytes for converting deep pixels to 8 bits.
    pub(crate) narrowing: u64,
    /// Bytes that are kept between the encodings of a search.
    pub(crate) prepared: Option<u64>,
    /// For animations: bytes that the encoder keeps beside the frames.
    pub(crate) animation: Option<u64>,
    /// Whether each result is decoded and compared (a search by score).
    pub(crate) is_scored: bool,
}

impl Cost {
    /// The memory that a job needs.
    pub(crate) fn of(job: &LocalJob) -> Self {
        let codec = codec_of(job.encoding.media());
        let quality = job.encoding.quality();
        let is_searched = job.rate_control != RateControl::Settings;
        let highest = if is_searched { SEARCHED_QUALITY } else { u8::MAX };
        Self {
            encoder: (job.encoding.format().encoder_bytes)(quality.map(|quality| quality.min(highest))),
            narrowing: codec.narrowing_bytes,
            prepared: is_searched.then_some(if quality.is_some() { codec.prepared_bytes } else { 0 }),
            #[cfg(feature = "core")]
            animation: codec.write_frames.as_ref().map(|animation| (animation.bytes_per_pixel)(quality)),
            #[cfg(not(feature = "core"))]
            animation: None,
            is_scored: matches!(job.rate_control, RateControl::Score(_)),
        }
    }
}

/// The transformation from the stored pixels to the output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Geometry {
    /// Width of the output, upright.
    pub(crate) width: u32,
    /// Height of the output, upright.
    pub(crate) height: u32,
    /// The orientation that turns the stored pixels upright.
    pub(crate) orientation: Orientation,
    /// Whether the source is cropped to the shape of the output.
    pub(crate) crops: bool,
    stored: (u32, u32),
    shrunk_for: Option<Sides>,
}

impl Geometry {
    /// Translates the requested size into the frame of the stored pixels.
    pub(crate) fn plan(
        header: &Header,
        orientation: Orientation,
        resize: Option<Resize>,
        sides: Sides,
    ) -> Result<Self> {
        let stored = (header.width, header.height);
        let upright = if swaps(orientation) { (stored.1, stored.0) } else { stored };
        let asked = target(upright, resize.unwrap_or_default());
        let Sides { output, longest: bound, shrinks } = sides;
        let (width, height) = match shrinks {
            true => shrink_to_fit(asked, Some(bound), Some(bound)),
            false => asked,
        };
        if width > bound || height > bound {
            return Err(Error::limit(
                ErrorCode::OutputTooLarge,
                format!(
                    "{} holds at most {bound} pixels a side, not {width} × {height}; ask for a resize.",
                    output
                ),
                u64::from(width.max(height)),
                u64::from(bound),
            ));
        }
        Ok(Self {
            width,
            height,
            orientation,
            crops: resize.is_some_and(|resize| resize.fit == Fit::Cover),
            stored,
            shrunk_for: ((width, height) != asked).then_some(sides),
        })
    }

    /// The size of the output in the frame of the stored pixels.
    pub(crate) fn stored_target(&self) -> (u32, u32) {
        self.upright(self.width, self.height)
    }

    /// Whether the number of pixels changes.
    pub(crate) fn resizes(&self) -> bool {
        self.stored_target() != self.stored
    }

    /// The factor by which the sides are reduced during decoding: 1, 2, 4 or 8. The resampler then still has enough
    /// more pixels than the output (see [`REDUCTIONS`]) to make the same picture as from the full size.
    pub(crate) fn reduction(&self, header: &Header) -> u32 {
        let (width, height) = self.stored_target();
        let suffices = |stored: u32, side: u32, tenths: u32| {
            u64::from(stored) * 10 >= u64::from(side) * u64::from(tenths)
        };
        let found = REDUCTIONS.into_iter().find(|&(reduction, tenths)| {
            header.reducible
                && self.stored.0.min(self.stored.1) >= LEAST_REDUCED * reduction
                && suffices(self.stored.0, width, tenths)
                && suffices(self.stored.1, height, tenths)
        });
        found.map_or(1, |(reduction, _)| reduction)
    }

    /// The size of the picture within its reduced form. If a side is not a multiple of the reduction, the picture ends
    /// inside the last pixel.
    pub(crate) fn extent(&self, header: &Header) -> (f64, f64) {
        let reduction = f64::from(self.reduction(header));
        (f64::from(self.stored.0) / reduction, f64::from(self.stored.1) / reduction)
    }

    /// Swaps a stored size to an upright one, or back, if the orientation turns by 90°.
    pub(crate) fn upright(&self, width: u32, height: u32) -> (u32, u32) {
        if swaps(self.orientation) { (height, width) } else { (width, height) }
    }

    /// A warning if the output is smaller than requested.
    pub(crate) fn warning(&self) -> Option<Warning> {
        self.shrunk_for.map(|Sides { output, longest, .. }| {
            let message = format!("{output} holds at most {longest} pixels a side.");
            Warning::new("resized_to_fit", message)
        })
    }

    /// The peak memory of a call in bytes: the input, and the larger of "source and resized pixels" and "output pixels
    /// and what the encoder keeps per pixel". In a search by score, the encoded picture is decoded and compared as
    /// well.
    pub(crate) fn memory_estimate(&self, input_bytes: usize, header: &Header, cost: &Cost) -> u64 {
        let pixel = u64::from(header.bytes_per_pixel);
        let target = u64::from(self.width) * u64::from(self.height);
        let reduction = self.reduction(header);
        let (columns, rows) = (header.width.div_ceil(reduction), header.height.div_ceil(reduction));
        // A vector drawing has no source pixels.
        let source = if header.scalable { target } else { u64::from(columns) * u64::from(rows) };
        let decoder = if reduction > 1 { u64::from(header.width) * u64::from(header.height) } else { source };
        let decoding = source * pixel + decoder * u64::from(header.decoder_bytes_per_pixel);
        if let (2.., Some(animation)) = (header.frames, cost.animation) {
            // A frame is decoded beside the canvas and its previous state, and encoded beside its neighbors.
            let coding = target * (12 + animation);
            return input_bytes as u64 + decoding + source * 8 + coding;
        }
        // Pixels become RGBA for resizing, and for types that store no other kind.
        let is_gray_with_alpha = pixel == 2 && header.has_alpha;
        // Rows are shortened first, then reduced in number. 16-bit pixels are resized plane by plane.
        let between = u64::from(self.stored_target().0) * u64::from(rows);
        let resizing = match (self.resizes(), header.bit_depth) {
            (false, _) => 0,
            (true, 9..=16) => (source + target) * pixel + (source + between + target) * 2,
            (true, _) if is_gray_with_alpha => (source * 6).max((source + between + target) * 4),
            (true, _) => (source + between + target) * pixel,
        };
        let narrowing = if pixel > 4 { cost.narrowing } else { 0 };
        let widening = if is_gray_with_alpha { 4 } else { 0 };
        // In a search, the picture stays in memory beside its encoded form.
        let (original, coded) = match cost.prepared {
            None => (0, pixel),
            Some(prepared) => (pixel, prepared.max(pixel)),
        };
        let encoder = cost.encoder;
        // Deep pixels are flattened before they are converted to 8 bits.
        let flattening = if header.has_alpha && pixel > 4 { pixel } else { 0 };
        let encoding = target * (original + coded + narrowing + widening + encoder.max(flattening));
        let searching = match cost.is_scored {
            #[cfg(feature = "full")]
            true => {
                let reference_bytes = target * REFERENCE_BYTES_PER_PIXEL + metric::precomputed_bytes(target);
                reference_bytes + target * (original + coded + encoder.max(COMPARED_BYTES_PER_PIXEL))
            }
            _ => 0,
        };
        input_bytes as u64 + decoding.max(resizing).max(encoding).max(searching)
    }
}

/// The reductions during decoding, each with the smallest ratio (in tenths) of source side to output side. Scaled
/// decoding cuts off high frequencies more sharply than the resampler. These ratios were chosen so that both ways make
/// pictures with an SSIMULACRA2 score above 90 against each other.
const REDUCTIONS: [(u32, u32); 3] = [(8, 160), (4, 64), (2, 24)];

/// The shortest sides for scaled decoding. If a side is not a multiple of the reduction, the last pixel covers less
/// than the others and is weighted nearly the same; in small pictures that would be visible.
const LEAST_REDUCED: u32 = 32;

/// Bytes per pixel that a search by score keeps of the reference if it is not precomputed: RGBA, and the two best
/// files.
#[cfg(feature = "full")]
const REFERENCE_BYTES_PER_PIXEL: u64 = 10;

/// Bytes per pixel for the encoded picture: RGBA, the file, and its decoder.
#[cfg(feature = "full")]
const COMPARED_BYTES_PER_PIXEL: u64 = 20;

/// The highest quality that a search is expected to try. Above it, noise takes more memory than estimated.
const SEARCHED_QUALITY: u8 = 95;

/// The output size for an upright source.
fn target(source: (u32, u32), resize: Resize) -> (u32, u32) {
    let (source_width, source_height) = source;
    let asked = match (resize.width, resize.height) {
        (None, None) => source,
        (Some(width), None) => (width, scale(source_height, width, source_width)),
        (None, Some(height)) => (scale(source_width, height, source_height), height),
        (Some(width), Some(height)) => match resize.fit {
            Fit::Fill | Fit::Cover => (width, height),
            Fit::Inside => inside(source, width, height),
        },
    };
    shrink_to_fit(asked, resize.max_width, resize.max_height)
}

/// The largest size with the shape of `source` inside `width` × `height`.
fn inside(source: (u32, u32), width: u32, height: u32) -> (u32, u32) {
    let by_width = (width, scale(source.1, width, source.0));
    match by_width.1 <= height {
        true => by_width,
        false => (scale(source.0, height, source.1).min(width), height),
    }
}

fn shrink_to_fit(size: (u32, u32), max_width: Option<u32>, max_height: Option<u32>) -> (u32, u32) {
    let (max_width, max_height) = (max_width.unwrap_or(u32::MAX), max_height.unwrap_or(u32::MAX));
    match size.0 <= max_width && size.1 <= max_height {
        true => size,
        false => inside(size, max_width.min(size.0), max_height.min(size.1)),
    }
}

/// `side` × `numerator` / `denominator`, rounded, at least 1.
fn scale(side: u32, numerator: u32, denominator: u32) -> u32 {
    let (side, numerator, denominator) =
        (u64::from(side), u64::from(numerator), u64::from(denominator.max(1)));
    u32::try_from((side * numerator + denominator / 2) / denominator).unwrap_or(u32::MAX).max(1)
}
