//! The scan header (T.81, B.2.3): which components, and of progressive files which coefficients and bits, a scan has.

use crate::error::Error;
use crate::frame::FrameHeader;

/// The parameters of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScanHeader {
    /// One to four components.
    pub(crate) components: Vec<ScanComponent>,
    /// The first and the last coefficient in zigzag order: Ss, Se.
    pub(crate) first: u8,
    pub(crate) last: u8,
    /// The bit position of the scan before for the same coefficients, 0 for the first one: Ah.
    pub(crate) high: u8,
    /// The bit position of this scan: Al.
    pub(crate) low: u8,
}

/// A component of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScanComponent {
    /// The index of the component in the frame header.
    pub(crate) index: usize,
    /// The indices of its entropy coding tables, 0 to 15 as they are in the file; there are four of Huffman codes.
    pub(crate) dc_table: u8,
    pub(crate) ac_table: u8,
}

impl ScanHeader {
    /// The coefficients of the scan, a bit for each.
    pub(crate) fn band(&self) -> u64 {
        let (first, last) = (self.first.min(63), self.last.min(63));
        (u64::MAX << first) & (u64::MAX >> (63 - last))
    }

    /// Reads the parameters behind the length of an `SOS` segment.
    pub(crate) fn parse(frame: &FrameHeader, parameters: &[u8]) -> Result<Self, Error> {
        let invalid = Error::Corrupt("a scan header is invalid");
        let (&count, rest) = parameters.split_first().ok_or(invalid)?;
        let (entries, spectral) = rest.split_at_checked(2 * usize::from(count)).ok_or(invalid)?;
        let &[first, last, bits, ..] = spectral else { return Err(invalid) };
        let mut components = Vec::with_capacity(4);
        for entry in entries.as_chunks::<2>().0 {
            let index = frame.components.iter().position(|c| c.id == entry[0]).ok_or(invalid)?;
            let component = ScanComponent { index, dc_table: entry[1] >> 4, ac_table: entry[1] & 15 };
            let repeated = components.iter().any(|other: &ScanComponent| other.index == index);
            if repeated {
                return Err(invalid);
            }
            components.push(component);
        }
        match components.len() {
            1..=4 => Ok(Self { components, first, last, high: bits >> 4, low: bits & 15 }),
            _ => Err(invalid),
        }
    }
}
