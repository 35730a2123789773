//! Converts samples to pixels: palettes, CMYK, YCbCr and CIE Lab become RGB.

use image::{DynamicImage, ImageBuffer, Luma, LumaA, Rgb, Rgba};

use crate::containers::tiff_ifd::Directory;
use crate::containers::tiff_tags as tag;
use crate::error::Result;
use crate::formats::tiff::decode::corrupt;
use crate::formats::tiff::decode::field_values::{Alpha, Format, Model};
use crate::formats::tiff::decode::layout::Layout;
use crate::formats::tiff::decode::samples::Samples;
use crate::pixels::srgb;

/// Red, green and blue from 0 to 65,535. Equal values for gray.
type Color = [u16; 3];

/// Converts the samples of a pixel to a color.
type Converter = Box<dyn Fn(&[u16]) -> Color>;

/// Converts all samples to pixels: 8-bit if the samples have no more bits, otherwise 16-bit.
pub(crate) fn image(page: &Directory, layout: &Layout, samples: Samples) -> Result<DynamicImage> {
    let (width, height) = (layout.width, layout.height);
    let gray = matches!(layout.model, Model::Gray | Model::InvertedGray);
    let kept = if gray { 1 } else { 3 };
    let channels = kept + usize::from(layout.alpha != Alpha::None);
    let wide = layout.is_wide();
    let (narrow_samples, wide_samples) = match is_plain(layout) {
        true if wide => (Vec::new(), samples.into_shorts()),
        true => (samples.into_bytes(), Vec::new()),
        false => {
            let convert = converter(page, layout)?;
            let count = width as usize * height as usize * channels;
            let (mut bytes, mut shorts) = (Vec::new(), Vec::new());
            if wide {
                shorts.reserve_exact(count)
            } else {
                bytes.reserve_exact(count)
            };
            let mut row = vec![0; width as usize * layout.samples];
            for y in 0..height as usize {
                samples.row(layout, y, layout.model == Model::Palette, &mut row);
                for pixel in row.chunks_exact(layout.samples) {
                    let [r, g, b] = convert(pixel);
                    let alpha =
                        pixel.get(layout.model.channels()).map_or(u16::MAX, |&alpha| full(alpha, layout));
                    let pixel = match layout.alpha {
                        Alpha::Associated => {
                            [unpremultiply(r, alpha), unpremultiply(g, alpha), unpremultiply(b, alpha), alpha]
                        }
                        _ => [r, g, b, alpha],
                    };
                    let chosen = pixel[..kept].iter().chain(&pixel[3..][..channels - kept]);
                    match wide {
                        true => shorts.extend(chosen),
                        false => bytes.extend(chosen.map(|&sample| ((u32::from(sample) + 128) / 257) as u8)),
                    }
                }
            }
            (bytes, shorts)
        }
    };
    match (channels, wide) {
        (1, false) => ImageBuffer::<Luma<u8>, _>::from_raw(width, height, narrow_samples).map(Into::into),
        (2, false) => ImageBuffer::<LumaA<u8>, _>::from_raw(width, height, narrow_samples).map(Into::into),
        (3, false) => ImageBuffer::<Rgb<u8>, _>::from_raw(width, height, narrow_samples).map(Into::into),
        (_, false) => ImageBuffer::<Rgba<u8>, _>::from_raw(width, height, narrow_samples).map(Into::into),
        (1, true) => ImageBuffer::<Luma<u16>, _>::from_raw(width, height, wide_samples).map(Into::into),
        (2, true) => ImageBuffer::<LumaA<u16>, _>::from_raw(width, height, wide_samples).map(Into::into),
        (3, true) => ImageBuffer::<Rgb<u16>, _>::from_raw(width, height, wide_samples).map(Into::into),
        (_, true) => ImageBuffer::<Rgba<u16>, _>::from_raw(width, height, wide_samples).map(Into::into),
    }
    .ok_or_else(|| corrupt("its size is not what its fields say"))
}

/// Whether the samples are pixels without a conversion.
fn is_plain(layout: &Layout) -> bool {
    let channels = layout.model.channels() + usize::from(layout.alpha == Alpha::Unassociated);
    matches!(layout.model, Model::Gray | Model::Rgb)
        && layout.alpha != Alpha::Associated
        && layout.format == Format::Unsigned
        && matches!(layout.bits, 8 | 16)
        && !layout.planar
        && layout.samples == channels
}

/// Alpha from 0 to 65,535. With a palette, samples are unscaled.
fn full(alpha: u16, layout: &Layout) -> u16 {
    match layout.model {
        Model::Palette => (u32::from(alpha) * 65_535 / ((1 << layout.bits) - 1)) as u16,
        _ => alpha,
    }
}

/// Divides a color by its premultiplied alpha.
fn unpremultiply(color: u16, alpha: u16) -> u16 {
    let alpha = u32::from(alpha.max(1));
    ((u32::from(color) * 65_535 + alpha / 2) / alpha).min(65_535) as u16
}

