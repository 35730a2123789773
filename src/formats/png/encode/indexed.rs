//! Pictures with few colors. The palette order and the filter are chosen as in oxipng, but from sampled rows if these
//! are decisive. The picture is then compressed once, at a level for long matches.

use image::DynamicImage;
use oxipng::{BitDepth, ColorType, FilterStrategy, Options, RGBA8, RawImage};

use crate::error::Result;
use crate::formats::png::encode::{filter, palette_order};
use crate::pixels::palette::{self, Indexed};

/// The effort at which this is used. At other efforts oxipng does it, faster or smaller.
const EFFORT: u8 = 4;
/// Pictures with fewer pixels are left to oxipng, which takes no time.
const LEAST_PIXELS: usize = 1 << 16;
/// Pictures with up to this many colors take less than a byte per pixel, which oxipng compares with other depths.
const PACKED_COLORS: usize = 16;
/// The number of adjacent rows in a sampled band: filters need the row above.
const BAND: usize = 16;
/// One in this many bands is sampled.
const BANDS: usize = 6;
/// The level at which oxipng compares candidates.
const TRIAL_LEVEL: u8 = 7;
/// Sampled rows are decisive if the best candidate takes less than this share of the bytes of every other.
const DECISIVE_PERCENT: usize = 98;
/// The filters by which palette orders are compared.
const FIRST_FILTERS: [FilterStrategy; 2] = [FilterStrategy::NONE, FilterStrategy::Bigrams];
/// The filters that are also measured with the best order.
const OTHER_FILTERS: [FilterStrategy; 2] = [FilterStrategy::SUB, FilterStrategy::Entropy];
/// The level of libdeflate for long matches (`vendor/libdeflate-sys`).
const LEVEL: u8 = 9;
/// Fewer pixels make one or two deflate blocks, whose costs the fast passes of that level cannot estimate. A higher
/// level takes no time then.
const LEAST_BLOCKS: usize = 1 << 20;
/// If the compressed size is below 1 / this of the original, there are so many matches that only a deeper search finds
/// the best, and it takes little time.
const REPETITIVE: usize = 20;
const DEEP_LEVEL: u8 = 11;

/// A picture with a palette, and how to compress it.
pub(crate) struct Drawing {
    pub(crate) raw: RawImage,
    pub(crate) options: Options,
    /// The compressed size of the sampled rows. Can be compared with that of another version of the picture of the same
    /// size.
    pub(crate) trial: Option<usize>,
}

/// The colors of a picture for which the choice is worthwhile. `grays` says whether opaque grays need no palette.
pub(crate) fn colors(image: &DynamicImage, grays: bool, effort: u8) -> Option<Indexed> {
    let pixels = image.width() as usize * image.height() as usize;
    if effort != EFFORT || pixels < LEAST_PIXELS {
        return None;
    }
    let (samples, channels) = match image {
        DynamicImage::ImageRgb8(image) => (image.as_raw(), 3),
        DynamicImage::ImageRgba8(image) => (image.as_raw(), 4),
        _ => return None,
    };
    let indexed = palette::exact(samples, channels, 256)?;
    let is_gray = |[r, g, b, a]: &[u8; 4]| r == g && g == b && *a == u8::MAX;
    let is_left = indexed.colors.len() <= PACKED_COLORS || grays && indexed.colors.iter().all(is_gray);
    (!is_left).then_some(indexed)
}

