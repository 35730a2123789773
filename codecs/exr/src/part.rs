//! What decoding needs to know of a part ("OpenEXR File Layout", openexr.com).

use crate::channel::Channel;
use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::header::{Header, MISSING};
use crate::input::Input;
use crate::window::Window;

/// Sides of tiles are powers of two up to a few hundred.
const MAX_TILE: u32 = 1 << 16;

/// Red, green, blue and white as CIE xy.
pub type Chromaticities = [[f64; 2]; 4];

/// A part with as many samples as pixels.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// What is shown.
    pub display: Window,
    /// What is stored.
    pub data: Window,
    /// In the order of the file.
    pub channels: Vec<Channel<'a>>,
    /// How its blocks are compressed.
    pub compression: Compression,
    /// The primaries and white of red, green and blue, if they are given.
    pub chromaticities: Option<Chromaticities>,
    /// The size of a tile in pixels. `None` for scan lines.
    pub(crate) tile: Option<(u32, u32)>,
}

impl<'a> Part<'a> {
    /// What decoding needs to know of a part with that header.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if an attribute is missing or malformed, or without channels; [`Error::Unsupported`] for subsampled channels and unknown
    /// compressions.
    pub fn of(header: &Header<'a>) -> Result<Self> {
        let window = |name| Window::of(header.require(name)?).ok_or(MISSING);
        let channels = header.channels()?;
        if channels.is_empty() {
            return Err(Error::Corrupt("it has no channels"));
        }
        if channels.iter().any(|channel| channel.is_subsampled) {
            return Err(Error::Unsupported("it has channels of fewer samples than pixels"));
        }
        let compression = *header.require(b"compression")?.first().ok_or(MISSING)?;
        Ok(Self {
            display: window(b"displayWindow")?,
            data: window(b"dataWindow")?,
            channels,
            compression: Compression::of(compression)?,
            chromaticities: header.find(b"chromaticities").and_then(chromaticities),
            tile: if header.is_tiled() {
                Some(tile(header.require(b"tiles")?).ok_or(MISSING)?)
            } else {
                None
            },
        })
    }

    /// The bytes per pixel of all channels.
    pub fn pixel_size(&self) -> usize {
        self.channels.iter().map(|channel| channel.kind.size()).sum()
    }

    /// The size in pixels of the largest block of the data window. `None` if the window is empty.
    pub(crate) fn block(&self) -> Option<(u32, u32)> {
        let (width, height) = self.data.size()?;
        let (block_width, block_height) = self.tile.unwrap_or((width, self.compression.lines()));
        Some((block_width.min(width), block_height.min(height)))
    }

    /// The most bytes that decoding holds at a time, beside the file: a block decompressed, and what its decompression needs.
    pub fn memory(&self) -> u64 {
        self.compression.memory(self.block().unwrap_or_default(), self.pixel_size())
    }
}

fn tile(value: &[u8]) -> Option<(u32, u32)> {
    let mut input = Input(value);
    let mut side = || input.u32().ok().filter(|side| (1..=MAX_TILE).contains(side));
    Some((side()?, side()?))
}

fn chromaticities(value: &[u8]) -> Option<Chromaticities> {
    let mut input = Input(value);
    let mut number = || input.u32().ok().map(|bits| f64::from(f32::from_bits(bits)));
    let mut point = || Some([number()?, number()?]);
    Some([point()?, point()?, point()?, point()?])
}
