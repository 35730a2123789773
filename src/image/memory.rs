//! Estimates the peak memory of a call from the header, before anything that grows with the image is allocated.
//! `Source::open` checks the estimate against the limit `maxMemoryBytes`. The bytes per pixel of a codec are in its
//! `formats/*/mod.rs`: `encoder_bytes`, `narrowing_bytes`, `prepared_bytes`. The planner's guess from the first bytes of a
//! file is in `job/memory_hint.rs`; it only decides how many jobs run at once.

use crate::formats::decode::{ColorModel, Header};
use crate::formats::{Encoding, Tables, Traits, codec_of};
use crate::image::geometry::Geometry;
#[cfg(feature = "full")]
use crate::image::metric;
use crate::image::{resize, resized_rows};
use crate::job::{LocalJob, RateControl};

/// Memory that a job needs, in bytes per pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Bytes that the encoder keeps beside the pixel itself.
    pub(crate) encoder: u64,
    /// The encoder pads both sides to a multiple of this; 0 and 1: it does not.
    pub(crate) block: u32,
    /// The encoder's tables.
    pub(crate) tables: Tables,
    /// Whether the encoder takes the picture row by row.
    pub(crate) takes_rows: bool,
    /// Bytes for converting deep pixels to 8 bits.
    pub(crate) narrowing: u64,
    /// Bytes that are kept between the encodings of a search.
    pub(crate) prepared: Option<u64>,
    /// For animations: bytes that the encoder keeps beside the frames.
    pub(crate) animation: Option<u64>,
    /// Whether each result is decoded and compared (a search by score).
    pub(crate) is_scored: bool,
    /// Whether a JPEG stays as coefficients, all of which are held.
    pub(crate) is_transcoded: bool,
    /// Whether gray pixels get the colors of what is laid over them.
    pub(crate) is_recolored: bool,
}

impl Cost {
    /// The memory that a job needs.
    pub(crate) fn of(job: &LocalJob) -> Self {
        let cost = Self::of_encoding(job.encoding, job.rate_control);
        // Other outputs are still.
        let is_animated = job.encoding.has(Traits::ANIMATION) || job.encoding.media() == job.input;
        let is_lossless = job.encoding.has(Traits::TRANSCODE) && job.encoding.quality().is_none();
        let is_transcoded = is_lossless && job.encoding.media() == job.input;
        Self { animation: cost.animation.filter(|_| is_animated), is_transcoded, ..cost }
    }

    /// The memory that a picture of this encoding needs.
    pub(crate) fn of_encoding(encoding: Encoding, rate_control: RateControl) -> Self {
        let codec = codec_of(encoding.media());
        let quality = encoding.quality();
        let is_searched = rate_control != RateControl::Settings;
        Self {
            encoder: encoding.encoder_bytes(if is_searched { SEARCHED_QUALITY } else { u8::MAX }),
            block: codec.encoder_block,
            tables: (encoding.format().encoder_tables)(encoding.effort()),
            takes_rows: !is_searched && quality.is_some() && codec.write_rows.is_some(),
            narrowing: codec.narrowing_bytes,
            prepared: is_searched.then_some(if quality.is_some() { codec.prepared_bytes } else { 0 }),
            #[cfg(feature = "core")]
            animation: codec.write_frames.as_ref().map(|animation| (animation.bytes_per_pixel)(quality)),
            #[cfg(not(feature = "core"))]
            animation: None,
            is_scored: matches!(rate_control, RateControl::Score(_)),
            is_transcoded: false,
            is_recolored: false,
        }
    }
}

/// The bytes that a decoder of rows decompresses ahead, at most.
const MOST_AHEAD: u64 = 512 << 10;

impl Geometry {
    /// The peak memory of a call whose picture passes in bands, in bytes: the input, and what the decoder and the encoder keep.
    pub(crate) fn memory_estimate_in_bands(
        &self,
        input_bytes: usize,
        header: &Header,
        decoder: u64,
        cost: &Cost,
    ) -> u64 {
        let resizing = if self.resizes() { self.band_estimate(header) } else { 0 };
        let encoder = u64::from(self.width) * u64::from(self.height) * cost.encoder;
        input_bytes as u64 + decoder + resizing + encoder
    }

