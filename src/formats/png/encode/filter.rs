//! Chooses one filter for a photo, from some of its rows. Compressing all rows with each filter, and the best once more
//! at a higher level, would take more than half of the encoding time and gain less than 1 %.

use oxipng::{BitDepth, ColorType, Deflater, FilterStrategy, Options, RawImage};

/// The number of adjacent rows in a sampled band: filters need the row above.
const BAND: usize = 16;
/// One in this many bands is sampled.
const BANDS: usize = 12;
/// A picture of fewer bytes is compressed with every filter, which takes no time.
const LEAST_BYTES: usize = 1 << 18;
/// The filters that are tried: those of oxipng's level 2.
const FILTERS: [FilterStrategy; 4] =
    [FilterStrategy::NONE, FilterStrategy::SUB, FilterStrategy::Entropy, FilterStrategy::Bigrams];
/// A fast level at which filters can be compared.
const TRIAL_LEVEL: u8 = 5;
/// If the compressed size is below 1 / this of the original, the picture is a drawing: for drawings, trying every
/// filter and a higher level gain several per cent.
const DRAWING: usize = 8;
/// The first level of libdeflate with near-optimal parsing.
const LEVEL: u8 = 10;

/// The `options` for oxipng, reduced to one filter and [`LEVEL`]. Unchanged for small pictures, for drawings, and for
/// pictures that may get a palette, whose indices need another filter than their colors.
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

/// Rows filtered by one filter.
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

/// Whether the colors fit into a PNG palette.
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
