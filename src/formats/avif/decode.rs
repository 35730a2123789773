//! AVIF by `filepress_av1`. `isobmff` reads the boxes.
//!
//! Pixels are upright: in AVIF, rotation is a property of the picture, not metadata. 8 bits stay 8; 10 and 12 bits
//! become 16. HDR pictures (PQ, HLG) become linear light.
//! Limits: of an image sequence, the primary picture is decoded. Gain maps, depth maps and lower layers are ignored.

mod colors;
mod pixel_rows;
mod planes;

use filepress_av1::PADDING;
use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer, Pixel};

use crate::containers::isobmff::{Coding, Item, Items, Parts, Picture, damaged, unsupported};
use crate::error::Result;
use crate::formats::decode::{ColorModel, Header, bytes_of_pixels};
use crate::formats::rows::Rows;
use crate::limits::Limits;
use crate::metadata;
use crate::pixels::{hdr_transfer, orient, part};
use pixel_rows::PixelRows;
use planes::{BUFFERS, Planes};

/// The matrix coefficients of ITU-T H.273 for RGB without a conversion.
const IDENTITY: u16 = 0;

pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let items = items(bytes)?;
    let picture = Picture::read(bytes, &items)?;
    let target = Target::of(&picture);
    let coding = picture.color.coding;
    let (width, height) = match part::swaps(picture.orientation) {
        true => (picture.crop.height, picture.crop.width),
        false => (picture.crop.width, picture.crop.height),
    };
    Ok(Header {
        width,
        height,
        frames: picture.frames,
        scalable: false,
        reducible: false,
        has_alpha: target.has_alpha,
        color_model: match target.has_color {
            false => ColorModel::Gray,
            true if picture.colors.matrix == IDENTITY && !coding.gray => ColorModel::Rgb,
            true => ColorModel::Ycbcr,
        },
        bit_depth: coding.depth,
        bytes_per_pixel: target.bytes_per_pixel(),
        decoder_bytes: decoder_bytes(&picture, &target),
    })
}

pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    let items = items(bytes)?;
    let picture = Picture::read(bytes, &items)?;
    let target = Target::of(&picture);
    let pixels = u64::from(picture.crop.width) * u64::from(picture.crop.height);
    let kept = pixels * u64::from(target.bytes_per_pixel());
    let mut rows = decode(bytes, &items, &picture, kept, limits)?;
    let (width, height) = (picture.crop.width, picture.crop.height);
    let mut samples = Samples::new(&target, width as usize * height as usize);
    while let Some(row) = rows.next_row() {
        samples.push(row);
    }
    drop(rows);
    let image = samples.image(&target, width, height).ok_or_else(|| damaged("it has too few pixels"))?;
    Ok(orient::apply(image, picture.orientation))
}

/// Whether [`rows`] reads a file: it is not gray with alpha, it is stored upright, and it has no linear light.
pub(crate) fn has_rows(bytes: &[u8]) -> bool {
    let picture = |items: Items<'_>| {
        Picture::read(bytes, &items).ok().map(|found| (found.orientation, Target::of(&found)))
    };
    items(bytes).ok().and_then(picture).is_some_and(|(orientation, target)| {
        orientation == Orientation::NoTransforms && target.light.is_none() && target.channels() != 2
    })
}

/// The rows of the picture, as [`pixels`] gives them. Its planes are decoded here.
pub(crate) fn rows<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Rows<'a>> {
    let items = items(bytes)?;
    let picture = Picture::read(bytes, &items)?;
    let rows = Box::new(decode(bytes, &items, &picture, 0, limits)?);
    Ok(if Target::of(&picture).is_deep { Rows::Deep(rows) } else { Rows::Narrow(rows) })
}