    /// The bytes of the rows that one of the output is made from, and of those that are decoded at once.
    fn band_estimate(&self, header: &Header) -> u64 {
        let area = |width: u32, height: u32| u64::from(width) * u64::from(height);
        let reduction = self.reduction(header);
        let (columns, rows) = (header.width.div_ceil(reduction), header.height.div_ceil(reduction));
        let (bytes, read) = (header.bytes_per_pixel, area(columns, rows.min(resized_rows::ROWS)));
        let ahead = (area(columns, rows) * u64::from(bytes)).min(MOST_AHEAD);
        resizer_memory(header, (columns, rows), self.stored_target()) + read * u64::from(bytes) + ahead
    }

    /// The peak memory of a call whose picture is resized in bands, and whole after that. `decoder` is what the decoder keeps.
    pub(crate) fn memory_estimate_of_bands(
        &self,
        input_bytes: usize,
        header: &Header,
        decoder: u64,
        cost: &Cost,
    ) -> u64 {
        let resized = self.unpadded_area() * u64::from(header.bytes_per_pixel);
        let resizing = decoder + self.band_estimate(header) + resized;
        input_bytes as u64 + resizing.max(self.memory_after_resizing(header, cost))
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
        let source =
            if header.scalable { self.unpadded_area() } else { u64::from(columns) * u64::from(rows) };
        // The part that is kept, and its rows.
        let (kept, kept_rows) = match self.crops() && !header.scalable {
            true => {
                let rows = self.part.height.div_ceil(reduction) + 1;
                (u64::from(self.part.width.div_ceil(reduction) + 1) * u64::from(rows), rows)
            }
            false => (source, rows),
        };
        let cutting = if kept < source { (source + kept) * pixel } else { 0 };
        let decoding = match cost.is_transcoded {
            true => coefficient_bytes(header),
            false => source * pixel + header.decoder_bytes,
        };
        if let (2.., Some(animation)) = (header.frames, cost.animation) {
            // A frame is decoded beside the canvas and its previous state, and encoded beside its neighbors. The canvas is copied to be
            // resized. One without alpha is widened to RGBA.
            let widened = if pixel < 4 { source * 4 } else { 0 };
            let encoder = target * (12 + animation) + cost.tables.bytes(target);
            let coding = encoder + self.padding_estimate(header, cost).0;
            return input_bytes as u64 + decoding + widened + source * 12 + coding;
        }
        // Pixels become RGBA for resizing.
        let resizing = self.resizing_estimate(header, kept, kept_rows);
        let after = self.memory_after_resizing(header, cost);
        input_bytes as u64 + decoding.max(cutting).max(resizing).max(after)
    }

    /// The larger of what padding takes, and "output pixels and what the encoder keeps per pixel".
    fn memory_after_resizing(&self, header: &Header, cost: &Cost) -> u64 {
        let target = u64::from(self.width) * u64::from(self.height);
        let (padding, pixel) = self.padding_estimate(header, cost);
        let narrowing = if pixel > 4 { cost.narrowing } else { 0 };
        // Gray with alpha becomes RGBA for types that store no other kind, and gray that is padded can have alpha.
        let is_widened = is_gray_with_alpha(header) || self.pads() && header.bytes_per_pixel == 1;
        let widening = if is_widened { 4 } else { 0 };
        // In a search, the picture stays in memory beside its encoded form.
        let (original, coded) = match cost.prepared {
            None => (0, pixel),
            Some(prepared) => (pixel, prepared.max(pixel)),
        };
        let side = |side: u32| u64::from(side.next_multiple_of(cost.block.max(1)));
        let encoder = side(self.width) * side(self.height) * cost.encoder;
        // Deep pixels are flattened before they are converted to 8 bits.
        let flattening = if header.has_alpha && pixel > 4 { pixel } else { 0 };
        let tables = cost.tables.bytes(target);
        let encoding =
            target * (original + coded + narrowing + widening) + encoder.max(target * flattening) + tables;
        let searching = match cost.is_scored {
            #[cfg(feature = "full")]
            true => {
                let reference_bytes = target * REFERENCE_BYTES_PER_PIXEL + metric::precomputed_bytes(target);
                let comparing = encoder.max(target * COMPARED_BYTES_PER_PIXEL);
                reference_bytes + target * (original + coded) + comparing + tables
            }
            _ => 0,
        };
        padding.max(encoding).max(searching)
    }

    /// The peak memory in bytes while the place that a crop keeps is looked for, before the picture is decoded for its output.
    #[cfg(feature = "pictures")]
    pub(crate) fn searching_estimate(&self, input_bytes: usize, header: &Header) -> u64 {
        self.strategy.map_or(0, |_| self.overview().memory_estimate(input_bytes, header, &Cost::default()))
    }

