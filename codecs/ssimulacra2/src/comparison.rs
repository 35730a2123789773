//! The comparison of two pictures at one scale: the three error maps of SSIMULACRA2, summed up row by row.
//!
//! No map is stored. Only the rows that the blur reaches over are kept.

use crate::blur::{Blur, LAG};
use crate::lanes::{Doubles, Lanes};
use crate::moments::{Moments, MomentsStream, XybRows};
use crate::reference::ReferenceScale;
use crate::score::ScaleErrors;

/// Stabilizes the quotient of SSIM in flat areas.
const C2: f32 = 0.0009;

/// The reference: streamed next to the distorted picture, or precomputed.
enum Reference<'a> {
    Streamed(Box<MomentsStream>),
    Precomputed(&'a ReferenceScale),
}

pub(crate) struct Comparison<'a> {
    width: usize,
    height: usize,
    /// Rows pushed so far.
    rows: usize,
    reference: Reference<'a>,
    xyb: XybRows,
    /// Blurs the distorted XYB, its square, and its product with the reference.
    blur: Blur<3>,
    to_blur: Vec<[Lanes; 3]>,
    sums: ErrorSums,
}

/// The sums of the errors and of their fourth powers: of SSIM, artifacts and lost detail.
struct ErrorSums {
    first: [Doubles; 3],
    fourth: [Doubles; 3],
}

impl<'a> Comparison<'a> {
    /// Compares with `reference`, or with rows that are pushed in parallel if that is none.
    pub(crate) fn new(width: usize, height: usize, reference: Option<&'a ReferenceScale>) -> Self {
        let zero = [Doubles::splat(0.0); 3];
        let streamed = || Reference::Streamed(Box::new(MomentsStream::new(width, height)));
        Self {
            width,
            height,
            rows: 0,
            reference: reference.map_or_else(streamed, Reference::Precomputed),
            xyb: XybRows::new(width),
            blur: Blur::new(width, height),
            to_blur: vec![[Lanes::ZERO; 3]; width],
            sums: ErrorSums { first: zero, fourth: zero },
        }
    }

    /// Takes the next row as linear RGB. `reference` is not used if the reference is precomputed.
    pub(crate) fn push(&mut self, distorted: &[Lanes], reference: &[Lanes]) {
        let y = self.rows;
        self.rows += 1;
        if let Reference::Streamed(stream) = &mut self.reference {
            stream.push(y, reference);
        }
        if y < self.height {
            self.xyb.push(y, distorted);
            let rows = self.to_blur.iter_mut().zip(self.xyb.row(y));
            let products = |xyb: Lanes, reference: Lanes| [xyb, xyb.mul(xyb), reference.mul(xyb)];
            match &self.reference {
                Reference::Streamed(stream) => rows
                    .zip(stream.xyb(y))
                    .for_each(|((to, xyb), reference)| *to = products(*xyb, *reference)),
                Reference::Precomputed(scale) => rows
                    .zip(scale.row(y))
                    .for_each(|((to, xyb), [reference, ..])| *to = products(*xyb, reference)),
            }
        }
        let blurred = self.blur.push(y, &self.to_blur);
        let Some(y) = y.checked_sub(LAG) else { return };
        let rows = self.xyb.row(y).iter().zip(blurred);
        match &self.reference {
            Reference::Streamed(stream) => rows
                .zip(stream.moments())
                .for_each(|((xyb, blurred), reference)| self.sums.add(reference, *xyb, blurred)),
            Reference::Precomputed(scale) => rows
                .zip(scale.row(y))
                .for_each(|((xyb, blurred), reference)| self.sums.add(&reference, *xyb, blurred)),
        }
    }

    /// The errors of each plane, after the last row.
    pub(crate) fn finish(mut self) -> [ScaleErrors; 3] {
        for _ in 0..LAG {
            self.push(&[], &[]);
        }
        let per_pixel = 1.0 / (self.width * self.height) as f64;
        let means = |sums: [Doubles; 3]| sums.map(|sums| sums.array().map(|sum| per_pixel * sum));
        let (first, fourth) = (means(self.sums.first), means(self.sums.fourth));
        [0, 1, 2]
            .map(|plane| [first.map(|means| means[plane]), fourth.map(|means| means[plane].sqrt().sqrt())])
    }
}

impl ErrorSums {
    /// Adds a pixel of the three planes. `distorted` are the blurred quantities of the distorted picture.
    #[inline(always)]
    fn add(&mut self, reference: &Moments, xyb: Lanes, distorted: &[Lanes; 3]) {
        let ssim = ssim_error(reference, distorted);
        let one = Doubles::splat(1.0);
        // How far a pixel stands out of its surroundings.
        let edge = |xyb: Lanes, mean: Lanes| one.add(xyb.sub(mean).abs().doubles());
        let ratio = edge(xyb, distorted[0]).div(edge(reference[0], reference[1]));
        let artifacts = ratio.sub(one).positive();
        let lost_detail = one.sub(ratio).positive();
        let errors = [ssim, artifacts, lost_detail];
        for ((first, fourth), error) in self.first.iter_mut().zip(&mut self.fourth).zip(errors) {
            let square = error.mul(error);
            *first = first.add(error);
            *fourth = fourth.add(square.mul(square));
        }
    }
}

/// One minus SSIM, with the luminance term of SSIMULACRA2: no normalization by the means, since XYB is perceptually uniform.
#[inline(always)]
fn ssim_error([_, mean_r, square_r]: &Moments, [mean_d, square_d, product]: &[Lanes; 3]) -> Doubles {
    let variance = |square: Lanes, mean: Lanes| square.sub(mean.mul(mean));
    let variances = variance(*square_r, *mean_r).add(variance(*square_d, *mean_d));
    let covariance = product.sub(mean_r.mul(*mean_d));
    let shift = mean_r.sub(*mean_d);
    let c2 = Lanes::splat(C2);
    let one = Lanes::splat(1.0);
    let luminance = one.sub(shift.mul(shift));
    let structure = covariance.add(covariance).add(c2).doubles().div(variances.add(c2).doubles());
    Doubles::splat(1.0).sub(luminance.doubles().mul(structure)).positive()
}
