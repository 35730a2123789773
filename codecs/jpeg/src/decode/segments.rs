//! Marker segments (T.81, B.1.1): finds markers and the parameters behind them.

use crate::error::Error;
use crate::marker;

/// A position between the segments of a file.
#[derive(Clone, Debug)]
pub(crate) struct Segments<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Bytes that belong to no segment were skipped.
    pub(crate) extraneous: bool,
}

impl<'a> Segments<'a> {
    /// Behind the marker `SOI`, which starts a file.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        match bytes {
            [0xFF, marker::SOI, ..] => Ok(Self { bytes, at: 2, extraneous: false }),
            _ => Err(Error::Corrupt("it does not start with the marker SOI")),
        }
    }

    /// At an offset of a file.
    pub(crate) fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, extraneous: false }
    }

    /// All bytes of the file.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The offset of the next byte.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Goes on at an offset.
    pub(crate) fn seek(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    /// The next marker, or none at the end of the file. Bytes before it are skipped.
    pub(crate) fn next_marker(&mut self) -> Option<u8> {
        loop {
            let rest = self.bytes.get(self.at..)?;
            let skipped = rest.iter().position(|&byte| byte == 0xFF)?;
            let fill = rest[skipped..].iter().position(|&byte| byte != 0xFF)?;
            self.at += skipped + fill + 1;
            let code = rest[skipped + fill];
            self.extraneous |= skipped > 0 || code == 0;
            if code != 0 {
                return Some(code);
            }
        }
    }

    /// The parameters of the segment whose marker was read. A length that is beyond the end of the file is cut.
    pub(crate) fn parameters(&mut self) -> Result<&'a [u8], Error> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let &[high, low, ref behind @ ..] = rest else { return Err(Error::Corrupt("it ends too soon")) };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let length = length.checked_sub(2).ok_or(Error::Corrupt("a segment has an invalid length"))?;
        let parameters = &behind[..length.min(behind.len())];
        self.at += 2 + parameters.len();
        Ok(parameters)
    }
}
