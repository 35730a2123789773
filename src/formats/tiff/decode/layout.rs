//! The layout of a page's samples, from its fields: number, depth, meaning, and division into chunks.

use crate::containers::tiff_ifd::Directory;
use crate::containers::tiff_tags as tag;
use crate::error::{Error, Result};
use crate::formats::decode::{ColorModel, Header, bytes_of_pixels};
use crate::formats::tiff::decode::field_values::{Alpha, Compression, Format, Model, Predictor};
use crate::formats::tiff::decode::{corrupt, unsupported};

/// More samples per pixel are measurements rather than pictures.
const MAX_SAMPLES: u64 = 16;

/// The layout of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) compression: Compression,
    pub(crate) model: Model,
    pub(crate) alpha: Alpha,
    pub(crate) format: Format,
    /// Bits per sample.
    pub(crate) bits: usize,
    /// Samples per pixel.
    pub(crate) samples: usize,
    /// Planar: each component has chunks of its own.
    pub(crate) planar: bool,
    pub(crate) predictor: Predictor,
    /// The lowest bit of a byte comes first.
    pub(crate) reversed_bits: bool,
    /// Tiles rather than strips.
    pub(crate) tiled: bool,
    pub(crate) chunk_width: u32,
    pub(crate) chunk_height: u32,
    /// The horizontal and vertical number of pixels that share chroma: 1, 2 or 4; 1 if the JPEG decoder upsamples it.
    pub(crate) subsampling: (usize, usize),
}

impl Layout {
    /// Reads the fields of a page. Allocates nothing in proportion to the image.
    pub(crate) fn of(page: &Directory) -> Result<Self> {
        let number = |tag, default| page.number(tag).unwrap_or(default);
        let (Some(width), Some(height)) = (side(page, tag::IMAGE_WIDTH), side(page, tag::IMAGE_LENGTH))
        else {
            return Err(corrupt("it has no pixels"));
        };
        let compression = Compression::of(number(tag::COMPRESSION, 1))?;
        let model = page
            .number(tag::PHOTOMETRIC_INTERPRETATION)
            .ok_or_else(|| corrupt("it does not say what its samples mean"))?;
        let model = Model::of(model)?;
        if model == Model::Cmyk && number(tag::INK_SET, 1) != 1 {
            return Err(unsupported("its inks are not those of CMYK"));
        }
        let samples = number(tag::SAMPLES_PER_PIXEL, 1);
        if samples > MAX_SAMPLES {
            return Err(unsupported(format_args!("it has {samples} samples a pixel")));
        }
        let samples = samples as usize;
        if samples < model.channels() {
            return Err(corrupt("it has too few samples for its colors"));
        }
        let bits =
            same(page, tag::BITS_PER_SAMPLE, 1)?.ok_or_else(|| unsupported("its samples differ in depth"))?;
        let format = match same(page, tag::SAMPLE_FORMAT, 1)? {
            Some(1 | 4) => Format::Unsigned,
            Some(2) => Format::Signed,
            Some(3) => Format::Float,
            _ => return Err(unsupported("the format of its samples")),
        };
        if !is_supported(model, format, bits) {
            return Err(unsupported(format_args!("samples of {bits} bits for such colors")));
        }
        let tiled = page.number(tag::TILE_WIDTH).is_some();
        let (chunk_width, chunk_height) = chunk_size(page, tiled, (width, height))?;
        let layout = Self {
            width,
            height,
            compression,
            model,
            alpha: alpha(page, samples, model),
            format,
            bits: bits as usize,
            samples,
            planar: samples > 1 && number(tag::PLANAR_CONFIGURATION, 1) == 2,
            predictor: match (compression, number(tag::PREDICTOR, 1)) {
                // The tag is only defined for these compressions (section 14).
                (Compression::Lzw | Compression::Deflate, 2) => Predictor::Horizontal,
                (Compression::Lzw | Compression::Deflate, 3) => Predictor::FloatingPoint,
                _ => Predictor::None,
            },
            reversed_bits: number(tag::FILL_ORDER, 1) == 2,
            tiled,
            chunk_width,
            chunk_height,
            subsampling: subsampling(page, compression, model)?,
        };
        layout.check()?;
        Ok(layout)
    }

    /// Refuses combinations that no writer produces and that would need special decoding.
    fn check(&self) -> Result<(), Error> {
        let (across, down) = self.subsampling;
        if self.subsampling != (1, 1)
            && (self.bits != 8 || self.samples != 3 || self.planar || self.predictor != Predictor::None)
        {
            return Err(unsupported("its chroma is subsampled in an unusual way"));
        }
        let (across, down) = (across as u32, down as u32);
        let cut = self.chunk_height < self.height && !self.chunk_height.is_multiple_of(down);
        if cut || (self.tiled && !self.chunk_width.is_multiple_of(across)) {
            return Err(corrupt("its chunks divide pixels that share their chroma"));
        }
        match self.predictor {
            Predictor::Horizontal if !matches!(self.bits, 8 | 16 | 32 | 64) => {
                Err(unsupported(format_args!("differences of samples of {} bits", self.bits)))
            }
            Predictor::FloatingPoint if self.format != Format::Float => {
                Err(unsupported("differences for floating point, of samples that are whole"))
            }
            _ if self.compression == Compression::Jpeg && self.bits != 8 => {
                Err(unsupported(format_args!("JPEG of {} bits", self.bits)))
            }
            _ if self.compression == Compression::Group4 && (self.bits, self.samples) != (1, 1) => {
                Err(unsupported("CCITT Group 4 of more than black and white"))
            }
            _ if self.tiled && !self.row_bits().is_multiple_of(8) => {
                Err(unsupported("its tiles end within a byte"))
            }
            _ => Ok(()),
        }
    }

