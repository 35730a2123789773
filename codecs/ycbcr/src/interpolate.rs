//! What decoders show of subsampled chroma: they interpolate linearly between samples, three quarters of the nearest one and a quarter of the
//! next (libjpeg's "fancy upsampling", libwebp's, and the bilinear filter of libavif and of graphics processors).

use crate::lanes::Floats;

/// Interpolates between the nearest row and the other one, and between the samples of that. `between` has room for two samples more than a row.
#[inline(never)]
pub(crate) fn interpolate([near, far]: [&[f32]; 2], between: &mut [f32], to: &mut [f32]) {
    const COUNT: usize = Floats::COUNT;
    let (near_weight, far_weight) = (Floats::splat(0.75), Floats::splat(0.25));
    let rows = near.as_chunks().0.iter().zip(far.as_chunks().0);
    for (to, (near, far)) in between[1..].as_chunks_mut().0.iter_mut().zip(rows) {
        *to = (Floats::of(near) * near_weight + Floats::of(far) * far_weight).values();
    }
    between[0] = between[1];
    between[near.len() + 1] = between[near.len()];
    let windows = between.windows(COUNT + 2).step_by(COUNT);
    for (to, around) in to.as_chunks_mut::<{ 2 * COUNT }>().0.iter_mut().zip(windows) {
        let [left, at, right] =
            [0, 1, 2].map(|first| Floats::of(around[first..].first_chunk().unwrap_or(&[0.0; COUNT])));
        let at = at * near_weight;
        let [first, second] = (at + left * far_weight).interleave(at + right * far_weight);
        to[..COUNT].copy_from_slice(&first.values());
        to[COUNT..].copy_from_slice(&second.values());
    }
}
