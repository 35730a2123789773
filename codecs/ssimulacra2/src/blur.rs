//! The Gaussian blur of SSIMULACRA2, σ = 1.5, by the recursion of Charalampidis 2016 ("Recursive Implementation of the Gaussian
//! Filter Using Truncated Cosine Functions").
//!
//! The filter is a sum of three cosines that is cut off where all of them are zero. A cosine obeys c(n) = 2 cos ω c(n − 1) − c(n − 2),
//! so each is computed from its last two values; what enters and leaves the window is added. Rounding errors of the recursion
//! are part of published scores (up to 0.4 near 90), so it is not replaced by a sum over the window.
//!
//! Pixels outside the picture count as zero, as the metric wants.

use crate::lanes::Lanes;

/// Samples to either side at which the cosines are zero.
const RADIUS: usize = 5;
/// How many rows the output is behind the input.
pub(crate) const LAG: usize = RADIUS - 1;
/// Samples from the one that leaves to the one that enters.
const WINDOW: usize = 2 * RADIUS + 1;
/// For k = 1, 3, 5: the gain of what enters and leaves, and 2 cos(kπ / 10).
const GAIN: [f32; 3] = [0.055_295_236, -0.058_836_687, 0.012_955_819];
const ROTATION: [f32; 3] = [1.902_113_1, 1.175_570_5, 0.0];

/// The three cosines of `N` quantities at the last two samples.
#[derive(Clone, Copy)]
struct Oscillators<const N: usize> {
    last: [[Lanes; 3]; N],
    before: [[Lanes; 3]; N],
}

impl<const N: usize> Oscillators<N> {
    const REST: Self = Self { last: [[Lanes::ZERO; 3]; N], before: [[Lanes::ZERO; 3]; N] };

    /// Advances by a sample and returns the blurred quantities.
    #[inline(always)]
    fn advance(&mut self, leaving: &[Lanes; N], entering: &[Lanes; N]) -> [Lanes; N] {
        std::array::from_fn(|i| {
            let sum = leaving[i].add(entering[i]);
            let next: [Lanes; 3] = std::array::from_fn(|k| {
                let driven = sum.mul(Lanes::splat(GAIN[k])).sub(self.before[i][k]);
                self.last[i][k].mul_add(ROTATION[k], driven)
            });
            (self.before[i], self.last[i]) = (self.last[i], next);
            next[0].add(next[1]).add(next[2])
        })
    }
}

/// Blurs `N` quantities of a picture in both directions, row by row.
pub(crate) struct Blur<const N: usize> {
    height: usize,
    /// A row with zeros on both sides.
    padded: Vec<[Lanes; N]>,
    /// The last horizontally blurred rows, at their row number modulo [`WINDOW`].
    rows: [Vec<[Lanes; N]>; WINDOW],
    columns: Vec<Oscillators<N>>,
    out: Vec<[Lanes; N]>,
}

impl<const N: usize> Blur<N> {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let zeros = |width| vec![[Lanes::ZERO; N]; width];
        Self {
            height,
            padded: zeros(width + WINDOW - 1 + LAG),
            rows: std::array::from_fn(|_| zeros(width)),
            columns: vec![Oscillators::REST; width],
            out: zeros(width),
        }
    }

    /// Takes row `y`, which may lie below the last row, and returns the blurred row [`LAG`] above it.
    pub(crate) fn push(&mut self, y: usize, row: &[[Lanes; N]]) -> &[[Lanes; N]] {
        let newest = &mut self.rows[y % WINDOW];
        if y < self.height {
            self.padded[WINDOW - 1..][..row.len()].copy_from_slice(row);
            let mut oscillators = Oscillators::REST;
            for (x, window) in self.padded.windows(WINDOW).enumerate() {
                let blurred = oscillators.advance(&window[0], &window[WINDOW - 1]);
                if let Some(x) = x.checked_sub(LAG) {
                    newest[x] = blurred;
                }
            }
        } else {
            newest.fill([Lanes::ZERO; N]);
        }
        let (leaving, entering) = (&self.rows[(y + 1) % WINDOW], &self.rows[y % WINDOW]);
        let columns = self.columns.iter_mut().zip(&mut self.out);
        for ((oscillators, out), (leaving, entering)) in columns.zip(leaving.iter().zip(entering)) {
            *out = oscillators.advance(leaving, entering);
        }
        &self.out
    }
}

#[cfg(test)]
mod tests {
    use super::{Blur, GAIN, LAG, RADIUS};
    use crate::lanes::Lanes;

    /// The weight at a distance: the sum of the cosines.
    fn tap(distance: usize) -> f64 {
        let angle = |k: usize| k as f64 * std::f64::consts::PI / (2 * RADIUS) as f64;
        let cosine = |(k, gain): (usize, f32)| {
            let amplitude = f64::from(gain) * (RADIUS as f64 * angle(k)).sin() / angle(k).sin();
            amplitude * (distance as f64 * angle(k)).cos()
        };
        if distance < RADIUS { [1, 3, 5].into_iter().zip(GAIN).map(cosine).sum() } else { 0.0 }
    }

    #[test]
    fn the_filter_has_unit_gain_and_the_variance() {
        let both_sides =
            |moment: i32| (1..RADIUS).map(|n| 2.0 * tap(n) * (n as f64).powi(moment)).sum::<f64>();
        assert!((tap(0) + both_sides(0) - 1.0).abs() < 1e-6);
        assert!((both_sides(2) - 1.5 * 1.5).abs() < 1e-6);
    }

    #[test]
    fn an_impulse_becomes_the_product_of_the_taps_and_ends_at_the_border() {
        let (width, height) = (7, 6);
        let (at_x, at_y) = (1, 4);
        let mut blur = Blur::<1>::new(width, height);
        let mut compared = 0;
        for y in 0..height + LAG {
            let mut row = vec![[Lanes::ZERO]; width];
            if y == at_y {
                row[at_x] = [Lanes::splat(1.0)];
            }
            let out = blur.push(y, &row);
            let Some(y) = y.checked_sub(LAG) else { continue };
            for (x, [found]) in out.iter().enumerate() {
                let expected = tap(x.abs_diff(at_x)) * tap(y.abs_diff(at_y));
                assert!((f64::from(found.array()[0]) - expected).abs() < 1e-6, "{x}, {y}");
                compared += 1;
            }
        }
        assert_eq!(compared, width * height);
    }
}