    /// The number of samples of a pixel within one chunk.
    pub(crate) fn chunk_samples(&self) -> usize {
        if self.planar { 1 } else { self.samples }
    }

    /// The number of bits in a row of a chunk.
    pub(crate) fn row_bits(&self) -> u64 {
        u64::from(self.chunk_width) * (self.chunk_samples() * self.bits) as u64
    }

    pub(crate) fn header(&self) -> Header {
        let color_model = match self.model {
            Model::Gray | Model::InvertedGray => ColorModel::Gray,
            Model::Rgb | Model::Palette | Model::Lab | Model::IccLab => ColorModel::Rgb,
            Model::Ycbcr => ColorModel::Ycbcr,
            Model::Cmyk => ColorModel::Cmyk,
        };
        let has_alpha = self.alpha != Alpha::None;
        let wide = if self.is_wide() { 2 } else { 1 };
        let channels = if color_model == ColorModel::Gray { 1 } else { 3 } + u8::from(has_alpha);
        let stored = (self.samples * self.bits).div_ceil(8);
        Header {
            width: self.width,
            height: self.height,
            frames: 1,
            scalable: false,
            reducible: false,
            has_alpha,
            color_model,
            bit_depth: self.bits as u8,
            bytes_per_pixel: channels * wide,
            // The samples before color conversion, and in the worst case a chunk of the image's size.
            decoder_bytes: bytes_of_pixels((self.width, self.height), 2 * stored as u64),
        }
    }

    /// Whether samples become 16 bits instead of 8.
    pub(crate) fn is_wide(&self) -> bool {
        self.bits > 8
    }
}

/// A side in pixels. `None` if it is 0 or absent.
fn side(page: &Directory, tag: u16) -> Option<u32> {
    u32::try_from(page.number(tag)?).ok().filter(|&side| side > 0)
}

/// The width and height of a strip or tile.
fn chunk_size(page: &Directory, tiled: bool, (width, height): (u32, u32)) -> Result<(u32, u32)> {
    let (chunk_width, chunk_height) = match tiled {
        true => (side(page, tag::TILE_WIDTH), side(page, tag::TILE_LENGTH)),
        false => {
            let rows = page.number(tag::ROWS_PER_STRIP).unwrap_or(height.into()).min(height.into()) as u32;
            (Some(width), Some(rows).filter(|&rows| rows > 0))
        }
    };
    chunk_width.zip(chunk_height).ok_or_else(|| corrupt("its chunks have no pixels"))
}

/// Whether a color model exists with samples of this depth and format.
fn is_supported(model: Model, format: Format, bits: u64) -> bool {
    match (model, format) {
        (Model::Palette, Format::Unsigned) => bits <= 16,
        (Model::Lab | Model::IccLab, Format::Unsigned) => matches!(bits, 8 | 16),
        (Model::Palette | Model::Lab | Model::IccLab, _) => false,
        (_, Format::Float) => matches!(bits, 16 | 32 | 64),
        (_, Format::Unsigned | Format::Signed) => matches!(bits, 1..=16 | 32 | 64),
    }
}

/// The value that a field has for every sample. `None` if the values differ.
fn same(page: &Directory, tag: u16, default: u64) -> Result<Option<u64>> {
    let Some(mut numbers) = page.numbers(tag) else { return Ok(Some(default)) };
    let first = numbers.next().ok_or_else(|| corrupt("a field about its samples is empty"))?;
    Ok(numbers.all(|number| number == first).then_some(first))
}

/// An extra sample without a declared meaning is alpha if it can be nothing else.
fn alpha(page: &Directory, samples: usize, model: Model) -> Alpha {
    if samples <= model.channels() {
        return Alpha::None;
    }
    match page.number(tag::EXTRA_SAMPLES) {
        Some(1) => Alpha::Associated,
        Some(2) => Alpha::Unassociated,
        Some(_) => Alpha::None,
        None if samples == model.channels() + 1 => Alpha::Unassociated,
        None => Alpha::None,
    }
}

fn subsampling(page: &Directory, compression: Compression, model: Model) -> Result<(usize, usize)> {
    // JPEG declares its chroma subsampling itself.
    if model != Model::Ycbcr || compression == Compression::Jpeg {
        return Ok((1, 1));
    }
    let mut numbers = page.numbers(tag::YCBCR_SUBSAMPLING).into_iter().flatten();
    let (across, down) = (numbers.next().unwrap_or(2), numbers.next().unwrap_or(2));
    match (across, down) {
        (1 | 2 | 4, 1 | 2 | 4) => Ok((across as usize, down as usize)),
        _ => Err(corrupt("its chroma is subsampled by an impossible number")),
    }
}
