//! Two pictures at one scale, compared row by row as they come: no more rows are kept than the blur reaches over.

use super::blur::{Across, RADIUS, along};
use super::weights::Differences;
use super::xyb::{Light, xyb};

/// Rows between the one that goes out of the blur and the one that comes in.
const LAG: usize = RADIUS - 1;
/// Rows that are kept: as many as the blur reaches over.
const KEPT: usize = 2 * RADIUS + 1;
/// What is blurred for each plane: both pictures, their squares, their product.
const BLURRED: usize = 5;
/// Keeps the structure of flat areas defined.
const C2: f32 = 0.0009;

/// A comparison at one scale.
pub(super) struct Scale {
    width: usize,
    height: usize,
    /// Rows that came in.
    rows: usize,
    planes: [Plane; 3],
    /// A row of nothing.
    nothing: Vec<f32>,
}

/// One of the colours.
struct Plane {
    /// The last rows of both pictures, where they stand modulo [`KEPT`].
    plain: [[Vec<f32>; 2]; KEPT],
    /// The last rows of what is blurred, blurred along.
    along: [[Vec<f32>; BLURRED]; KEPT],
    across: [Across; BLURRED],
    /// The row that is compared, blurred both ways.
    blurred: [Vec<f32>; BLURRED],
    /// The sums of the differences and of their fourth powers.
    sums: Differences,
}

impl Scale {
    pub(super) fn new(width: usize, height: usize) -> Self {
        let row = || vec![0.0; width];
        let plane = || Plane {
            plain: [0; KEPT].map(|_| [row(), row()]),
            along: [0; KEPT].map(|_| [0; BLURRED].map(|_| row())),
            across: [0; BLURRED].map(|_| Across::new(width)),
            blurred: [0; BLURRED].map(|_| row()),
            sums: [[0.0; 3]; 2],
        };
        Self { width, height, rows: 0, planes: [plane(), plane(), plane()], nothing: row() }
    }

    /// Takes the next row of both pictures.
    pub(super) fn push(&mut self, reference: &[Light], coded: &[Light]) {
        let slot = self.rows % KEPT;
        for (picture, row) in [reference, coded].into_iter().enumerate() {
            for (x, light) in row.iter().enumerate() {
                for (plane, value) in self.planes.iter_mut().zip(xyb(*light)) {
                    plane.plain[slot][picture][x] = value;
                }
            }
        }
        for Plane { plain, along: rows, blurred, .. } in &mut self.planes {
            let [reference, coded] = &plain[slot];
            let rows = &mut rows[slot];
            along(reference, &mut rows[0]);
            along(coded, &mut rows[1]);
            // Nothing else needs this row yet.
            let product = &mut blurred[0];
            for (index, (a, b)) in
                [(reference, reference), (coded, coded), (reference, coded)].into_iter().enumerate()
            {
                for ((product, a), b) in product.iter_mut().zip(a).zip(b) {
                    *product = a * b;
                }
                along(product, &mut rows[2 + index]);
            }
        }
        self.rows += 1;
        self.step(self.rows - 1);
    }

    /// The differences of each plane, after the last row.
    pub(super) fn finish(mut self) -> [Differences; 3] {
        for coming in self.height..self.height + LAG {
            self.step(coming);
        }
        let share = 1.0 / (self.width * self.height) as f64;
        self.planes.map(|plane| {
            let [means, fourths] = plane.sums.map(|sums| sums.map(|sum| share * sum));
            [means, fourths.map(|mean| mean.sqrt().sqrt())]
        })
    }

    /// Blurs across with the row `coming`, and compares the row that this completes.
    fn step(&mut self, coming: usize) {
        let leaving = coming.checked_sub(2 * RADIUS);
        let compared = coming.checked_sub(LAG);
        for plane in &mut self.planes {
            for index in 0..BLURRED {
                let row = |y: Option<usize>| match y.filter(|y| *y < self.height) {
                    Some(y) => &plane.along[y % KEPT][index],
                    None => &self.nothing,
                };
                plane.across[index].step(row(leaving), row(Some(coming)), &mut plane.blurred[index]);
            }
            if let Some(y) = compared {
                plane.compare(y % KEPT);
            }
        }
    }
}

impl Plane {
    fn compare(&mut self, slot: usize) {
        let [reference, coded] = &self.plain[slot];
        let [mean1, mean2, square1, square2, product] = &self.blurred;
        let [means, fourths] = &mut self.sums;
        for x in 0..reference.len() {
            let (m1, m2) = (mean1[x], mean2[x]);
            let off = m1 - m2;
            let brightness = off.mul_add(-off, 1.0);
            let structure = 2.0_f32.mul_add(product[x] - m1 * m2, C2);
            let spread = (square1[x] - m1 * m1) + (square2[x] - m2 * m2) + C2;
            let unlike = (1.0 - f64::from((brightness * structure) / spread)).max(0.0);
            let edge = |value: f32, mean: f32| 1.0 + f64::from((value - mean).abs());
            let sharper = edge(coded[x], m2) / edge(reference[x], m1) - 1.0;
            for (index, difference) in [unlike, sharper.max(0.0), (-sharper).max(0.0)].into_iter().enumerate()
            {
                let square = difference * difference;
                means[index] += difference;
                fourths[index] += square * square;
            }
        }
    }
}
