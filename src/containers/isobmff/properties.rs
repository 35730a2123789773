//! What is said of a coded picture: ISO/IEC 23008-12, 6.5, and AV1 Image File Format, 2.2.

use crate::containers::isobmff::{Code, Part, Reader};

/// A property that matters for what is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Property<'a> {
    /// Width and height in pixels, as coded.
    Size(u32, u32),
    /// How the AV1 is coded.
    Code(Code<'a>),
    /// What the numbers of the channels mean.
    CodePoints(CodePoints),
    /// An ICC profile.
    Profile(&'a [u8]),
    /// The item is the alpha channel of another.
    Alpha,
    /// Quarters of a turn, counterclockwise.
    Rotation(u8),
    /// Top and bottom are exchanged, or left and right.
    Mirror(MirrorAxis),
    /// The part that is shown: width, height, and how far its middle lies from the middle, right and down.
    Aperture([Fraction; 4]),
    /// The operating point of a scalable AV1.
    OperatingPoint(u8),
    /// Of several layers, the one to show.
    Layer(u16),
    /// Says nothing about how to make pixels of the item, or nothing beyond the coded picture itself.
    Passive,
    /// Any other.
    Unknown,
}

/// What a mirror exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MirrorAxis {
    /// Top and bottom.
    Vertical,
    /// Left and right.
    Horizontal,
}

/// Numerator and denominator.
pub(crate) type Fraction = (i32, i32);

/// Color by the numbers of ITU-T H.273.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodePoints {
    pub(crate) primaries: u16,
    pub(crate) transfer: u16,
    pub(crate) matrix: u16,
    pub(crate) full_range: bool,
}

impl Default for CodePoints {
    /// Nothing said: sRGB, and the matrix of BT.601.
    fn default() -> Self {
        Self { primaries: 2, transfer: 2, matrix: 2, full_range: true }
    }
}

impl<'a> Property<'a> {
    /// One that is damaged is as unknown.
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
