//! Writes the entropy-coded segments of progressive scans (ITU-T T.81, annex G).

use std::io::{Result, Write};

use super::bits::{BitSink, CodeWords, value_bits};
use super::blocks::{Component, bits_to, in_mcus, take_lowest};
use super::statistics::{MAX_END_RUN, MAX_WAITING, ZERO_RUN};
use crate::huffman::DerivedTable;
use crate::types::ScanInfo;

/// What each DC coefficient differs by from the one before of its component, which is named by its number.
pub(super) fn dc_differences(components: &[Component], mut put: impl FnMut(usize, i32)) -> Result<()> {
    let mut last = [0; 4];
    in_mcus(components, |_, _, number, index| {
        let dc = i32::from(components[number].blocks[index][0]);
        put(number, dc - last[number]);
        last[number] = dc;
        Ok(())
    })
}

/// The scan of the DC coefficients of all components. `tables` are those of luma and of chroma.
pub(super) fn dc<W: Write>(
    sink: &mut BitSink<W>,
    components: &[Component],
    tables: &[DerivedTable],
) -> Result<()> {
    let codes: Vec<CodeWords> = tables.iter().map(CodeWords::new).collect();
    dc_differences(components, |number, difference| {
        let (size, bits) = value_bits(difference.unsigned_abs(), difference < 0);
        codes[number.min(1)].put(sink, size as usize, bits, size);
    })?;
    sink.finish()
}

/// A scan of AC coefficients.
pub(super) fn ac<W: Write>(
    sink: &mut BitSink<W>,
    component: &Component,
    scan: &ScanInfo,
    table: &DerivedTable,
) -> Result<()> {
    let codes = CodeWords::new(table);
    match scan.ah {
        0 => first(sink, component, scan, &codes)?,
        _ => refinement(sink, component, scan, &codes)?,
    }
    sink.finish()
}

#[inline(always)]
fn end_run<W: Write>(sink: &mut BitSink<W>, codes: &CodeWords, run: &mut usize) {
    if *run > 0 {
        let size = run.ilog2();
        codes.put(sink, (size as usize) << 4, *run as u32 & ((1 << size) - 1), size);
        *run = 0;
    }
}

fn first<W: Write>(
    sink: &mut BitSink<W>,
    component: &Component,
    scan: &ScanInfo,
    codes: &CodeWords,
) -> Result<()> {
    let (start, end, left_out) = (usize::from(scan.ss), usize::from(scan.se), scan.al);
    let band = bits_to(end) & !bits_to(start - 1);
    let mut ended = 0;
    for (block, mask) in component.scan() {
        let mut rest = mask & band;
        let mut previous = start - 1;
        while rest != 0 {
            let k = take_lowest(&mut rest);
            let magnitude = u32::from(block[k].unsigned_abs()) >> left_out;
            if magnitude == 0 {
                continue;
            }
            end_run(sink, codes, &mut ended);
            let mut run = k - previous - 1;
            while run >= 16 {
                codes.put(sink, ZERO_RUN, 0, 0);
                run -= 16;
            }
            let (size, bits) = value_bits(magnitude, block[k] < 0);
            codes.put(sink, run << 4 | size as usize, bits, size);
            previous = k;
        }
        if previous < end {
            ended += 1;
            if ended == MAX_END_RUN {
                end_run(sink, codes, &mut ended);
            }
        }
        sink.hand_on()?;
    }
    end_run(sink, codes, &mut ended);
    Ok(())
}

/// Bits that go with a symbol to come.
#[derive(Clone, Copy, Default)]
struct Corrections {
    bits: u64,
    count: u32,
}

impl Corrections {
    fn write<W: Write>(&mut self, sink: &mut BitSink<W>) {
        let low = self.count.min(32);
        sink.put((self.bits >> low) as u32, self.count - low);
        sink.put(self.bits as u32, low);
        *self = Self::default();
    }
}

fn refinement<W: Write>(
    sink: &mut BitSink<W>,
    component: &Component,
    scan: &ScanInfo,
    codes: &CodeWords,
) -> Result<()> {
    let left_out = scan.al;
    let mut ended = 0;
    // Of the blocks that have ended.
    let mut waiting: Vec<Corrections> = Vec::new();
    let mut waiting_count = 0;
    let mut end =
        |sink: &mut BitSink<W>, ended: &mut usize, waiting: &mut Vec<Corrections>, count: &mut u32| {
            end_run(sink, codes, ended);
            waiting.drain(..).for_each(|mut corrections| corrections.write(sink));
            *count = 0;
        };
    for (block, mask) in component.scan() {
        let magnitude = |k: usize| u32::from(block[k].unsigned_abs()) >> left_out;
        let (mut coded, mut new) = (0_u64, 0_u64);
        let mut rest = mask;
        while rest != 0 {
            let k = take_lowest(&mut rest);
            match magnitude(k) {
                0 => {}
                1 => new |= 1 << k,
                _ => coded |= 1 << k,
            }
        }
        if new != 0 {
            end(sink, &mut ended, &mut waiting, &mut waiting_count);
        }
        let last = 63 - (new | 1).leading_zeros() as usize;
        let mut corrections = Corrections::default();
        let (mut previous, mut run) = (0, 0);
        let mut rest = (coded | new) & bits_to(last);
        while rest != 0 {
            let k = take_lowest(&mut rest);
            run += k - previous - 1;
            previous = k;
            while run >= 16 {
                codes.put(sink, ZERO_RUN, 0, 0);
                corrections.write(sink);
                run -= 16;
            }
            if coded >> k & 1 != 0 {
                corrections.bits = corrections.bits << 1 | u64::from(magnitude(k) & 1);
                corrections.count += 1;
                continue;
            }
            codes.put(sink, run << 4 | 1, u32::from(block[k] >= 0), 1);
            corrections.write(sink);
            run = 0;
        }
        let mut rest = coded & !bits_to(last);
        while rest != 0 {
            let k = take_lowest(&mut rest);
            corrections.bits = corrections.bits << 1 | u64::from(magnitude(k) & 1);
            corrections.count += 1;
        }
        if last < 63 {
            ended += 1;
            if corrections.count > 0 {
                waiting_count += corrections.count;
                waiting.push(corrections);
            }
            if ended == MAX_END_RUN || waiting_count > MAX_WAITING {
                end(sink, &mut ended, &mut waiting, &mut waiting_count);
            }
        }
        sink.hand_on()?;
    }
    end(sink, &mut ended, &mut waiting, &mut waiting_count);
    Ok(())
}
