//! Which scans the AC coefficients of a component take the fewest bytes in (what mozjpeg's `optimize_scans` is for).
//!
//! All divisions that are considered are compared, by the symbols that they would take and without coding any.

use super::statistics::{Band, Counts, LEVELS, SPLITS, Statistics};
use crate::types::ScanInfo;

/// A scan, and what its symbols are.
pub(super) struct Scan {
    pub(super) info: ScanInfo,
    pub(super) counts: Counts,
}

/// The scans of component `number`: those for the first time, then those that put bits back.
pub(super) fn scans(statistics: &Statistics, number: u8, levels: usize) -> Vec<Scan> {
    let first = |band: Band, left_out: usize| {
        let (from, to) = band.range();
        let info = ScanInfo::ac_scan(number, from, to, 0, left_out as u8);
        Scan { info, counts: statistics.first(band, left_out) }
    };
    let refinement = |left_out: usize| {
        let info = ScanInfo::ac_scan(number, 1, 63, left_out as u8 + 1, left_out as u8);
        Scan { info, counts: statistics.refinement(left_out).0 }
    };
    let mut best = (u64::MAX, Vec::new());
    let mut refined = 0;
    for left_out in 0..levels.min(LEVELS) {
        if left_out > 0 {
            let (counts, corrections) = statistics.refinement(left_out - 1);
            refined += bits(&counts) + corrections;
        }
        let divisions = (0..SPLITS.len()).map(|split| vec![Band::Low(split), Band::High(split)]);
        for bands in std::iter::once(vec![Band::All]).chain(divisions) {
            let cost = |&band: &Band| bits(&statistics.first(band, left_out));
            let cost = refined + bands.iter().map(cost).sum::<u64>();
            if cost < best.0 {
                best = (cost, bands.into_iter().map(|band| (band, left_out)).collect());
            }
        }
    }
    let left_out = best.1.first().map_or(0, |&(_, left_out)| left_out);
    let firsts = best.1.into_iter().map(|(band, left_out)| first(band, left_out));
    firsts.chain((0..left_out).rev().map(refinement)).collect()
}

/// What a scan takes with its markers and its Huffman table, but for correction bits. That no code is longer than 16 bits is left
/// aside.
fn bits(counts: &Counts) -> u64 {
    let mut values = 0;
    // JPEG has one code more than it uses.
    let mut weights = vec![1_u64];
    for (symbol, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let (run, size) = (symbol as u64 >> 4, symbol as u64 & 15);
        let extra = if size > 0 { size } else { run % 15 };
        values += u64::from(count) * extra;
        weights.push(u64::from(count));
    }
    let markers = 8 * (10 + 21 + weights.len() as u64 - 1);
    markers + values + code_bits(&mut weights)
}

/// The bits of all symbols in a Huffman code: the sum of the weights of its inner nodes.
fn code_bits(weights: &mut [u64]) -> u64 {
    if weights.len() == 1 {
        return 0;
    }
    weights.sort_unstable();
    let mut inner = Vec::with_capacity(weights.len());
    let (mut leaf, mut node, mut sum) = (0, 0, 0);
    for _ in 1..weights.len() {
        let mut least = || match (weights.get(leaf), inner.get(node)) {
            (Some(&weight), other) if other.is_none_or(|&other| weight <= other) => {
                leaf += 1;
                weight
            }
            (_, Some(&weight)) => {
                node += 1;
                weight
            }
            _ => 0,
        };
        let weight = least() + least();
        inner.push(weight);
        sum += weight;
    }
    sum
}
