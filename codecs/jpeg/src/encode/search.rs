//! Which scans the AC coefficients of a component take the fewest bytes in.
//!
//! All divisions that are considered are compared, by the symbols that they would take and without coding any.

use super::huffman::{Counts, code_bits};
use super::scans::AcScan;
use super::statistics::{Band, LEVELS, SPLITS, Statistics};

/// A scan, and what its symbols are.
pub(crate) struct ChosenScan {
    pub(crate) scan: AcScan,
    pub(crate) counts: Counts,
}

/// The scans of component number `component`: those for the first time, then those that put bits back.
pub(crate) fn scans(statistics: &Statistics, component: usize, levels: usize) -> Vec<ChosenScan> {
    let first = |band: Band, left_out: usize| {
        let scan = AcScan { component, band: band.range(), high: 0, low: left_out as u8 };
        ChosenScan { scan, counts: statistics.first(band, left_out) }
    };
    let refinement = |left_out: usize| {
        let scan = AcScan { component, band: (1, 63), high: left_out as u8 + 1, low: left_out as u8 };
        ChosenScan { scan, counts: statistics.refinement(left_out).0 }
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

/// What a scan takes with its markers and its Huffman table, but for correction bits.
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
