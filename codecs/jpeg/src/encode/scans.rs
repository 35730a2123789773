//! Writes the entropy-coded segments of progressive scans (ITU-T T.81, annex G).

use super::bits::{BitSink, CodeWords, value_bits};
use super::blocks::{Component, bits_to, in_mcus, indexed};
use super::huffman::HuffmanTable;
use super::statistics::{MAX_END_RUN, MAX_WAITING, ZERO_RUN};

/// A scan of the AC coefficients of a component: its band, and the lowest bit before and after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcScan {
    /// The number of the component.
    pub(crate) component: usize,
    /// Ss and Se.
    pub(crate) band: (u8, u8),
    /// Ah, 0 in the first scan of a band.
    pub(crate) high: u8,
    /// Al.
    pub(crate) low: u8,
}

/// What each DC coefficient differs by from the one before of its component, which is named by its number.
pub(crate) fn dc_differences(components: &[Component], mut put: impl FnMut(usize, i32)) {
    let mut last = [0; 4];
    in_mcus(components, |number, row, column| {
        let dc = i32::from(components[number].rows[row].dc[column]);
        put(number, dc - last[number]);
        last[number] = dc;
    });
}

/// The scan of the DC coefficients of all components. `tables` are those of luma and of all others.
pub(crate) fn dc(sink: &mut BitSink, components: &[Component], tables: &[HuffmanTable]) {
    let codes: Vec<CodeWords> = tables.iter().map(CodeWords::new).collect();
    dc_differences(components, |number, difference| {
        let (size, bits) = value_bits(difference.unsigned_abs(), difference < 0);
        codes[number.min(1)].put(sink, size as usize, bits, size);
    });
    sink.finish();
}

/// A scan of AC coefficients.
pub(crate) fn ac(sink: &mut BitSink, component: &Component, scan: &AcScan, table: &HuffmanTable) {
    let codes = CodeWords::new(table);
    match scan.high {
        0 => first(sink, component, scan, &codes),
        _ => Refinement { sink, codes: &codes, ended: 0, waiting: Vec::new(), bits: 0 }
            .write(component, scan.low),
    }
    sink.finish();
}

/// EOBn: so many blocks are at their end.
#[inline(always)]
fn end_run(sink: &mut BitSink, codes: &CodeWords, run: &mut usize) {
    if *run > 0 {
        let size = run.ilog2();
        codes.put(sink, (size as usize) << 4, *run as u32 & ((1 << size) - 1), size);
        *run = 0;
    }
}

fn first(sink: &mut BitSink, component: &Component, scan: &AcScan, codes: &CodeWords) {
    let (start, end, left_out) = (usize::from(scan.band.0), usize::from(scan.band.1), scan.low);
    let band = bits_to(end) & !bits_to(start - 1);
    let mut ended = 0;
    for (values, mask) in component.scan() {
        let mut previous = start - 1;
        // What is before the band, and behind it.
        let before = (mask & bits_to(start - 1)).count_ones() as usize;
        let within = mask & band;
        let values = values.get(before..before + within.count_ones() as usize).unwrap_or_default();
        for (k, value) in indexed(within, values) {
            let magnitude = u32::from(value.unsigned_abs()) >> left_out;
            if magnitude == 0 {
                continue;
            }
            end_run(sink, codes, &mut ended);
            let mut run = k - previous - 1;
            while run >= 16 {
                codes.put(sink, ZERO_RUN, 0, 0);
                run -= 16;
            }
            let (size, bits) = value_bits(magnitude, value < 0);
            codes.put(sink, run << 4 | size as usize, bits, size);
            previous = k;
        }
        if previous < end {
            ended += 1;
            if ended == MAX_END_RUN {
                end_run(sink, codes, &mut ended);
            }
        }
    }
    end_run(sink, codes, &mut ended);
}

/// Bits that go with a symbol to come.
#[derive(Clone, Copy, Default)]
struct Corrections {
    bits: u64,
    count: u32,
}

impl Corrections {
    #[inline(always)]
    fn push(&mut self, bit: u32) {
        self.bits = self.bits << 1 | u64::from(bit);
        self.count += 1;
    }

    fn write(&mut self, sink: &mut BitSink) {
        let low = self.count.min(32);
        sink.put((self.bits >> low) as u32, self.count - low);
        sink.put(self.bits as u32, low);
        *self = Self::default();
    }
}

/// A scan that puts a bit back.
struct Refinement<'a> {
    sink: &'a mut BitSink,
    codes: &'a CodeWords,
    /// Blocks that have ended, their corrections, and how many bits those are.
    ended: usize,
    waiting: Vec<Corrections>,
    bits: u32,
}

impl Refinement<'_> {
    fn write(mut self, component: &Component, low: u8) {
        for (values, mask) in component.scan() {
            self.block(values, mask, low);
        }
        self.end();
    }

    fn end(&mut self) {
        end_run(self.sink, self.codes, &mut self.ended);
        self.waiting.drain(..).for_each(|mut corrections| corrections.write(self.sink));
        self.bits = 0;
    }

    fn block(&mut self, values: &[i16], mask: u64, low: u8) {
        let magnitude = |value: i16| u32::from(value.unsigned_abs()) >> low;
        let mut new = 0_u64;
        for (k, value) in indexed(mask, values) {
            new |= u64::from(magnitude(value) == 1) << k;
        }
        if new != 0 {
            self.end();
        }
        let last = 63 - (new | 1).leading_zeros() as usize;
        let mut corrections = Corrections::default();
        let (mut previous, mut run) = (0, 0);
        for (k, value) in indexed(mask, values).filter(|&(_, value)| magnitude(value) > 0) {
            if k > last {
                corrections.push(magnitude(value) & 1);
                continue;
            }
            run += k - previous - 1;
            previous = k;
            while run >= 16 {
                self.codes.put(self.sink, ZERO_RUN, 0, 0);
                corrections.write(self.sink);
                run -= 16;
            }
            if new >> k & 1 == 0 {
                corrections.push(magnitude(value) & 1);
                continue;
            }
            self.codes.put(self.sink, run << 4 | 1, u32::from(value >= 0), 1);
            corrections.write(self.sink);
            run = 0;
        }
        if last < 63 {
            self.ended += 1;
            if corrections.count > 0 {
                self.bits += corrections.count;
                self.waiting.push(corrections);
            }
            if self.ended == MAX_END_RUN || self.bits > MAX_WAITING {
                self.end();
            }
        }
    }
}
