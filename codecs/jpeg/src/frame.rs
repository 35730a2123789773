//! The frame header (T.81, B.2.2): size, precision and components.

use crate::error::Error;

/// How coefficients are coded (T.81, 4.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Process {
    /// Baseline sequential: `SOF0`.
    Baseline,
    /// Extended sequential: `SOF1`, or `SOF9` with arithmetic coding.
    Extended,
    /// Progressive: `SOF2`, or `SOF10` with arithmetic coding.
    Progressive,
}

/// The parameters of a frame.
#[derive(Clone, Debug)]
pub(crate) struct FrameHeader {
    pub(crate) process: Process,
    pub(crate) arithmetic: bool,
    /// Bits a sample.
    pub(crate) precision: u8,
    pub(crate) width: u16,
    /// 0 until the `DNL` marker that tells it.
    pub(crate) height: u16,
    pub(crate) components: Vec<FrameComponent>,
}

/// A component of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameComponent {
    pub(crate) id: u8,
    /// Horizontal and vertical sampling factors, 1 to 4.
    pub(crate) h: u8,
    pub(crate) v: u8,
    /// The index of its quantization table, 0 to 3.
    pub(crate) quant: u8,
}

impl FrameHeader {
    /// Reads the parameters behind the length of the segment whose marker is `marker`.
    pub(crate) fn parse(marker: u8, parameters: &[u8]) -> Result<Self, Error> {
        let &[precision, h1, h0, w1, w0, count, ref rest @ ..] = parameters else {
            return Err(Error::Corrupt("the frame header is too short"));
        };
        let process = match marker {
            0xC0 => Process::Baseline,
            0xC1 | 0xC9 => Process::Extended,
            0xC2 | 0xCA => Process::Progressive,
            0xC3 | 0xCB => return Err(Error::Unsupported("lossless JPEG (ITU-T T.81, annex H)")),
            _ => return Err(Error::Unsupported("hierarchical JPEG (ITU-T T.81, annex J)")),
        };
        let components: Vec<_> = rest
            .chunks_exact(3)
            .take(usize::from(count))
            .map(|c| FrameComponent { id: c[0], h: c[1] >> 4, v: c[1] & 15, quant: c[2] })
            .collect();
        let factors = 1..=4;
        if components.len() != usize::from(count)
            || components.iter().any(|c| !factors.contains(&c.h) || !factors.contains(&c.v) || c.quant > 3)
        {
            return Err(Error::Corrupt("the frame header has invalid components"));
        }
        if !(1..=4).contains(&count) {
            return Err(Error::Unsupported("a picture of no components or of more than four"));
        }
        let (width, height) = (u16::from_be_bytes([w1, w0]), u16::from_be_bytes([h1, h0]));
        if width == 0 {
            return Err(Error::Corrupt("the picture has no pixels"));
        }
        Ok(Self { process, arithmetic: marker > 0xC8, precision, width, height, components })
    }

    /// The largest horizontal and vertical sampling factors.
    pub(crate) fn max_sampling(&self) -> (u8, u8) {
        let largest = |factor: fn(&FrameComponent) -> u8| self.components.iter().map(factor).max();
        (largest(|c| c.h).unwrap_or(1), largest(|c| c.v).unwrap_or(1))
    }
}