/// Decodes the planes. `kept`: the bytes of pixels that will be in memory beside them.
fn decode(
    bytes: &[u8],
    items: &Items<'_>,
    picture: &Picture<'_>,
    kept: u64,
    limits: &Limits,
) -> Result<PixelRows> {
    check(bytes, items, picture, kept, limits)?;
    let mut held = kept.saturating_add(bytes.len() as u64);
    let color = Planes::decode(items, &picture.color, &mut held, limits)?;
    let alpha = picture.alpha.as_ref();
    let alpha = alpha.map(|tiles| Planes::decode(items, tiles, &mut held, limits)).transpose()?;
    PixelRows::new(picture, &Target::of(picture), color, alpha)
}

fn items(bytes: &[u8]) -> Result<Items<'_>> {
    let has = |kind| Parts(bytes).first(kind).is_some();
    Items::read(bytes).ok_or_else(|| match has(b"moov") && !has(b"meta") {
        true => unsupported("it has an image sequence only"),
        false => damaged("its list of items cannot be read"),
    })
}

/// The header describes what is displayed; more may have to be decoded for it. The planes of color and alpha and the
/// pixels that are kept are in memory together.
fn check(bytes: &[u8], items: &Items<'_>, picture: &Picture<'_>, kept: u64, limits: &Limits) -> Result<()> {
    for tiles in std::iter::once(&picture.color).chain(&picture.alpha) {
        let (columns, rows) = (tiles.columns, tiles.items.len() as u32 / tiles.columns.max(1));
        let (width, height) = (tiles.tile.0.saturating_mul(columns), tiles.tile.1.saturating_mul(rows));
        limits.check_pixels("input", width, height)?;
        // Items may share their bytes, but only so often.
        let distinct = tiles.distinct();
        let lengths = distinct.iter().filter_map(|id| items.item(*id)).map(Item::length);
        if lengths.fold(0u64, u64::saturating_add) > 4 * bytes.len() as u64 {
            return Err(damaged("its tiles overlap"));
        }
    }
    let planes = decoder_bytes(picture, &Target::of(picture));
    limits.check_memory((bytes.len() as u64).saturating_add(planes).saturating_add(kept))
}

/// The pixel format of the result.
#[derive(Debug, Clone, Copy)]
struct Target {
    has_color: bool,
    has_alpha: bool,
    /// 16 bits per channel instead of 8.
    is_deep: bool,
    /// Linear light instead of display-encoded values.
    light: Option<hdr_transfer::Curve>,
}

impl Target {
    fn of(picture: &Picture<'_>) -> Self {
        let coding = picture.color.coding;
        // A profile says what colors are, if there is one.
        let light = match picture.profile {
            None => hdr_transfer::Curve::of(picture.colors.primaries, picture.colors.transfer),
            Some(_) => None,
        };
        // A color profile only applies to gray values if there are also colors.
        let colored_profile =
            picture.profile.is_some_and(|icc| icc.get(16..20) == Some(b"RGB ") && !metadata::is_srgb(icc));
        let depth = picture.alpha.as_ref().map_or(0, |alpha| alpha.coding.depth).max(coding.depth);
        Self {
            has_color: !coding.gray || colored_profile || light.is_some(),
            has_alpha: picture.alpha.is_some(),
            is_deep: depth > 8 || light.is_some(),
            light,
        }
    }

    fn channels(&self) -> usize {
        if self.has_color { 3 + usize::from(self.has_alpha) } else { 1 + usize::from(self.has_alpha) }
    }

    fn bytes_per_pixel(&self) -> u8 {
        let sample = match (self.light.is_some(), self.is_deep) {
            (true, _) => 4,
            (false, true) => 2,
            (false, false) => 1,
        };
        self.channels() as u8 * sample
    }

    /// The maximum value of a channel.
    fn top(&self) -> u16 {
        if self.is_deep { u16::MAX } else { u16::from(u8::MAX) }
    }
}

