//! The table of README.md, between two comments. `FILEPRESS_WRITE_TABLES=1` writes it anew.

use std::collections::BTreeMap;
use std::path::Path;

use crate::graph::Inventory;

const BEGIN: &str = "<!-- what survives of PDF: written by tests/documents -->\n";
const END: &str = "<!-- end -->\n";

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
    let mut table = "| Part of a PDF | by default | `strip_metadata: false` |\n|---|---|---|\n".to_owned();
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

/// Compares it with that of README.md.
pub(crate) fn check(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md");
    let (before, rest) = readme.split_once(BEGIN).expect("where the table begins");
    let (written, after) = rest.split_once(END).expect("where the table ends");
    if std::env::var_os("FILEPRESS_WRITE_TABLES").is_some() {
        std::fs::write(&path, [before, BEGIN, table, END, after].concat()).expect("README.md is written");
    } else {
        assert_eq!(written, table, "README.md says something else: FILEPRESS_WRITE_TABLES=1 writes it anew");
    }
}
