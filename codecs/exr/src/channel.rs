//! The channels of a part: the attribute `chlist` ("OpenEXR File Layout", openexr.com).

use crate::error::{Error, Result};
use crate::half;
use crate::input::Input;

const MAX_CHANNELS: usize = 64;

/// The type of a channel's samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 32-bit integers without sign.
    Whole,
    /// 16-bit floats (IEEE 754 binary16).
    Half,
    /// 32-bit floats.
    Float,
}

impl Kind {
    /// The bytes per sample.
    pub fn size(self) -> usize {
        if self == Self::Half { 2 } else { 4 }
    }

    /// The number that a little-endian sample stands for. Integers are scaled from 0 to 1, as OpenImageIO does. 0 if `sample` does not
    /// have [`size`](Self::size) bytes.
    pub fn number(self, sample: &[u8]) -> f32 {
        match (self, sample) {
            (Self::Half, &[a, b]) => half::to_f32(u16::from_le_bytes([a, b])),
            (Self::Float, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (Self::Whole, &[a, b, c, d]) => {
                (f64::from(u32::from_le_bytes([a, b, c, d])) / f64::from(u32::MAX)) as f32
            }
            _ => 0.0,
        }
    }
}

/// A channel of a part.
#[derive(Debug, Clone, Copy)]
pub struct Channel<'a> {
    /// With the name of its layer, and a dot, before it.
    pub name: &'a [u8],
    /// The type of its samples.
    pub kind: Kind,
    /// The bytes per pixel of the channels before it.
    pub offset: usize,
    /// Whether its numbers are already perceptually uniform: B44 stores exponentials of them, DWA leaves out its curve.
    pub(crate) is_perceptual: bool,
    /// Whether it has fewer samples than pixels.
    pub(crate) is_subsampled: bool,
}

/// The channels of the attribute.
pub(crate) fn list(value: &[u8]) -> Result<Vec<Channel<'_>>> {
    let incomplete = |_| Error::Corrupt("its list of channels is incomplete");
    let (mut input, mut channels, mut offset) = (Input(value), Vec::new(), 0);
    loop {
        let name = input.text().map_err(incomplete)?;
        if name.is_empty() {
            return Ok(channels);
        }
        let facts = input.take(16).map_err(incomplete)?;
        let mut facts = Input(facts);
        let kind = match facts.u32()? {
            0 => Kind::Whole,
            1 => Kind::Half,
            2 => Kind::Float,
            _ => return Err(Error::Corrupt("a channel holds samples of an unknown kind")),
        };
        // A flag, and three bytes without meaning.
        let is_perceptual = facts.u32()? & 0xFF != 0;
        let is_subsampled = (facts.u32()?, facts.u32()?) != (1, 1);
        if channels.len() == MAX_CHANNELS {
            return Err(Error::Unsupported("it has more than 64 channels"));
        }
        channels.push(Channel { name, kind, offset, is_perceptual, is_subsampled });
        offset += kind.size();
    }
}