/// Chooses how to compress a picture with these colors, from [`colors`] or another quantization.
pub(crate) fn of(indexed: Indexed, width: u32, height: u32, effort: u8) -> Result<Drawing> {
    let Indexed { colors, indices } = indexed;
    let is_tried = effort == EFFORT && indices.len() >= LEAST_PIXELS && colors.len() > PACKED_COLORS;
    let Some(Choice { order, filter, share, length }) =
        is_tried.then(|| choose(&colors, &indices, width as usize)).flatten()
    else {
        let raw = RawImage::new(width, height, of_palette(&colors), BitDepth::Eight, indices);
        return Ok(Drawing {
            raw: raw.map_err(super::failed)?,
            options: super::options(effort),
            trial: None,
        });
    };
    let is_quick = share < REPETITIVE && indices.len() >= LEAST_BLOCKS;
    let level = if is_quick { LEVEL } else { DEEP_LEVEL };
    let colors: Vec<_> = order.iter().map(|index| colors[usize::from(*index)]).collect();
    let raw = RawImage::new(
        width,
        height,
        of_palette(&colors),
        BitDepth::Eight,
        palette_order::remap(&indices, &order),
    );
    let options = filter::one_filter(filter, level);
    Ok(Drawing { raw: raw.map_err(super::failed)?, options, trial: Some(length) })
}

struct Choice {
    order: Vec<u8>,
    filter: FilterStrategy,
    /// The compressed size of the sampled rows.
    length: usize,
    /// How many bytes of all rows one byte of the sampled rows stands for.
    share: usize,
}

/// A palette order and a filter.
type Candidate = (Vec<u8>, FilterStrategy);
/// The compressed size of some rows for one candidate.
type Measured = (usize, Candidate);

/// As in oxipng's level 2: first the order, compared by two filters, then the filter.
fn choose(colors: &[[u8; 4]], indices: &[u8], width: usize) -> Option<Choice> {
    let bands = indices.chunks(width * BAND).skip(BANDS / 2).step_by(BANDS);
    let sample: Vec<u8> = bands.flatten().copied().collect();
    let orders = palette_order::candidates(colors, indices, width);
    let with = |filters: &[FilterStrategy], orders: &[Vec<u8>]| -> Vec<Candidate> {
        let pairs = orders.iter().flat_map(|order| filters.iter().map(move |filter| (order, filter)));
        pairs.map(|(order, filter)| (order.clone(), filter.clone())).collect()
    };
    let first = lengths(with(&FIRST_FILTERS, &orders), &sample, width);
    let (length, candidate) = best(first, indices, width)?;
    let mut second = lengths(with(&OTHER_FILTERS, std::slice::from_ref(&candidate.0)), &sample, width);
    second.push((length, candidate));
    let (length, (order, filter)) = best(second, indices, width)?;
    Some(Choice { order, filter, length, share: sample.len() / length.max(1) })
}

/// The best candidate and its compressed size, on the sampled rows if they are decisive, otherwise on all rows.
fn best(mut measured: Vec<Measured>, indices: &[u8], width: usize) -> Option<Measured> {
    let length = measured.iter().map(|(length, _)| *length).min()?;
    measured.retain(|(other, _)| length * 100 > other * DECISIVE_PERCENT);
    if measured.len() > 1 {
        measured = lengths(measured.into_iter().map(|(_, candidate)| candidate).collect(), indices, width);
    }
    Some((length, measured.into_iter().min_by_key(|(length, _)| *length)?.1))
}

/// The compressed size of the rows for each candidate.
fn lengths(candidates: Vec<Candidate>, indices: &[u8], width: usize) -> Vec<Measured> {
    candidates
        .into_iter()
        .filter_map(|(order, filter)| {
            let colors = vec![[u8::MAX; 4]; order.len()];
            let rows = u32::try_from(indices.len() / width).ok()?;
            let raw = RawImage::new(
                u32::try_from(width).ok()?,
                rows,
                of_palette(&colors),
                BitDepth::Eight,
                palette_order::remap(indices, &order),
            );
            let options = filter::one_filter(filter.clone(), TRIAL_LEVEL);
            Some((raw.ok()?.create_optimized_png(&options).ok()?.len(), (order, filter)))
        })
        .collect()
}

fn of_palette(colors: &[[u8; 4]]) -> ColorType {
    ColorType::Indexed { palette: colors.iter().map(|&[r, g, b, a]| RGBA8::new(r, g, b, a)).collect() }
}
