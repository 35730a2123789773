//! The header of the OpenEXR part that is decoded ("OpenEXR File Layout", openexr.com).

use exr::meta::BlockDescription;
use exr::meta::header::Header;

use crate::error::Result;
use crate::formats::exr::decode::window::Window;
use crate::formats::exr::decode::{corrupt, unsupported};

/// Bits of the version field.
const TILED: u32 = 0x200;
const DEEP: u32 = 0x800;
const SEVERAL_PARTS: u32 = 0x1000;

const MAX_CHANNELS: usize = 64;
/// Sides of tiles are powers of two up to a few hundred.
const MAX_TILE: u32 = 1 << 16;

/// The type of a channel's samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Whole,
    Half,
    Float,
}

impl Kind {
    pub(crate) fn size(self) -> usize {
        if self == Self::Half { 2 } else { 4 }
    }
}

/// A channel that is decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Channel {
    pub(crate) kind: Kind,
    /// The bytes per pixel of the channels before it.
    pub(crate) offset: usize,
}

/// Red, green, blue and white as CIE xy.
pub(crate) type Chromaticities = [[f64; 2]; 4];

/// A part of a file, and its channels that make a picture.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) display: Window,
    pub(crate) data: Window,
    /// Red, green and blue. The same channel three times for gray.
    pub(crate) colors: [Channel; 3],
    pub(crate) alpha: Option<Channel>,
    pub(crate) chromaticities: Option<Chromaticities>,
    /// The bytes per pixel of all channels.
    pixel_size: usize,
    compression: u8,
    tile: Option<(u32, u32)>,
}

impl Part {
    /// The first part with red, green and blue, otherwise the first with luminance; and its index among all parts.
    pub(crate) fn choose(bytes: &[u8]) -> Result<(usize, Self)> {
        let mut rest = bytes.get(8..).ok_or_else(|| corrupt("it ends too soon"))?;
        let version =
            bytes.get(4..8).and_then(|version| version.first_chunk()).map_or(0, |v| u32::from_le_bytes(*v));
        let mut gray = None;
        for index in 0.. {
            let attributes = attributes(&mut rest)?;
            if attributes.is_empty() {
                break;
            }
            match Self::of(&attributes, version)? {
                Some(part) if !part.is_gray() => return Ok((index, part)),
                Some(part) => {
                    gray.get_or_insert((index, part));
                }
                None => {}
            }
            if version & SEVERAL_PARTS == 0 {
                break;
            }
        }
        gray.ok_or_else(|| unsupported("it has no part with colors"))
    }

    /// `None` for a part without colors.
    fn of(attributes: &[Attribute], version: u32) -> Result<Option<Self>> {
        let find =
            |name: &[u8]| attributes.iter().find(|attribute| attribute.name == name).map(|found| found.value);
        let kind = find(b"type").unwrap_or_default();
        if kind.starts_with(b"deep") || (version & SEVERAL_PARTS == 0 && version & DEEP != 0) {
            return Ok(None);
        }
        let missing = || corrupt("a part lacks what every part has");
        let window = |name| find(name).and_then(Window::of).ok_or_else(missing);
        let channels = channels(find(b"channels").ok_or_else(missing)?)?;
        let Some((colors, alpha)) = channels.choose() else { return Ok(None) };
        if channels.0.iter().any(|channel| channel.subsampled) {
            return Err(unsupported("it has channels of fewer samples than pixels"));
        }
        let compression =
            find(b"compression").and_then(|value| value.first()).copied().ok_or_else(missing)?;
        if compression > 9 {
            return Err(unsupported(match compression {
                10 | 11 => "it is compressed by JPEG 2000",
                _ => "its compression is unknown",
            }));
        }
        let tiled = kind.starts_with(b"tiled") || (kind.is_empty() && version & TILED != 0);
        Ok(Some(Self {
            display: window(b"displayWindow")?,
            data: window(b"dataWindow")?,
            colors,
            alpha,
            chromaticities: find(b"chromaticities").and_then(chromaticities),
            pixel_size: channels.0.iter().map(|channel| channel.kind.size()).sum(),
            compression,
            tile: if tiled { Some(find(b"tiles").and_then(tile).ok_or_else(missing)?) } else { None },
        }))
    }

    /// Refuses a file that `exr` reads differently: its allocations follow from its own reading.
    pub(crate) fn check(&self, read: &Header) -> Result<()> {
        let size = self.data.size().map(|(width, height)| (width as usize, height as usize));
        let mut compression = Vec::with_capacity(1);
        read.compression.write(&mut compression).map_err(corrupt)?;
        let tile = match read.blocks {
            BlockDescription::ScanLines => None,
            BlockDescription::Tiles(tiles) => {
                Some((tiles.tile_size.width() as u32, tiles.tile_size.height() as u32))
            }
        };
        let is_same = size == Some((read.layer_size.width(), read.layer_size.height()))
            && compression == [self.compression]
            && read.channels.bytes_per_pixel == self.pixel_size
            && tile == self.tile
            && !read.deep;
        if is_same { Ok(()) } else { Err(corrupt("its header can be read in two ways")) }
    }

    pub(crate) fn is_gray(&self) -> bool {
        self.colors[0].offset == self.colors[1].offset
    }

