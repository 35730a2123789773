//! Writes numbers of SVG in the fewest characters.

use crate::formats::svg::decode::path::split_number;

/// How numbers are rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// All digits are kept.
    Exact,
    /// This number of decimals is kept.
    Decimals(u8),
}

/// The same number without redundant digits.
pub(crate) fn without_redundant_digits(number: &str) -> String {
    let (sign, number) = match number.strip_prefix('-') {
        Some(number) => ("-", number),
        None => ("", number.strip_prefix('+').unwrap_or(number)),
    };
    let (digits, exponent) = number.split_at(number.find(['e', 'E']).unwrap_or(number.len()));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, decimals) = (whole.trim_start_matches('0'), decimals.trim_end_matches('0'));
    match (whole.is_empty(), decimals.is_empty()) {
        (true, true) => "0".to_owned(),
        (_, true) => format!("{sign}{whole}{exponent}"),
        (..) => format!("{sign}{whole}.{decimals}{exponent}"),
    }
}

/// The nearest multiple of the last decimal. `None` if it cannot be represented exactly.
pub(crate) fn round(value: f64, decimals: u8) -> Option<i64> {
    let scaled = (value * scale(decimals)).round();
    (scaled.abs() < 9e15).then_some(scaled as i64)
}

/// How many units of the last decimal are one.
pub(crate) fn scale(decimals: u8) -> f64 {
    (0..decimals).fold(1.0, |scale, _| scale * 10.0)
}

/// Writes a multiple of the last decimal.
pub(crate) fn write(multiple: i64, decimals: u8) -> String {
    let digits = format!("{:0width$}", multiple.unsigned_abs(), width = usize::from(decimals) + 1);
    let (whole, rest) = digits.split_at(digits.len() - usize::from(decimals));
    let sign = if multiple < 0 { "-" } else { "" };
    without_redundant_digits(&format!("{sign}{whole}.{rest}"))
}

/// A value that is a single number, written shorter. `None` for other values, for example with a unit.
pub(crate) fn shorten(value: &str, precision: Precision) -> Option<String> {
    let (number, rest) = split_number(value.trim())?;
    if !rest.is_empty() {
        return None;
    }
    let exact = without_redundant_digits(number);
    let Precision::Decimals(decimals) = precision else { return Some(exact) };
    let value: f64 = number.parse().ok()?;
    let rounded = write(round(value, decimals)?, decimals);
    // A width of zero would disable rendering.
    Some(if (rounded == "0" && value != 0.0) || exact.len() <= rounded.len() { exact } else { rounded })
}

/// A list of numbers with the shortest separators.
pub(crate) fn shorten_list(value: &str, precision: Precision) -> Option<String> {
    let mut out = List::default();
    let mut rest = value.trim();
    while !rest.is_empty() {
        let (number, after) = split_number(rest)?;
        out.push(&shorten(number, precision)?);
        rest = after.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Some(out.text)
}

/// Numbers in sequence, and what precedes them.
#[derive(Debug, Default, Clone)]
pub(crate) struct List {
    /// The output so far.
    pub(crate) text: String,
    /// Whether the output ends with a number, and whether that contains a point.
    last: Option<bool>,
}

impl List {
    /// Appends a number as written.
    pub(crate) fn push(&mut self, number: &str) {
        let apart = match self.last {
            None => true,
            Some(has_point) => number.starts_with('-') || (has_point && number.starts_with('.')),
        };
        if !apart {
            self.text.push(' ');
        }
        self.text.push_str(number);
        self.last = Some(number.contains('.') && !number.contains(['e', 'E']));
    }

    /// Appends a letter.
    pub(crate) fn letter(&mut self, letter: char) {
        self.text.push(letter);
        self.last = None;
    }
}
