//! Chooses a palette: median cut by variance (Heckbert 1982; the box to split as in Wu 1991), then k-means (Lloyd).

use image::RgbaImage;

use crate::pixels::palette::nearest::Colors;
use crate::pixels::palette::numbers::Numbers;
use crate::pixels::palette::space::{Point, color, point};

/// Colors are merged, by dropping low bits, until at most this many bins are left.
const MOST_BINS: usize = 20_000;
/// Rounds of k-means; more had no measurable gain.
const ROUNDS: usize = 8;

/// A bin of similar colors, and its weight.
#[derive(Clone, Copy)]
struct Bin {
    mean: Point,
    weight: f32,
}

/// The number of pixels, and the sum of their colors.
type Tally = (u32, [f64; 4]);

/// Chooses up to `limit` colors, in no particular order. Also returns the error: the root mean square distance from the
/// image's colors.
pub(crate) fn choose(image: &RgbaImage, limit: usize) -> (Vec<[u8; 4]>, f32) {
    let (bins, clear) = histogram(image);
    let limit = limit - usize::from(clear);
    let mut means = median_cut(&bins, limit);
    let mut error = 0.0;
    for _ in 0..ROUNDS {
        (means, error) = better(&bins, means);
    }
    let mut colors: Vec<_> = means.into_iter().map(color).filter(|color| color[3] > 0).collect();
    if clear || colors.is_empty() {
        colors.push([0; 4]);
    }
    colors.sort_unstable();
    colors.dedup();
    (colors, error)
}

/// Collects the colors of all pixels that are not fully transparent, and whether there are fully transparent ones.
fn histogram(image: &RgbaImage) -> (Vec<Bin>, bool) {
    let clear = image.pixels().any(|pixel| pixel.0[3] == 0);
    let mut bins = (0..8).find_map(|shift| bins(image, shift)).unwrap_or_default();
    bins.sort_unstable_by_key(|&(key, _)| key);
    let bin = |(_, (count, sum)): (_, Tally)| {
        let count = f64::from(count);
        // Weights are the pixel counts to the power of 3/4, since small areas are visible too.
        let root = (count as f32).sqrt();
        Bin { mean: sum.map(|sum| (sum / count) as f32), weight: root * root.sqrt() }
    };
    (bins.into_iter().map(bin).collect(), clear)
}

/// Counts and sums colors that are equal except for their lowest `shift` bits, if there are not too many.
fn bins(image: &RgbaImage, shift: u32) -> Option<Vec<([u8; 4], Tally)>> {
    let mut numbers = Numbers::new(MOST_BINS);
    let mut bins: Vec<([u8; 4], Tally)> = Vec::new();
    for pixel in image.pixels().filter(|pixel| pixel.0[3] > 0) {
        let key = pixel.0.map(|sample| sample >> shift);
        let number = numbers.of(key)?;
        if number == bins.len() {
            bins.push((key, Tally::default()));
        }
        let (count, sums) = &mut bins[number].1;
        *count += 1;
        for (sum, value) in sums.iter_mut().zip(point(pixel.0)) {
            *sum += f64::from(value);
        }
    }
    Some(bins)
}

/// A box of bins and its variance.
struct Cut {
    bins: Vec<Bin>,
    mean: Point,
    /// The sum of the squared distances from the mean.
    error: f64,
    /// The coordinate with the largest variance.
    widest: usize,
}

impl Cut {
    fn new(bins: Vec<Bin>) -> Self {
        let (mut weight, mut sums, mut squares) = (0.0, [0.0; 4], [0.0; 4]);
        for bin in &bins {
            let share = f64::from(bin.weight);
            weight += share;
            for (axis, value) in bin.mean.into_iter().enumerate() {
                sums[axis] += share * f64::from(value);
                squares[axis] += share * f64::from(value) * f64::from(value);
            }
        }
        let spread = |axis: usize| squares[axis] - sums[axis] * sums[axis] / weight;
        let widest = (1..4).fold(0, |widest, axis| if spread(axis) > spread(widest) { axis } else { widest });
        let error = if bins.len() > 1 { (0..4).map(spread).sum() } else { 0.0 };
        Self { mean: sums.map(|sum| (sum / weight) as f32), error, widest, bins }
    }

    /// Splits at the mean of that coordinate.
    fn halves(self) -> [Vec<Bin>; 2] {
        let (axis, middle) = (self.widest, self.mean[self.widest]);
        let (low, high) = self.bins.into_iter().partition(|bin| bin.mean[axis] < middle);
        [low, high]
    }
}

/// Splits the box with the largest variance until there are `limit` boxes, and returns their means.
fn median_cut(bins: &[Bin], limit: usize) -> Vec<Point> {
    if bins.is_empty() {
        return Vec::new();
    }
    let mut cuts = vec![Cut::new(bins.to_vec())];
    while cuts.len() < limit {
        let worst =
            (1..cuts.len()).fold(0, |worst, at| if cuts[at].error > cuts[worst].error { at } else { worst });
        if cuts[worst].error <= 0.0 {
            break;
        }
        match cuts.swap_remove(worst).halves() {
            // Variance by rounding alone cannot be split.
            [empty, rest] | [rest, empty] if empty.is_empty() => {
                cuts.push(Cut { error: 0.0, ..Cut::new(rest) });
            }
            [low, high] => cuts.extend([Cut::new(low), Cut::new(high)]),
        }
    }
    cuts.into_iter().map(|cut| cut.mean).collect()
}

/// One round of k-means: each color becomes the mean of the bins that are nearest to it. A color without bins becomes
/// the bin with the largest error. Also returns the error before the round.
fn better(bins: &[Bin], means: Vec<Point>) -> (Vec<Point>, f32) {
    if means.is_empty() {
        return (means, 0.0);
    }
    let mut sums = vec![(0.0_f64, [0.0_f64; 4]); means.len()];
    let (mut error, mut weight, mut guess) = (0.0, 0.0, 0);
    let colors = Colors::new(means);
    let mut losses = Vec::with_capacity(bins.len());
    for bin in bins {
        let (index, square) = colors.nearest(&bin.mean, guess);
        guess = index;
        let share = f64::from(bin.weight);
        error += share * f64::from(square);
        weight += share;
        losses.push(bin.weight * square);
        let (total, sum) = &mut sums[usize::from(index)];
        *total += share;
        for (sum, value) in sum.iter_mut().zip(bin.mean) {
            *sum += share * f64::from(value);
        }
    }
    let mut worst_served = || {
        let worst = (1..bins.len()).fold(0, |worst, at| if losses[at] > losses[worst] { at } else { worst });
        losses[worst] = 0.0;
        bins[worst].mean
    };
    let means = sums
        .into_iter()
        .map(|(total, sum)| match total > 0.0 {
            true => sum.map(|sum| (sum / total) as f32),
            false => worst_served(),
        })
        .collect();
    (means, (error / weight).sqrt() as f32)
}
