//! Groups macroblocks that are about as easy to compress.

/// As many as the format has segments.
pub(crate) const MOST: usize = 4;
const ROUNDS: usize = 6;
/// Centers that moved by less altogether have come to rest.
const REST: i32 = 5;

pub(crate) struct Clusters {
    /// By ease: which cluster it is in.
    pub(crate) of: [u8; 256],
    pub(crate) centers: [i32; MOST],
    /// The mean of the centers, each by how many are near it.
    pub(crate) mean: i32,
}

/// One-dimensional k-means.
pub(crate) fn find(ease: &[u8]) -> Clusters {
    let mut histogram = [0_i64; 256];
    for &ease in ease {
        histogram[usize::from(ease)] += 1;
    }
    let least = histogram.iter().position(|&number| number > 0).unwrap_or(0);
    let most = histogram.iter().rposition(|&number| number > 0).unwrap_or(0);
    let range = (most - least) as i32;
    let centers =
        std::array::from_fn(|index| least as i32 + (2 * index as i32 + 1) * range / (2 * MOST as i32));
    let mut clusters = Clusters { of: [0; 256], centers, mean: 0 };
    for _ in 0..ROUNDS {
        if clusters.move_centers(&histogram, least..=most) < REST {
            break;
        }
    }
    clusters
}

impl Clusters {
    /// Gives each ease to the nearest center, and moves the centers into the middle of what they have. By how much.
    fn move_centers(&mut self, histogram: &[i64; 256], eases: std::ops::RangeInclusive<usize>) -> i32 {
        let (mut sums, mut numbers) = ([0; MOST], [0; MOST]);
        let mut nearest = 0;
        for ease in eases.filter(|&ease| histogram[ease] > 0) {
            let distance = |center: i32| (ease as i32 - center).abs();
            while nearest + 1 < MOST && distance(self.centers[nearest + 1]) < distance(self.centers[nearest])
            {
                nearest += 1;
            }
            self.of[ease] = nearest as u8;
            sums[nearest] += ease as i64 * histogram[ease];
            numbers[nearest] += histogram[ease];
        }
        let (mut moved, mut weighted) = (0, 0);
        for (center, (sum, number)) in self.centers.iter_mut().zip(sums.into_iter().zip(numbers)) {
            if number > 0 {
                let new = ((sum + number / 2) / number) as i32;
                moved += (*center - new).abs();
                *center = new;
                weighted += i64::from(new) * number;
            }
        }
        let total: i64 = numbers.iter().sum();
        self.mean = ((weighted + total / 2) / total.max(1)) as i32;
        moved
    }
}
