//! Writes the one scan of a sequential image (ITU-T T.81, annex F).

use std::io::{Result, Write};

use super::bits::{BitSink, CodeWords, value_bits};
use super::blocks::{Component, in_mcus, take_lowest};
use super::statistics::ZERO_RUN;

/// The tables of a symbol: DC and AC of luma, DC and AC of chroma.
pub(super) const TABLES: usize = 4;

/// A symbol of a table, and the bits that follow it.
pub(super) struct Symbol {
    pub(super) table: usize,
    pub(super) symbol: usize,
    bits: u32,
    count: u32,
}

/// All symbols in their order; `restart` is called before every MCU whose number is a multiple of `interval`, but for the first.
pub(super) fn symbols(
    components: &[Component],
    interval: usize,
    mut put: impl FnMut(Option<Symbol>) -> Result<()>,
) -> Result<()> {
    let mut last = [0; TABLES];
    in_mcus(components, |mcu, begins, number, index| {
        if begins && interval > 0 && mcu > 0 && mcu.is_multiple_of(interval) {
            last = [0; TABLES];
            put(None)?;
        }
        let (block, mask) = (&components[number].blocks[index], components[number].masks[index]);
        let table = 2 * number.min(1);
        let difference = i32::from(block[0]) - last[number];
        last[number] = i32::from(block[0]);
        let (count, bits) = value_bits(difference.unsigned_abs(), difference < 0);
        put(Some(Symbol { table, symbol: count as usize, bits, count }))?;
        let table = table + 1;
        let (mut rest, mut previous) = (mask, 0);
        while rest != 0 {
            let k = take_lowest(&mut rest);
            let mut run = k - previous - 1;
            while run >= 16 {
                put(Some(Symbol { table, symbol: ZERO_RUN, bits: 0, count: 0 }))?;
                run -= 16;
            }
            let (count, bits) = value_bits(block[k].unsigned_abs().into(), block[k] < 0);
            put(Some(Symbol { table, symbol: run << 4 | count as usize, bits, count }))?;
            previous = k;
        }
        match previous {
            63 => Ok(()),
            _ => put(Some(Symbol { table, symbol: 0, bits: 0, count: 0 })),
        }
    })
}

/// Writes the scan, with a restart marker every `interval` MCUs where that is not 0.
pub(super) fn write<W: Write>(
    sink: &mut BitSink<W>,
    components: &[Component],
    interval: usize,
    codes: &[CodeWords],
) -> Result<()> {
    let mut restarts = 0;
    symbols(components, interval, |symbol| match symbol {
        Some(Symbol { table, symbol, bits, count }) => {
            codes[table].put(sink, symbol, bits, count);
            sink.hand_on()
        }
        None => {
            sink.finish()?;
            sink.output().write_all(&[0xFF, 0xD0 + restarts % 8])?;
            restarts = (restarts + 1) % 8;
            Ok(())
        }
    })?;
    sink.finish()
}