    /// This build looks for nothing.
    #[cfg(not(feature = "pictures"))]
    pub(crate) fn searching_estimate(&self, _: usize, _: &Header) -> u64 {
        0
    }

    /// The pixels of the output without its padding.
    fn unpadded_area(&self) -> u64 {
        u64::from(self.place.width) * u64::from(self.place.height)
    }

    /// The bytes of the resize stage, for `kept` source pixels in some rows.
    fn resizing_estimate(&self, header: &Header, kept: u64, kept_rows: u32) -> u64 {
        let (pixel, target) = (u64::from(header.bytes_per_pixel), self.unpadded_area());
        let (width, height) = self.stored_target();
        let columns = kept / u64::from(kept_rows.max(1));
        match (self.resizes(), header.decoded_depth()) {
            (false, _) => 0,
            // Of linear light, rows are shortened, or reduced in number, in the order that takes less.
            #[cfg(feature = "full")]
            (true, 17..) => {
                let shortened = u64::from(width) * u64::from(kept_rows);
                let reduced = columns * u64::from(height);
                let taps = resize::tap_bytes(columns as u32, width) + resize::tap_bytes(kept_rows, height);
                (kept + shortened.min(reduced) + target) * pixel + taps
            }
            (true, _) => {
                // Gray with alpha becomes RGBA.
                let is_widened = is_gray_with_alpha(header);
                let header = Header {
                    bytes_per_pixel: if is_widened { 4 } else { header.bytes_per_pixel },
                    ..*header
                };
                let rows = resizer_memory(&header, (columns as u32, kept_rows), (width, height));
                match is_widened {
                    true => (kept * 6).max((kept + target) * 4 + rows),
                    false => (kept + target) * pixel + rows,
                }
            }
        }
    }

    /// The bytes of the pad and overlay stages, and those of each pixel after them: they can add colors, and padding alpha.
    fn padding_estimate(&self, header: &Header, cost: &Cost) -> (u64, u64) {
        if !self.pads() && !cost.is_recolored {
            return (0, header.bytes_per_pixel.into());
        }
        let pixel = match header.decoded_depth() {
            ..=8 => 4,
            9..=16 => 8,
            _ => 16,
        };
        ((self.unpadded_area() + u64::from(self.width) * u64::from(self.height)) * pixel, pixel)
    }
}

/// The bytes of what resizes the rows of a picture, from a size to another.
fn resizer_memory(header: &Header, from: (u32, u32), to: (u32, u32)) -> u64 {
    let pixel = header.bytes_per_pixel;
    #[cfg(feature = "pictures")]
    if header.decoded_depth() > 8 || pixel > 4 {
        return resize::deep_memory(usize::from(pixel / 2), from, to);
    }
    // Each component of a JPEG has its own weights, and the window of chroma covers a pixel of the output more: 7 steps instead of 6.
    let (pixel, halves) = if header.color_model == ColorModel::Ycbcr { (1, 7) } else { (pixel, 2) };
    resize::memory(pixel, from, to) * halves / 2
}

/// The bytes of the coefficients of a JPEG whose components all have its resolution: two a coefficient. Those of one component are held
/// twice while they are unpacked, cropped or turned; three bytes cover that, and what was packed of the others.
fn coefficient_bytes(header: &Header) -> u64 {
    let components = match header.color_model {
        ColorModel::Gray => 1,
        ColorModel::Rgb | ColorModel::Ycbcr => 3,
        ColorModel::Cmyk => 4,
    };
    u64::from(header.width) * u64::from(header.height) * (2 * components + 3)
}

/// Whether pixels have 8 bits of gray and 8 of alpha.
fn is_gray_with_alpha(header: &Header) -> bool {
    header.bytes_per_pixel == 2 && header.has_alpha
}

/// Bytes per pixel that a search by score keeps of the reference if it is not precomputed: RGBA, and the two best
/// files.
#[cfg(feature = "full")]
const REFERENCE_BYTES_PER_PIXEL: u64 = 10;

/// Bytes per pixel for the encoded picture: RGBA, the file, and its decoder.
#[cfg(feature = "full")]
const COMPARED_BYTES_PER_PIXEL: u64 = 20;

/// The highest quality that a search is expected to try. Above it, noise takes more memory than estimated.
const SEARCHED_QUALITY: u8 = 95;
