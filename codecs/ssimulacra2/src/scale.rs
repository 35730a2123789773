//! Two pictures at one scale, compared row by row as they come: no more rows are kept than the blur reaches over.

use crate::blur::{Blur, LAG};
use crate::known::Known;
use crate::lanes::{Doubles, Fuse, Lanes, Quick, exactly};
use crate::side::{Colours, Seen, Streamed};
use crate::weights::Differences;

/// Keeps the structure of flat areas defined.
const C2: f32 = 0.0009;

/// What a picture is compared with.
pub(crate) enum Beside<'a> {
    Streamed(Box<Streamed>),
    Known(&'a Known),
}

/// A comparison at one scale.
pub(crate) struct Scale<'a> {
    width: usize,
    height: usize,
    /// Rows that came in.
    rows: usize,
    beside: Beside<'a>,
    colours: Colours,
    /// Of the colours, their squares, and their products with those of the other picture.
    blur: Blur<3>,
    /// What is blurred.
    blurred: Vec<[Lanes; 3]>,
    sums: Sums,
}

/// The sums of the differences and of their fourth powers.
struct Sums {
    means: [Doubles; 3],
    fourths: [Doubles; 3],
}

impl<'a> Scale<'a> {
    /// Beside `known`, or beside what is pushed together with the rows of the picture.
    pub(crate) fn new(width: usize, height: usize, known: Option<&'a Known>) -> Self {
        let nothing = [Doubles::splat(0.0); 3];
        Self {
            width,
            height,
            rows: 0,
            beside: known
                .map_or_else(|| Beside::Streamed(Box::new(Streamed::new(width, height))), Beside::Known),
            colours: Colours::new(width),
            blur: Blur::new(width, height),
            blurred: vec![[Lanes::ZERO; 3]; width],
            sums: Sums { means: nothing, fourths: nothing },
        }
    }

    /// Takes the light of the next row; of `reference` where that is not known.
    pub(crate) fn push(&mut self, coded: &[Lanes], reference: &[Lanes]) {
        let y = self.rows;
        self.rows += 1;
        if let Beside::Streamed(side) = &mut self.beside {
            side.push(y, reference);
        }
        if y < self.height {
            self.colours.push(y, coded);
            let rows = self.blurred.iter_mut().zip(self.colours.row(y));
            match &self.beside {
                Beside::Streamed(side) => rows.zip(side.colours(y)).for_each(|((to, coded), beside)| {
                    *to = [*coded, coded.mul(*coded), beside.mul(*coded)];
                }),
                Beside::Known(known) => rows.zip(known.row(y)).for_each(|((to, coded), [beside, ..])| {
                    *to = [*coded, coded.mul(*coded), beside.mul(*coded)];
                }),
            }
        }
        let blurred = self.blur.push(y, &self.blurred);
        let Some(y) = y.checked_sub(LAG) else { return };
        let rows = self.colours.row(y).iter().zip(blurred);
        match &self.beside {
            Beside::Streamed(side) => rows
                .zip(side.seen())
                .for_each(|((coded, blurred), seen)| self.sums.add(*seen, *coded, blurred)),
            Beside::Known(known) => {
                rows.zip(known.row(y))
                    .for_each(|((coded, blurred), seen)| self.sums.add(seen, *coded, blurred));
            }
        }
    }

    /// The differences of each plane, after the last row.
    pub(crate) fn finish(mut self) -> [Differences; 3] {
        for _ in 0..LAG {
            self.push(&[], &[]);
        }
        let share = 1.0 / (self.width * self.height) as f64;
        let shares = |sums: [Doubles; 3]| sums.map(|sums| sums.array().map(|sum| share * sum));
        let (means, fourths) = (shares(self.sums.means), shares(self.sums.fourths));
        [0, 1, 2]
            .map(|plane| [means.map(|means| means[plane]), fourths.map(|means| means[plane].sqrt().sqrt())])
    }
}

impl Sums {
    /// `blurred` is of the coded picture.
    #[inline(always)]
    fn add(&mut self, seen: Seen, coded: Lanes, blurred: &[Lanes; 3]) {
        let mut quick = Quick::default();
        let mut unlike = structure(&mut quick, &seen, blurred);
        if quick.failed() {
            unlike = exactly(|by| structure(by, &seen, blurred));
        }
        let one = Doubles::splat(1.0);
        let edge = |values: Lanes, means: Lanes| one.add(values.sub(means).abs().doubles());
        let sharper = edge(coded, blurred[0]).div(edge(seen[0], seen[1]));
        let differences = [unlike, sharper.sub(one).positive(), one.sub(sharper).positive()];
        for ((means, fourths), difference) in self.means.iter_mut().zip(&mut self.fourths).zip(differences) {
            let square = difference.mul(difference);
            *means = means.add(difference);
            *fourths = fourths.add(square.mul(square));
        }
    }
}

/// How unlike the structure is.
#[inline(always)]
fn structure(
    by: &mut impl Fuse,
    [_, mean1, square1]: &Seen,
    [mean2, square2, product]: &[Lanes; 3],
) -> Doubles {
    let off = mean1.sub(*mean2);
    let brightness = by.fused(off, off.neg(), Lanes::splat(1.0));
    let alike = by.fused(Lanes::splat(2.0), product.sub(mean1.mul(*mean2)), Lanes::splat(C2));
    let spread = square1.sub(mean1.mul(*mean1)).add(square2.sub(mean2.mul(*mean2))).add(Lanes::splat(C2));
    Doubles::splat(1.0).sub(brightness.mul(alike).div(spread).doubles()).positive()
}
