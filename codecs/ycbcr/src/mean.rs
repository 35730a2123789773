//! Samples of chroma: means of pixels.
//!
//! A pixel counts by how bright it is in the color that the component carries most of: light adds up, and samples grow with about its square
//! root.

use crate::lanes::Floats;

/// What is added to red or blue, so that it is a weight: 128, as luma is about zero, and 30, with which photos need the fewest bytes
/// (`make bench-avif`).
const BASE: f32 = 128.0 + 30.0;

/// Rows of pixels that a row of samples is made of: luma and chroma.
pub(crate) type Pixels<'a> = (&'a [f32], &'a [f32]);

/// The weighted means of the pixels of two rows, or of the same row twice: of two columns each. `primary` is by how much of the component red
/// or blue exceeds luma.
pub(crate) fn mean(rows: [Pixels; 2], primary: f32, to: &mut [f32]) {
    let [above, below] = rows.map(|(luma, chroma)| {
        let [luma, chroma] = [luma, chroma].map(|row| row.as_chunks().0.as_chunks::<2>().0);
        luma.iter().zip(chroma)
    });
    let (primary, base) = (Floats::splat(primary), Floats::splat(BASE));
    let weigh = |luma: &[f32; Floats::COUNT], chroma: &[f32; Floats::COUNT]| {
        let (luma, chroma) = (Floats::of(luma), Floats::of(chroma));
        let weight = luma + primary * chroma + base;
        (weight, weight * chroma)
    };
    let columns = |(luma, chroma): (&[[f32; Floats::COUNT]; 2], &[[f32; Floats::COUNT]; 2])| {
        let (left, right) = (weigh(&luma[0], &chroma[0]), weigh(&luma[1], &chroma[1]));
        (left.0.pairs(right.0), left.1.pairs(right.1))
    };
    for ((to, above), below) in to.as_chunks_mut().0.iter_mut().zip(above).zip(below) {
        let (above, below) = (columns(above), columns(below));
        *to = ((above.1 + below.1) / (above.0 + below.0)).values();
    }
}
