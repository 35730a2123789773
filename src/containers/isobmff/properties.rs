//! Item properties (ISO/IEC 23008-12, 6.5; AV1 Image File Format, 2.2).

use crate::containers::isobmff::{Code, Part, Reader, part};

/// A property that affects the displayed picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Property<'a> {
    /// `ispe`: width and height in pixels, as coded.
    Size(u32, u32),
    /// `av1C`: the AV1 configuration.
    Code(Code<'a>),
    /// `colr` of type `nclx`.
    CodePoints(CodePoints),
    /// `colr` with an ICC profile.
    Profile(&'a [u8]),
    /// `auxC`: the item is the alpha channel of another.
    Alpha,
    /// `irot`: quarter turns counterclockwise.
    Rotation(u8),
    /// `imir`: the mirror axis.
    Mirror(MirrorAxis),
    /// `clap`: width, height, and the offset of its center from the canvas's center, right and down.
    Aperture([Fraction; 4]),
    /// `a1op`: the operating point of a scalable AV1 picture.
    OperatingPoint(u8),
    /// `lsel`: the layer to display.
    Layer(u16),
    /// A property that does not affect decoding, or repeats what the coded picture states.
    Passive,
    /// An unsupported property.
    Unknown,
}

/// The mirror axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MirrorAxis {
    /// Top and bottom are swapped.
    Vertical,
    /// Left and right are swapped.
    Horizontal,
}

/// Numerator and denominator.
pub(crate) type Fraction = (i32, i32);

/// Color description by the code points of ITU-T H.273.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodePoints {
    pub(crate) primaries: u16,
    pub(crate) transfer: u16,
    pub(crate) matrix: u16,
    pub(crate) full_range: bool,
}

impl Default for CodePoints {
    /// Unspecified: sRGB with the matrix of BT.601.
    fn default() -> Self {
        Self { primaries: 2, transfer: 2, matrix: 2, full_range: true }
    }
}

impl CodePoints {
    /// The box `colr` that says it.
    pub(crate) fn written(self) -> Option<Vec<u8>> {
        let numbers = [self.primaries, self.transfer, self.matrix].map(u16::to_be_bytes).concat();
        part(b"colr", &[b"nclx", &numbers, &[u8::from(self.full_range) << 7]])
    }
}

impl<'a> Property<'a> {
    /// A damaged property counts as unsupported.
    pub(crate) fn read(part: &Part<'a>) -> Self {
        Self::parse(&part.kind, Reader(part.payload)).unwrap_or(Self::Unknown)
    }

    fn parse(kind: &[u8; 4], mut reader: Reader<'a>) -> Option<Self> {
        Some(match kind {
            b"ispe" => {
                reader.version()?;
                Self::Size(reader.u32()?, reader.u32()?)
            }
            b"av1C" => Self::Code(Code::read(reader.0)?),
            b"colr" => match &reader.array()? {
                b"nclx" => {
                    let [primaries, transfer, matrix] = [reader.u16()?, reader.u16()?, reader.u16()?];
                    let full_range = reader.u8()? >> 7 == 1;
                    Self::CodePoints(CodePoints { primaries, transfer, matrix, full_range })
                }
                b"prof" | b"rICC" => Self::Profile(reader.0),
                _ => return None,
            },
            b"auxC" => {
                reader.version()?;
                match reader.text()? {
                    b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" | b"urn:mpeg:hevc:2015:auxid:1" => {
                        Self::Alpha
                    }
                    _ => return None,
                }
            }
            b"irot" => Self::Rotation(reader.u8()? & 3),
            b"imir" if reader.u8()? & 1 == 0 => Self::Mirror(MirrorAxis::Vertical),
            b"imir" => Self::Mirror(MirrorAxis::Horizontal),
            b"clap" => {
                let mut number = || reader.u32().map(u32::cast_signed);
                let mut fraction = || Some((number()?, number()?));
                Self::Aperture([fraction()?, fraction()?, fraction()?, fraction()?])
            }
            b"a1op" => Self::OperatingPoint(reader.u8()?),
            b"lsel" => Self::Layer(reader.u16()?),
            b"pixi" | b"pasp" | b"a1lx" | b"clli" | b"mdcv" | b"cclv" | b"amve" => Self::Passive,
            _ => return None,
        })
    }
}
