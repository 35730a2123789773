//! Reads numbers and slices from the front of bytes, all of them little-endian.

use crate::error::{Error, Result};

/// What was not read yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Error::Corrupt("it ends too soon"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (&number, rest) = self.0.split_first_chunk().ok_or(Error::Corrupt("it ends too soon"))?;
        self.0 = rest;
        Ok(number)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        self.number().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16> {
        self.number().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.number().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.number().map(u64::from_le_bytes)
    }

    /// The length of what follows.
    pub(crate) fn length(&mut self) -> Result<usize> {
        let length = self.u32()?;
        usize::try_from(length as i32).map_err(|_| Error::Corrupt("a length is negative"))
    }

    /// A string of at most 255 bytes, which ends with a zero.
    pub(crate) fn text(&mut self) -> Result<&'a [u8]> {
        let end = self.0.iter().take(256).position(|&byte| byte == 0);
        let text = self.take(end.ok_or(Error::Corrupt("a name does not end"))?)?;
        self.take(1)?;
        Ok(text)
    }
}
