//! Marker segments that a picture needs (ITU-T T.81, annex B).

use super::huffman::HuffmanTable;
use super::scans::AcScan;
use crate::coefficients::QuantTable;
use crate::marker::{APP0, DHT, DQT, EOI, SOF0, SOI, SOS};

/// A component in the frame header.
pub(crate) struct FrameComponent {
    pub(crate) id: u8,
    pub(crate) sampling: (usize, usize),
    /// The number of its quantization table.
    pub(crate) table: u8,
}

/// The marker, and the length of what follows it.
fn begin(out: &mut Vec<u8>, marker: u8, len: usize) {
    out.extend_from_slice(&[0xFF, marker]);
    out.extend_from_slice(&(len as u16 + 2).to_be_bytes());
}

/// The begin of a file.
pub(crate) fn soi(out: &mut Vec<u8>) {
    out.extend_from_slice(&[0xFF, SOI]);
}

/// The end of a file.
pub(crate) fn eoi(out: &mut Vec<u8>) {
    out.extend_from_slice(&[0xFF, EOI]);
}

/// The JFIF header (ITU-T T.871, 10.1): square pixels.
pub(crate) fn jfif(out: &mut Vec<u8>) {
    begin(out, APP0, 14);
    out.extend_from_slice(b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
}

/// Quantization tables, numbered from 0.
pub(crate) fn dqt(out: &mut Vec<u8>, tables: &[QuantTable]) {
    let wide = |table: &QuantTable| table.iter().any(|&step| step > 255);
    let len = tables.iter().map(|table| if wide(table) { 129 } else { 65 }).sum();
    begin(out, DQT, len);
    for (number, table) in tables.iter().enumerate() {
        out.push(u8::from(wide(table)) << 4 | number as u8);
        match wide(table) {
            true => table.iter().for_each(|step| out.extend_from_slice(&step.to_be_bytes())),
            false => out.extend(table.iter().map(|&step| step as u8)),
        }
    }
}

/// The frame header; `kind` is what to add to SOF0.
pub(crate) fn sof(
    out: &mut Vec<u8>,
    kind: u8,
    precision: u8,
    size: (u16, u16),
    components: &[FrameComponent],
) {
    begin(out, SOF0 + kind, 6 + 3 * components.len());
    out.push(precision);
    out.extend_from_slice(&size.1.to_be_bytes());
    out.extend_from_slice(&size.0.to_be_bytes());
    out.push(components.len() as u8);
    for component in components {
        let (h, v) = component.sampling;
        out.extend_from_slice(&[component.id, (h << 4 | v) as u8, component.table]);
    }
}

/// A Huffman table. `class` is 0 for DC, 1 for AC.
pub(crate) fn dht(out: &mut Vec<u8>, class: u8, number: u8, table: &HuffmanTable) {
    begin(out, DHT, 17 + table.symbols.len());
    out.push(class << 4 | number);
    out.extend_from_slice(&table.counts);
    out.extend_from_slice(&table.symbols);
}

/// The header of a scan of the components with these identifiers and tables, whose band and bits are those of `scan`.
pub(crate) fn sos(out: &mut Vec<u8>, components: impl ExactSizeIterator<Item = (u8, u8)>, scan: &AcScan) {
    begin(out, SOS, 4 + 2 * components.len());
    out.push(components.len() as u8);
    components.for_each(|(id, tables)| out.extend_from_slice(&[id, tables]));
    out.extend_from_slice(&[scan.band.0, scan.band.1, scan.high << 4 | scan.low]);
}