    pub(crate) fn bit_depth(&self) -> u8 {
        self.colors.iter().map(|channel| 8 * channel.kind.size() as u8).max().unwrap_or(32)
    }

    /// The bytes per pixel of all channels.
    pub(crate) fn pixel_size(&self) -> usize {
        self.pixel_size
    }

    pub(crate) fn is_compressed_by_cosines(&self) -> bool {
        matches!(self.compression, 8 | 9)
    }

    /// The size of the largest block in bytes, in lines of `width` pixels.
    pub(crate) fn block_size(&self, width: u32) -> u64 {
        let lines = match self.compression {
            0..=2 => 1,
            3 | 5 => 16,
            9 => 256,
            _ => 32,
        };
        let (width, lines) = self.tile.unwrap_or((width, lines));
        u64::from(width) * u64::from(lines) * self.pixel_size as u64
    }
}

struct Attribute<'a> {
    name: &'a [u8],
    value: &'a [u8],
}

/// The attributes up to an empty name, sorted by name. Duplicates are refused: readers differ in which one they use.
fn attributes<'a>(rest: &mut &'a [u8]) -> Result<Vec<Attribute<'a>>> {
    let mut attributes = Vec::new();
    loop {
        let incomplete = || corrupt("its header is incomplete");
        let name = text(rest).ok_or_else(incomplete)?;
        if name.is_empty() {
            break;
        }
        text(rest).ok_or_else(incomplete)?;
        let (length, behind) = rest.split_first_chunk().ok_or_else(incomplete)?;
        let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| incomplete())?;
        let (value, behind) = behind.split_at_checked(length).ok_or_else(incomplete)?;
        *rest = behind;
        attributes.push(Attribute { name, value });
    }
    attributes.sort_unstable_by_key(|attribute: &Attribute<'a>| attribute.name);
    match attributes.windows(2).any(|pair| pair[0].name == pair[1].name) {
        true => Err(corrupt("an attribute is there twice")),
        false => Ok(attributes),
    }
}

/// A string of at most 255 bytes that ends with a zero.
fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().take(256).position(|&byte| byte == 0)?;
    let (text, behind) = rest.split_at(end);
    *rest = &behind[1..];
    Some(text)
}

struct Named<'a> {
    name: &'a [u8],
    kind: Kind,
    subsampled: bool,
}

struct Channels<'a>(Vec<Named<'a>>);

fn channels(mut list: &[u8]) -> Result<Channels<'_>> {
    let mut channels = Vec::new();
    loop {
        let incomplete = || corrupt("its list of channels is incomplete");
        let name = text(&mut list).ok_or_else(incomplete)?;
        if name.is_empty() {
            return Ok(Channels(channels));
        }
        let (&facts, behind) = list.split_first_chunk::<16>().ok_or_else(incomplete)?;
        list = behind;
        let fact = |at: usize| u32::from_le_bytes([facts[at], facts[at + 1], facts[at + 2], facts[at + 3]]);
        let kind = match fact(0) {
            0 => Kind::Whole,
            1 => Kind::Half,
            2 => Kind::Float,
            _ => return Err(corrupt("a channel holds samples of an unknown kind")),
        };
        if channels.len() == MAX_CHANNELS {
            return Err(unsupported(format_args!("it has more than {MAX_CHANNELS} channels")));
        }
        channels.push(Named { name, kind, subsampled: (fact(8), fact(12)) != (1, 1) });
    }
}

impl Channels<'_> {
    /// Colors and alpha: the channels without a layer, those of the first complete layer, or luminance.
    fn choose(&self) -> Option<([Channel; 3], Option<Channel>)> {
        let layers = self.0.iter().map(|channel| match channel.name.iter().rposition(|&byte| byte == b'.') {
            Some(dot) => &channel.name[..=dot],
            None => &channel.name[..0],
        });
        let mut layers: Vec<&[u8]> = std::iter::once(&b""[..]).chain(layers).collect();
        layers.dedup();
        let colors = layers.iter().find_map(|layer| {
            let [r, g, b] = [b"R", b"G", b"B"].map(|name| self.find(layer, name));
            Some(([r?, g?, b?], self.find(layer, b"A")))
        });
        colors.or_else(|| {
            layers.iter().find_map(|layer| Some(([self.find(layer, b"Y")?; 3], self.find(layer, b"A"))))
        })
    }

    fn find(&self, layer: &[u8], name: &[u8]) -> Option<Channel> {
        let mut offset = 0;
        for channel in &self.0 {
            if channel.name.strip_prefix(layer) == Some(name) {
                return Some(Channel { kind: channel.kind, offset });
            }
            offset += channel.kind.size();
        }
        None
    }
}

fn tile(value: &[u8]) -> Option<(u32, u32)> {
    let mut sides = value.as_chunks().0.iter().map(|&side| u32::from_le_bytes(side));
    let mut side = || sides.next().filter(|side| (1..=MAX_TILE).contains(side));
    Some((side()?, side()?))
}

fn chromaticities(value: &[u8]) -> Option<Chromaticities> {
    let mut numbers = value.as_chunks().0.iter().map(|&number| f64::from(f32::from_le_bytes(number)));
    let mut point = || Some([numbers.next()?, numbers.next()?]);
    Some([point()?, point()?, point()?, point()?])
}
