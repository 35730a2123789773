//! The table of what survives PDF → PDF.

use std::collections::BTreeMap;

use crate::graph::Inventory;

/// What was found of each part: in the inputs, by default, and with `strip_metadata: false`.
pub(crate) fn of(found: &[(Inventory, Vec<Inventory>)]) -> String {
    let mut sums: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (before, after) in found {
        for (part, count) in before {
            let sum = sums.entry(part).or_default();
            let counts = [*count, after[0][part], after[1][part]];
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    let mut table =
        "| part of a PDF | by default | `strip_metadata`: `false` |\n| --- | --- | --- |\n".to_owned();
    for (part, [before, stripped, kept]) in sums {
        assert!(before > 0, "no document has {part}");
        let word = |after| match after {
            0 => "removed".to_owned(),
            _ if after == before => "kept".to_owned(),
            _ => format!("{after} of {before} kept"),
        };
        table += &format!("| {part} | {} | {} |\n", word(stripped), word(kept));
    }
    table
}
