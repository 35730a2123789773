//! Coefficients to a file: what follows its metadata. Huffman tables are made for the picture, and the scans of a progressive file
//! chosen by their size.

use super::bits::{BitSink, CodeWords};
use super::blocks::Component;
use super::huffman::HuffmanTable;
use super::markers::{self, FrameComponent};
use super::scans::{self, AcScan};
use super::search::{self, ChosenScan};
use super::sequential;
use super::statistics::{LEVELS, Statistics};
use crate::coefficients::QuantTable;

/// Lowest bits that a first scan of chroma leaves out at most, and one: they matter less than those of luma.
const CHROMA_LEVELS: usize = 3;
/// Blocks that an MCU may have (ITU-T T.81, B.2.3).
const MAX_MCU_BLOCKS: usize = 10;

/// What a frame header says.
pub(crate) struct Frame {
    /// Across and down.
    pub(crate) size: (u16, u16),
    pub(crate) precision: u8,
    /// The identifier of each component and the number of its quantization table.
    pub(crate) components: Vec<(u8, u8)>,
    pub(crate) tables: Vec<QuantTable>,
}

/// Bytes of a progressive file below which a single scan may be smaller: each scan has headers and tables.
const SMALL: usize = 16 << 10;

/// As [`picture`], with several scans, or one where that is smaller.
pub(crate) fn smallest(out: Vec<u8>, frame: &Frame, components: &[Component]) -> Vec<u8> {
    let before = out.len();
    let head = out.clone();
    let progressive = picture(out, frame, components, true);
    if progressive.len() - before > SMALL {
        return progressive;
    }
    let sequential = picture(head, frame, components, false);
    if sequential.len() < progressive.len() { sequential } else { progressive }
}

/// Appends quantization tables, frame header, scans and EOI.
pub(crate) fn picture(out: Vec<u8>, frame: &Frame, components: &[Component], progressive: bool) -> Vec<u8> {
    let mut out = out;
    markers::dqt(&mut out, &frame.tables);
    let wide = frame.tables.iter().flatten().any(|&step| step > 255);
    let kind = if progressive { 2 } else { u8::from(frame.precision > 8 || wide) };
    let header = frame.components.iter().zip(components);
    let header =
        header.map(|(&(id, table), component)| FrameComponent { id, sampling: component.sampling, table });
    markers::sof(&mut out, kind, frame.precision, frame.size, &header.collect::<Vec<_>>());
    let mut sink = BitSink::new(out);
    match progressive {
        true => progressive_scans(&mut sink, frame, components),
        false => sequential_scans(&mut sink, frame, components),
    }
    let mut out = sink.into_bytes();
    markers::eoi(&mut out);
    out
}

/// The components that a scan of several may have together.
fn interleaved(components: &[Component]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let blocks: usize = components.iter().map(|component| component.sampling.0 * component.sampling.1).sum();
    let step = if blocks > MAX_MCU_BLOCKS { 1 } else { components.len() };
    (0..components.len()).step_by(step.max(1)).map(move |first| first..first + step)
}

/// The number of the table of a component: luma has the first, all others the second.
fn table_number(component: usize) -> u8 {
    component.min(1) as u8
}

fn progressive_scans(sink: &mut BitSink, frame: &Frame, components: &[Component]) {
    for range in interleaved(components) {
        let (first, components) = (range.start, &components[range.clone()]);
        let mut counts = vec![[0_u32; 256]; components.len().min(2)];
        scans::dc_differences(components, |number, difference| {
            counts[number.min(1)][32 - difference.unsigned_abs().leading_zeros() as usize] += 1;
        });
        let tables: Vec<HuffmanTable> = counts.iter().map(HuffmanTable::optimal).collect();
        for (number, table) in tables.iter().enumerate() {
            markers::dht(sink.bytes(), 0, number as u8, table);
        }
        let scan = AcScan { component: 0, band: (0, 0), high: 0, low: 0 };
        let ids = range.map(|number| (frame.components[number].0, table_number(number - first) << 4));
        markers::sos(sink.bytes(), ids, &scan);
        scans::dc(sink, components, &tables);
    }
    for ChosenScan { scan, counts } in chosen_scans(components) {
        let table = HuffmanTable::optimal(&counts);
        let number = table_number(scan.component);
        markers::dht(sink.bytes(), 1, number, &table);
        markers::sos(sink.bytes(), std::iter::once((frame.components[scan.component].0, number)), &scan);
        scans::ac(sink, &components[scan.component], &scan, &table);
    }
}

/// What shows most comes first: low frequencies, and what is left out last.
fn order(ChosenScan { scan, .. }: &ChosenScan) -> (bool, u8, u8) {
    (scan.high > 0, u8::MAX - scan.high, scan.band.0)
}

/// The scans of AC coefficients in their order.
fn chosen_scans(components: &[Component]) -> Vec<ChosenScan> {
    let mut chosen = Vec::new();
    for (number, component) in components.iter().enumerate() {
        let levels = if number == 0 { LEVELS } else { CHROMA_LEVELS };
        for scan in search::scans(&Statistics::of(component, levels), number, levels) {
            let place = chosen.partition_point(|other| order(other) <= order(&scan));
            chosen.insert(place, scan);
        }
    }
    chosen
}

fn sequential_scans(sink: &mut BitSink, frame: &Frame, components: &[Component]) {
    for range in interleaved(components) {
        let (first, components) = (range.start, &components[range.clone()]);
        let mut counts = vec![[0_u32; 256]; sequential::TABLES.min(2 * components.len())];
        sequential::symbols(components, |symbol| counts[symbol.table][symbol.symbol] += 1);
        let mut codes = Vec::new();
        for (number, counts) in counts.iter().enumerate() {
            let table = HuffmanTable::optimal(counts);
            markers::dht(sink.bytes(), number as u8 % 2, number as u8 / 2, &table);
            codes.push(CodeWords::new(&table));
        }
        let scan = AcScan { component: 0, band: (0, 63), high: 0, low: 0 };
        let ids = range.map(|number| (frame.components[number].0, 0x11 * table_number(number - first)));
        markers::sos(sink.bytes(), ids, &scan);
        sequential::write(sink, components, &codes);
    }
}
