//! What the benchmarks of lossless codecs share: the processor time of a call, and the summary of ratios.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::error::Error;
use std::fs;

/// The result of a benchmark.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The bytes of what `encode` returns, and the seconds that the thread has run meanwhile (proc(5), `/proc/self/schedstat`): other work on
/// the machine counts little.
///
/// # Errors
/// Those of `encode`, and where there is no `/proc`.
pub fn measure(encode: impl FnOnce() -> Result<Vec<u8>>) -> Result<(usize, f64)> {
    let before = processor_seconds()?;
    let coded = encode()?;
    Ok((coded.len(), processor_seconds()? - before))
}

/// The geometric mean and the largest.
pub fn summary(ratios: &[f64]) -> String {
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    format!("{mean:.4}, at most {worst:.4}")
}

fn processor_seconds() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/schedstat")?;
    Ok(text.split(' ').next().unwrap_or_default().parse::<f64>()? / 1e9)
}
