//! The one filter that suits a photo, found on some of its rows. To code all rows by each filter, only to keep the best, and to
//! code those once more at a deeper level, takes more than half of the time of an encoding and gains less than 1 %.

use oxipng::{BitDepth, ColorType, Deflater, FilterStrategy, Options, RawImage};

/// As many rows lie together, so that a filter has rows above to look at.
const BAND: usize = 16;
/// Of so many bands one is looked at.
const BANDS: usize = 12;
/// A picture of fewer bytes is coded by every filter: that takes no time.
const LEAST_BYTES: usize = 1 << 18;
/// What is tried, as oxipng does at its level 2.
const FILTERS: [FilterStrategy; 4] =
    [FilterStrategy::NONE, FilterStrategy::SUB, FilterStrategy::Entropy, FilterStrategy::Bigrams];
/// A level at which filters can be compared, and which is fast.
const TRIAL_LEVEL: u8 = 5;
/// Where no more than a share of 1 / so much of the bytes is left it is a drawing: each of its filters, and a deeper level, gain
/// several per cent.
const DRAWING: usize = 8;
/// The first level of libdeflate that looks for the best of all ways to code.
const LEVEL: u8 = 10;

/// `options` of oxipng with one filter and [`LEVEL`]; as they are, where the picture is small, is a drawing, or may become one of a
/// palette: then another filter suits it than its colors.
pub(crate) fn choose(options: Options, color: &ColorType, width: u32, data: &[u8]) -> Options {
    let channels = match color {
        ColorType::RGB { .. } => 3,
        ColorType::RGBA => 4,
        _ => return options,
    };
    if data.len() < LEAST_BYTES || has_few_colors(data, channels) {
        return options;
    }
    let row = width as usize * channels;
    let bands = data.chunks(row * BAND).skip(BANDS / 2).step_by(BANDS);
    let sample: Vec<u8> = bands.flatten().copied().collect();
    let tried = FILTERS.into_iter().filter_map(|filter| {
        let trial = one_filter(filter.clone(), TRIAL_LEVEL);
        let rows = u32::try_from(sample.len() / row).ok()?;
        let raw = RawImage::new(width, rows, color.clone(), BitDepth::Eight, sample.clone()).ok()?;
        raw.create_optimized_png(&trial).ok().map(|coded| (coded.len(), filter))
    });
    match tried.min_by_key(|(length, _)| *length) {
        Some((length, filter)) if length * DRAWING > sample.len() => {
            let Options { filters, deflater, .. } = one_filter(filter, LEVEL);
            Options { filters, deflater, ..options }
        }
        _ => options,
    }
}

/// Rows as they are, by one filter.
pub(crate) fn one_filter(filter: FilterStrategy, level: u8) -> Options {
    Options {
        filters: [filter].into_iter().collect(),
        deflater: Deflater::Libdeflater { compression: level },
        bit_depth_reduction: false,
        color_type_reduction: false,
        palette_reduction: false,
        grayscale_reduction: false,
        ..Options::default()
    }
}

/// Whether a palette of PNG could hold all colors.
fn has_few_colors(data: &[u8], channels: usize) -> bool {
    let mut known: Vec<&[u8]> = Vec::new();
    let mut last: &[u8] = &[];
    for pixel in data.chunks_exact(channels).filter(|pixel| *pixel != std::mem::replace(&mut last, pixel)) {
        if let Err(place) = known.binary_search(&pixel) {
            known.insert(place, pixel);
        }
        if known.len() > 256 {
            return false;
        }
    }
    true
}
