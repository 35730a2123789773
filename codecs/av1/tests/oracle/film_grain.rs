//! Random film grain, as the table that aomenc reads.

use super::content::{Chroma, Source};
use super::random::Random;
use std::fmt::Write;

/// A table with one entry, for the whole of time.
pub(super) fn table(random: &mut Random, source: &Source) -> String {
    let lag = random.below(4);
    let from_luma = random.once_in(4);
    let mono = source.chroma == Chroma::Mono;
    let mut table = format!("filmgrn1\nE 0 9223372036854775807 1 {} 1\n", random.below(65536));
    let numbers: [usize; 12] = [
        lag,
        6 + random.below(4),
        random.below(4),
        8 + random.below(4),
        usize::from(from_luma),
        random.below(2),
        random.below(256),
        random.below(256),
        random.below(512),
        random.below(256),
        random.below(256),
        random.below(512),
    ];
    list(&mut table, "p", &numbers.map(|number| number as i64));
    points(random, "sY", 0, 14, &mut table);
    let most = if mono || from_luma { 0 } else { 10 };
    // Where chroma is subsampled in both directions, both planes have points or none has.
    let cb = points(random, "sCb", 0, most, &mut table);
    let most = if cb == 0 { 0 } else { most };
    points(random, "sCr", most.min(1), most, &mut table);
    let coefficients = 2 * lag * (lag + 1);
    for (name, count) in [("cY", coefficients), ("cCb", coefficients + 1), ("cCr", coefficients + 1)] {
        let values: Vec<i64> = (0..count).map(|_| random.below(41) as i64 - 20).collect();
        list(&mut table, name, &values);
    }
    table
}

/// Points of ascending values. Returns how many.
fn points(random: &mut Random, name: &str, least: usize, most: usize, table: &mut String) -> usize {
    let mut values: Vec<i64> =
        (0..least + random.below(most - least + 1)).map(|_| random.below(256) as i64).collect();
    values.sort_unstable();
    values.dedup();
    let mut numbers = vec![values.len() as i64];
    numbers.extend(values.iter().flat_map(|&value| [value, random.below(256) as i64]));
    list(table, name, &numbers);
    values.len()
}

fn list(table: &mut String, name: &str, numbers: &[i64]) {
    table.push_str(name);
    numbers.iter().for_each(|number| write!(table, " {number}").unwrap());
    table.push('\n');
}