/// The bytes beside the result: the planes, whose samples have two bytes, and the decoder's block data, rounded up.
/// If the result is rotated, it is in memory twice, but the planes are not.
fn decoder_bytes(picture: &Picture<'_>, target: &Target) -> u64 {
    let per_pixel = |coding: Coding| match (coding.gray, coding.half_width, coding.half_height) {
        (true, ..) => 2,
        (_, true, true) => 3,
        (_, true, false) => 4,
        _ => 6,
    };
    let (mut pixels, mut bytes, mut padded) = (0, 1, 0u64);
    // An alpha channel should be gray, but need not be.
    for tiles in std::iter::once(&picture.color).chain(&picture.alpha) {
        let area = |multiple| {
            let side = |side: u32| u64::from(side).next_multiple_of(multiple);
            side(tiles.tile.0).saturating_mul(side(tiles.tile.1))
        };
        let sample_bytes = per_pixel(tiles.coding);
        let distinct = area(PADDING.into()).saturating_mul(tiles.distinct().len() as u64);
        pixels = area(1).saturating_mul(tiles.items.len() as u64).max(pixels);
        bytes += sample_bytes;
        padded = distinct.saturating_mul(sample_bytes).saturating_add(padded);
    }
    let decoding = pixels.saturating_mul(bytes).max(padded.saturating_sub(BUFFERS));
    let turned = match picture.orientation {
        Orientation::NoTransforms => 0,
        _ => bytes_of_pixels((picture.crop.width, picture.crop.height), target.bytes_per_pixel().into()),
    };
    // A file may say any size. Sums with this do not overflow.
    decoding.max(turned).min(u64::MAX >> 8)
}

/// The pixels so far.
enum Samples {
    Narrow(Vec<u8>),
    Deep(Vec<u16>),
    Light(Vec<f32>, hdr_transfer::Light, usize),
}

impl Samples {
    fn new(target: &Target, pixels: usize) -> Self {
        let count = pixels * target.channels();
        match &target.light {
            Some(curve) => {
                Self::Light(Vec::with_capacity(count), hdr_transfer::Light::new(*curve), target.channels())
            }
            None if target.is_deep => Self::Deep(Vec::with_capacity(count)),
            None => Self::Narrow(Vec::with_capacity(count)),
        }
    }

    /// Appends values from 0 to [`Target::top`].
    fn push(&mut self, row: &[u16]) {
        match self {
            Self::Narrow(samples) => samples.extend(row.iter().map(|level| *level as u8)),
            Self::Deep(samples) => samples.extend_from_slice(row),
            Self::Light(samples, light, channels) => light.apply(*channels, row, samples),
        }
    }

    fn image(self, target: &Target, width: u32, height: u32) -> Option<DynamicImage> {
        fn buffer<P: Pixel>(
            width: u32,
            height: u32,
            raw: Vec<P::Subpixel>,
            kind: fn(ImageBuffer<P, Vec<P::Subpixel>>) -> DynamicImage,
        ) -> Option<DynamicImage> {
            ImageBuffer::from_raw(width, height, raw).map(kind)
        }
        use DynamicImage as Kind;
        match (self, target.has_color, target.has_alpha) {
            (Self::Narrow(raw), false, false) => buffer(width, height, raw, Kind::ImageLuma8),
            (Self::Narrow(raw), false, true) => buffer(width, height, raw, Kind::ImageLumaA8),
            (Self::Narrow(raw), true, false) => buffer(width, height, raw, Kind::ImageRgb8),
            (Self::Narrow(raw), true, true) => buffer(width, height, raw, Kind::ImageRgba8),
            (Self::Deep(raw), false, false) => buffer(width, height, raw, Kind::ImageLuma16),
            (Self::Deep(raw), false, true) => buffer(width, height, raw, Kind::ImageLumaA16),
            (Self::Deep(raw), true, false) => buffer(width, height, raw, Kind::ImageRgb16),
            (Self::Deep(raw), true, true) => buffer(width, height, raw, Kind::ImageRgba16),
            (Self::Light(raw, ..), _, false) => buffer(width, height, raw, Kind::ImageRgb32F),
            (Self::Light(raw, ..), _, true) => buffer(width, height, raw, Kind::ImageRgba32F),
        }
    }
}
