//! The tables that segments define before and between scans (T.81, B.2.4).

use crate::coefficients::QuantTable;
use crate::error::Error;
use crate::huffman_spec::HuffmanSpec;

/// The tables as defined so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) quant: [Option<QuantTable>; 4],
    pub(crate) dc: [Option<HuffmanSpec>; 4],
    pub(crate) ac: [Option<HuffmanSpec>; 4],
    #[cfg(feature = "arithmetic")]
    pub(crate) conditioning: Conditioning,
    /// MCUs between restart markers; 0 without.
    pub(crate) restart_interval: u16,
}

/// Parameters of arithmetic coding (T.81, B.2.4.3).
#[cfg(feature = "arithmetic")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditioning {
    /// The bounds L and U of each table for DC.
    pub(crate) dc: [(u8, u8); 16],
    /// Kx of each table for AC.
    pub(crate) ac: [u8; 16],
}

#[cfg(feature = "arithmetic")]
impl Default for Conditioning {
    fn default() -> Self {
        Self { dc: [(0, 1); 16], ac: [5; 16] }
    }
}

impl Tables {
    /// Reads a `DQT` segment.
    pub(crate) fn read_quant(&mut self, mut parameters: &[u8]) -> Result<(), Error> {
        let invalid = Error::Corrupt("a quantization table is invalid");
        while let Some((&kind, rest)) = parameters.split_first() {
            let slot = self.quant.get_mut(usize::from(kind & 15)).ok_or(invalid)?;
            let width = match kind >> 4 {
                0 => 1,
                1 => 2,
                _ => return Err(invalid),
            };
            let (steps, behind) = rest.split_at_checked(64 * width).ok_or(invalid)?;
            let step = |k: usize| match width {
                1 => u16::from(steps[k]),
                _ => u16::from_be_bytes([steps[2 * k], steps[2 * k + 1]]),
            };
            *slot = Some(std::array::from_fn(step));
            parameters = behind;
        }
        Ok(())
    }

    /// Reads a `DHT` segment.
    pub(crate) fn read_huffman(&mut self, mut parameters: &[u8]) -> Result<(), Error> {
        let invalid = Error::Corrupt("a Huffman table is invalid");
        while let Some((&kind, rest)) = parameters.split_first() {
            let tables = match kind >> 4 {
                0 => &mut self.dc,
                1 => &mut self.ac,
                _ => return Err(invalid),
            };
            let slot = tables.get_mut(usize::from(kind & 15)).ok_or(invalid)?;
            let (&counts, rest) = rest.split_first_chunk::<16>().ok_or(invalid)?;
            let mut spec = HuffmanSpec::new(counts, &[]);
            let length = spec.len();
            if length > 256 || length > rest.len() || !fits(&counts) {
                return Err(invalid);
            }
            let (symbols, behind) = rest.split_at(length);
            spec.symbols[..length].copy_from_slice(symbols);
            *slot = Some(spec);
            parameters = behind;
        }
        Ok(())
    }

    /// Reads a `DRI` segment.
    pub(crate) fn read_restart_interval(&mut self, parameters: &[u8]) -> Result<(), Error> {
        let &interval = parameters.first_chunk().ok_or(Error::Corrupt("a restart interval is invalid"))?;
        self.restart_interval = u16::from_be_bytes(interval);
        Ok(())
    }

    /// Reads a `DAC` segment.
    #[cfg(feature = "arithmetic")]
    pub(crate) fn read_conditioning(&mut self, parameters: &[u8]) -> Result<(), Error> {
        let invalid = Error::Corrupt("the conditioning of arithmetic coding is invalid");
        for &[kind, value] in parameters.as_chunks::<2>().0 {
            let index = usize::from(kind & 15);
            match kind >> 4 {
                0 if value & 15 <= value >> 4 => {
                    *self.conditioning.dc.get_mut(index).ok_or(invalid)? = (value & 15, value >> 4);
                }
                1 => *self.conditioning.ac.get_mut(index).ok_or(invalid)? = value,
                _ => return Err(invalid),
            }
        }
        Ok(())
    }
}

/// Whether there are as many codes as lengths can tell apart (T.81, annex C).
fn fits(counts: &[u8; 16]) -> bool {
    let mut free = 1_u32;
    counts.iter().all(|&count| {
        free *= 2;
        let enough = u32::from(count) <= free;
        free = free.saturating_sub(u32::from(count));
        enough
    })
}
