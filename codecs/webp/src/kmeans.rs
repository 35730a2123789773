//! One-dimensional k-means: groups macroblocks of similar activity into at most as many clusters as VP8 has segments.
//!
//! In one dimension clusters are intervals, so the optimum is found exactly by dynamic programming over a histogram. There is
//! no initial guess and no iteration.

/// How many segments VP8 has (RFC 6386, section 9.3).
pub(crate) const MAX_CLUSTERS: usize = 4;
/// The number of values that are told apart.
const BINS: usize = 256;
/// The cost of a cluster that does not exist.
const IMPOSSIBLE: f64 = f64::INFINITY;

pub(crate) struct Clusters {
    /// By value: its cluster.
    pub(crate) of: [u8; BINS],
    /// The mean value of each cluster, in ascending order.
    pub(crate) centers: Vec<f64>,
    /// The mean of all values.
    pub(crate) mean: f64,
}

/// The clusters with the least sum of squared distances from their centers. There are fewer than four if there are fewer
/// different values.
pub(crate) fn cluster(values: &[u8]) -> Clusters {
    let prefix = Moments::of(values);
    let distinct = (0..BINS).filter(|&bin| prefix.count(bin, bin + 1) > 0.0).count();
    let k = distinct.clamp(1, MAX_CLUSTERS);
    // `cost[n][end]`: the least cost of the values below `end` in n + 1 clusters; `start` is where the last of these begins.
    let mut cost = vec![[IMPOSSIBLE; BINS + 1]; k];
    let mut start = vec![[0; BINS + 1]; k];
    for (end, cost) in cost[0].iter_mut().enumerate() {
        *cost = prefix.cost(0, end);
    }
    for n in 1..k {
        for end in 0..=BINS {
            for split in 0..end {
                let total = cost[n - 1][split] + prefix.cost(split, end);
                if total < cost[n][end] {
                    (cost[n][end], start[n][end]) = (total, split);
                }
            }
        }
    }
    let mut clusters = Clusters { of: [0; BINS], centers: vec![0.0; k], mean: prefix.mean(0, BINS) };
    let mut end = BINS;
    for n in (0..k).rev() {
        let first = start[n][end];
        clusters.centers[n] = prefix.mean(first, end);
        clusters.of[first..end].fill(n as u8);
        end = first;
    }
    clusters
}

/// Sums over all values below each bin: how many there are, of themselves, and of their squares.
struct Moments([[f64; 3]; BINS + 1]);

impl Moments {
    fn of(values: &[u8]) -> Self {
        let mut histogram = [0.0; BINS];
        for &value in values {
            histogram[usize::from(value)] += 1.0;
        }
        let mut sums = [[0.0; 3]; BINS + 1];
        for (bin, count) in histogram.into_iter().enumerate() {
            let value = bin as f64;
            let [n, sum, squares] = sums[bin];
            sums[bin + 1] = [n + count, sum + count * value, squares + count * value * value];
        }
        Self(sums)
    }

    fn between(&self, from: usize, to: usize) -> [f64; 3] {
        std::array::from_fn(|moment| self.0[to][moment] - self.0[from][moment])
    }

    fn count(&self, from: usize, to: usize) -> f64 {
        self.between(from, to)[0]
    }

    /// The mean of the values of some bins; the middle of the bins if they are empty.
    fn mean(&self, from: usize, to: usize) -> f64 {
        let [n, sum, _] = self.between(from, to);
        if n > 0.0 { sum / n } else { (from + to) as f64 / 2.0 }
    }

    /// The sum of squared distances from the mean.
    fn cost(&self, from: usize, to: usize) -> f64 {
        let [n, sum, squares] = self.between(from, to);
        if n > 0.0 { squares - sum * sum / n } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::cluster;

    #[test]
    fn clusters_are_the_best_of_all_divisions() {
        let values = [3, 3, 4, 9, 10, 10, 11, 40, 41, 44, 90, 200, 202];
        let found = cluster(&values);
        let distance = |center: f64, value: u8| (f64::from(value) - center) * (f64::from(value) - center);
        let cost: f64 =
            values.iter().map(|&v| distance(found.centers[usize::from(found.of[usize::from(v)])], v)).sum();
        let mut tried = 0;
        for a in 1..values.len() {
            for b in a + 1..values.len() {
                for c in b + 1..values.len() {
                    let parts = [&values[..a], &values[a..b], &values[b..c], &values[c..]];
                    let other: f64 = parts
                        .into_iter()
                        .map(|part| {
                            let mean = part.iter().map(|&v| f64::from(v)).sum::<f64>() / part.len() as f64;
                            part.iter().map(|&v| distance(mean, v)).sum::<f64>()
                        })
                        .sum();
                    assert!(cost <= other + 1e-9, "{cost} is more than {other}");
                    tried += 1;
                }
            }
        }
        assert_eq!(tried, 220);
    }

    #[test]
    fn few_values_make_few_clusters() {
        assert_eq!(cluster(&[7; 20]).centers, [7.0]);
        assert_eq!(cluster(&[7, 9, 9]).centers, [7.0, 9.0]);
        assert_eq!(cluster(&[0, 255, 128, 128, 1]).centers, [0.0, 1.0, 128.0, 255.0]);
    }
}
