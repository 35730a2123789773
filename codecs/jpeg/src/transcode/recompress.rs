//! Coefficients to a file: the same pixels in fewer bytes.

use crate::coefficients::{Coefficients, QuantTable};
use crate::encode::{Component, Frame, picture, smallest};
use crate::error::Error;
use crate::marker::SOI;

/// In which scans coefficients are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scans {
    /// One scan of everything; one for each component where an MCU would have too many blocks.
    Sequential,
    /// The divisions that take the fewest bytes.
    Progressive,
    /// Of the two, what is smaller: small pictures are, in one scan.
    Smallest,
}

/// The file of these coefficients, with Huffman tables made for them. `segments` stand behind SOI as they are
/// ([`marker_segments`](super::marker_segments)): without them, decoders guess what three and four components mean.
///
/// # Errors
/// [`Error::Argument`] where the sizes of the components contradict each other, there are more than four quantization tables, or an AC
/// coefficient is -32,768, for which there is no code, [`Error::Limit`] where there is too little memory.
pub fn write_coefficients(
    coefficients: Coefficients,
    segments: &[u8],
    scans: Scans,
) -> Result<Vec<u8>, Error> {
    check(&coefficients)?;
    let mut tables: Vec<QuantTable> = Vec::new();
    let mut ids = Vec::new();
    let mut components = Vec::new();
    let (size, precision) = ((coefficients.width, coefficients.height), coefficients.precision);
    for component in coefficients.components {
        let known = tables.iter().position(|table| *table == component.quant);
        let table = known.unwrap_or(tables.len());
        if known.is_none() {
            tables.push(component.quant);
        }
        ids.push((component.id, table as u8));
        components.push(Component::of(component)?);
    }
    let frame = Frame { size, precision, components: ids, tables };
    let head = || [&[0xFF, SOI], segments].concat();
    let written = |progressive| picture(head(), &frame, &components, progressive);
    Ok(match scans {
        Scans::Sequential => written(false),
        Scans::Progressive => written(true),
        Scans::Smallest => smallest(head(), &frame, &components),
    })
}

/// Whether blocks are as many as the size says, and their coefficients have codes.
fn check(coefficients: &Coefficients) -> Result<(), Error> {
    let mcus = coefficients.mcus();
    let counts = 1..=4;
    let whole = counts.contains(&coefficients.components.len())
        && coefficients.components.iter().all(|component| {
            let (h, v) = (usize::from(component.h), usize::from(component.v));
            counts.contains(&h)
                && counts.contains(&v)
                && component.blocks_wide == mcus.0 * h
                && component.blocks_high == mcus.1 * v
                && (1..=component.blocks_wide).contains(&component.scan_blocks_wide)
                && (1..=component.blocks_high).contains(&component.scan_blocks_high)
                && component.blocks.len() == component.blocks_wide * component.blocks_high
        });
    if !whole {
        return Err(Error::Argument("the sizes of the components contradict each other"));
    }
    // A code has up to 15 bits of a coefficient; what progressive scans add up to can take one more.
    let blocks = || coefficients.components.iter().flat_map(|component| &component.blocks);
    match blocks().any(|block| block[1..].contains(&i16::MIN)) {
        true => Err(Error::Argument("an AC coefficient is too large")),
        false => Ok(()),
    }
}
