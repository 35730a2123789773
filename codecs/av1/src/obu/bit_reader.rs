//! Bits of headers (AV1 specification, section 4.10).

use crate::error::Error;

/// Reads bits, the most significant of each byte first.
pub(crate) struct BitReader<'a> {
    data: &'a [u8],
    position: usize,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data, position: 0 }
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Error> {
        let byte = self.data.get(self.position / 8).ok_or(Error::Corrupt("a header ends too soon"))?;
        let bit = byte >> (7 - self.position % 8) & 1;
        self.position += 1;
        Ok(bit != 0)
    }

    /// f(count): at most 32 bits.
    pub(crate) fn bits(&mut self, count: u32) -> Result<u32, Error> {
        (0..count).try_fold(0, |value: u32, _| Ok(value << 1 | u32::from(self.flag()?)))
    }

    /// f(count): at most 8 bits.
    pub(crate) fn byte(&mut self, count: u32) -> Result<u8, Error> {
        Ok(self.bits(count)? as u8)
    }

    /// su(count): a number with a sign, in two's complement.
    pub(crate) fn signed(&mut self, count: u32) -> Result<i32, Error> {
        let value = self.bits(count)? as i32;
        Ok(if value >> (count - 1) != 0 { value - (1 << count) } else { value })
    }

    /// ns(count): a number below `count`.
    pub(crate) fn uniform(&mut self, count: u32) -> Result<u32, Error> {
        let width = 32 - count.leading_zeros();
        let short = (1u32 << width).wrapping_sub(count);
        let value = self.bits(width.saturating_sub(1))?;
        if value < short {
            return Ok(value);
        }
        Ok((value << 1) - short + self.bits(1)?)
    }

    /// Skips a uvlc().
    pub(crate) fn skip_variable_length(&mut self) -> Result<(), Error> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
        }
        if zeros < 32 {
            self.bits(zeros)?;
        }
        Ok(())
    }

    /// The bytes from the next whole byte on.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.data.get(self.position.div_ceil(8)..).unwrap_or_default()
    }
}
