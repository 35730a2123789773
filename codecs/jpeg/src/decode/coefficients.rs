//! Decodes a file to its quantized coefficients.

use crate::coefficients::{Block, Coefficients, ComponentCoefficients};
use crate::decode::damage::Damage;
use crate::decode::headers::Headers;
use crate::decode::layout::Layout;
use crate::decode::options::DecodeOptions;
use crate::decode::store::Store;
use crate::error::Error;

/// The quantized coefficients of a file, and what was lost if it is damaged.
///
/// # Errors
/// As [`Decoder::new`](crate::Decoder::new) and [`Decoder::read_rows`](crate::Decoder::read_rows).
pub fn decode_coefficients(
    bytes: &[u8],
    options: DecodeOptions,
) -> Result<(Coefficients, Option<Damage>), Error> {
    let mut headers = Headers::read(bytes, options)?;
    let layout = Layout::new(&headers, 8, false);
    options.limits.check_memory(size(&layout))?;
    let (store, tally) = Store::read(&mut headers, &layout, options)?;
    if options.strict && tally.damage().is_some() {
        return Err(Error::Corrupt("its data are damaged"));
    }
    let frame = &headers.frame;
    let mut components = Vec::with_capacity(store.components.len());
    for ((stored, sizes), component) in
        store.components.into_iter().zip(&layout.components).zip(&frame.components)
    {
        let mut blocks = Vec::with_capacity(sizes.blocks.0 * sizes.blocks.1);
        // What is packed of a row is free when it was taken.
        stored.rows.into_iter().for_each(|row| blocks.extend(row.blocks()));
        let single = frame.components.len() == 1;
        components.push(ComponentCoefficients {
            id: component.id,
            h: if single { 1 } else { component.h },
            v: if single { 1 } else { component.v },
            quant: stored.quant.ok_or(Error::Corrupt("a quantization table is missing"))?,
            blocks_wide: sizes.blocks.0,
            blocks_high: sizes.blocks.1,
            scan_blocks_wide: sizes.scan_blocks.0,
            scan_blocks_high: sizes.scan_blocks.1,
            blocks,
        });
    }
    let (width, height, precision) = (frame.width, frame.height, frame.precision);
    Ok((Coefficients { width, height, precision, components }, tally.damage()))
}

/// The bytes that the coefficients take at most. Packed ones take as much as others or more, and those of a component are held in both
/// forms while they are unpacked.
fn size(layout: &Layout) -> u64 {
    let blocks = layout.components.iter().map(|c| c.blocks.0 as u64 * c.blocks.1 as u64);
    Store::size(layout) + blocks.max().unwrap_or_default() * size_of::<Block>() as u64
}
