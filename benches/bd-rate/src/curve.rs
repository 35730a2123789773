//! Bytes over scores, and how two curves differ.

/// A file: its bytes, and its scores, the larger the better.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub bytes: f64,
    /// SSIMULACRA2, and the negative logarithm of butteraugli's 3-norm.
    pub scores: [f64; 2],
}

/// The files of a picture at several qualities.
pub type Curve = Vec<Point>;

/// The mean log-ratio of the bytes of `a` and `b` over the scores that both reach.
pub fn rate(a: &Curve, b: &Curve, score: usize) -> f64 {
    let sorted = |curve: &Curve| {
        let mut points: Vec<(f64, f64)> =
            curve.iter().map(|point| (point.scores[score], point.bytes.ln())).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    assert!(!a.is_empty() && !b.is_empty(), "no files: bench.mjs makes those of peers");
    let (a, b) = (sorted(a), sorted(b));
    let low = a[0].0.max(b[0].0);
    let high = a[a.len() - 1].0.min(b[b.len() - 1].0);
    const STEPS: usize = 100;
    let at = |step: usize| low + (high - low) * (step as f64 + 0.5) / STEPS as f64;
    (0..STEPS).map(|step| bytes(&a, at(step)) - bytes(&b, at(step))).sum::<f64>() / STEPS as f64
}

fn bytes(curve: &[(f64, f64)], score: f64) -> f64 {
    let right = curve.iter().position(|point| point.0 >= score).unwrap_or(curve.len() - 1).max(1);
    let (a, b) = (curve[right - 1], curve[right]);
    if b.0 - a.0 < 1e-9 { a.1 } else { a.1 + (b.1 - a.1) * (score - a.0) / (b.0 - a.0) }
}

/// Prints the ratios of all pictures (log-ratios of bytes by both scores), their geometric mean and the worst.
pub fn print_rates<'a>(peer: &str, names: impl Iterator<Item = &'a str>, rates: &[[f64; 2]]) {
    for (name, rates) in names.zip(rates) {
        println!("{name:>20} {:.3} {:.3}", rates[0].exp(), rates[1].exp());
    }
    let mean = |score: usize| (rates.iter().map(|rate| rate[score]).sum::<f64>() / rates.len() as f64).exp();
    let worst = |score: usize| rates.iter().map(|rate| rate[score].exp()).fold(0.0, f64::max);
    println!(
        "{peer}: SSIMULACRA2 {:.4} worst {:.3}, butteraugli {:.4} worst {:.3}",
        mean(0),
        worst(0),
        mean(1),
        worst(1)
    );
}