fn converter(page: &Directory, layout: &Layout) -> Result<Converter> {
    Ok(match layout.model {
        Model::Gray => Box::new(|samples| [samples[0]; 3]),
        Model::InvertedGray => Box::new(|samples| [!samples[0]; 3]),
        Model::Rgb => Box::new(|samples| [samples[0], samples[1], samples[2]]),
        Model::Palette => {
            let colors = palette(page, layout)?;
            Box::new(move |samples| colors.get(usize::from(samples[0])).copied().unwrap_or_default())
        }
        // Without a profile of the inks: each ink absorbs its share of the light, and so does black.
        Model::Cmyk => Box::new(|samples| {
            let light = |ink: u16| u32::from(!ink);
            [0, 1, 2].map(|ink| ((light(samples[ink]) * light(samples[3]) + 32_767) / 65_535) as u16)
        }),
        Model::Ycbcr => {
            let ycbcr = Ycbcr::of(page, layout);
            Box::new(move |samples| ycbcr.rgb(samples))
        }
        Model::Lab | Model::IccLab => {
            let (deep, signed) = (layout.bits == 16, layout.model == Model::Lab);
            Box::new(move |samples| lab([samples[0], samples[1], samples[2]], deep, signed))
        }
    })
}

/// The red values of all entries, then green, then blue (section 5).
fn palette(page: &Directory, layout: &Layout) -> Result<Vec<Color>> {
    let map = page.numbers(tag::COLOR_MAP).ok_or_else(|| corrupt("it has no palette"))?;
    let map: Vec<u16> = map.map(|number| number as u16).collect();
    let count = map.len() / 3;
    if count == 0 || count > 1 << layout.bits {
        return Err(corrupt("its palette is not of the size that its samples ask for"));
    }
    // Some writers use 255 as the maximum.
    let scale = if map.iter().all(|&number| number < 256) { 257 } else { 1 };
    Ok((0..count).map(|at| [at, count + at, 2 * count + at].map(|at| map[at] * scale)).collect())
}

/// Sections 21 and 20, "ReferenceBlackWhite".
struct Ycbcr {
    /// The weights of red, green and blue in luma.
    luma: [f64; 3],
    /// For luma and both chroma components: the code for 0, and the value of one step.
    ranges: [(f64, f64); 3],
}

impl Ycbcr {
    fn of(page: &Directory, layout: &Layout) -> Self {
        let luma = match *page.reals(tag::YCBCR_COEFFICIENTS) {
            [r, g, b] if r > 0.0 && g > 0.0 && b > 0.0 && r + g + b < 1.1 => [r, g, b],
            _ => [0.299, 0.587, 0.114],
        };
        let full = ((1u64 << layout.bits.min(32)) - 1) as f64;
        let middle = (full + 1.0) / 2.0;
        let reference = match *page.reals(tag::REFERENCE_BLACK_WHITE) {
            [a, b, c, d, e, f] if b > a && d > c && f > e => [(a, b), (c, d), (e, f)],
            _ => [(0.0, full), (middle, full), (middle, full)],
        };
        // Samples are scaled to 65,535.
        let unit = 65_535.0 / full;
        let ranges = [1.0, 0.5, 0.5].map(|share| share * 65_535.0);
        let range = |at: usize| {
            let (black, white): (f64, f64) = reference[at];
            let reach = if at == 0 { ranges[at] } else { ranges[at] - unit / 2.0 };
            (black * unit, reach / ((white - black) * unit))
        };
        Self { luma, ranges: [range(0), range(1), range(2)] }
    }

    fn rgb(&self, samples: &[u16]) -> Color {
        let value = |at: usize| (f64::from(samples[at]) - self.ranges[at].0) * self.ranges[at].1;
        let (y, cb, cr) = (value(0), value(1), value(2));
        let [red, green, blue] = self.luma;
        let r = y + cr * (2.0 - 2.0 * red);
        let b = y + cb * (2.0 - 2.0 * blue);
        let g = (y - red * r - blue * b) / green;
        [r, g, b].map(|color| (color + 0.5) as u16)
    }
}

/// Converts CIE L*a*b* (section 23; ICC.1:2022, 6.3.4) to sRGB.
fn lab([l, a, b]: [u16; 3], deep: bool, signed: bool) -> Color {
    let opponent = |sample: u16| match (deep, signed) {
        (true, true) => f64::from(sample as i16) / 256.0,
        (false, true) => f64::from((sample >> 8) as u8 as i8),
        (true, false) => f64::from(sample) / 256.0 - 128.0,
        (false, false) => f64::from(sample >> 8) - 128.0,
    };
    // In 16-bit samples, 65,280 is white, not 65,535.
    let white = if deep && !signed { 65_280.0 } else { 65_535.0 };
    let y = (f64::from(l) / white * 100.0 + 16.0) / 116.0;
    let cube = |t: f64| if t > 6.0 / 29.0 { t * t * t } else { (t - 4.0 / 29.0) * (108.0 / 841.0) };
    // The white point of D50.
    let x = cube(y + opponent(a) / 500.0) * 0.964_22;
    let z = cube(y - opponent(b) / 200.0) * 0.825_21;
    let y = cube(y);
    // XYZ of D50 to linear sRGB, adapted by Bradford.
    [
        3.133_856_1 * x - 1.616_866_7 * y - 0.490_614_6 * z,
        -0.978_768_4 * x + 1.916_141_5 * y + 0.033_454_0 * z,
        0.071_945_3 * x - 0.228_991_4 * y + 1.405_242_7 * z,
    ]
    .map(|light| (srgb::encode_clamped(light as f32) * 65_535.0 + 0.5) as u16)
}
