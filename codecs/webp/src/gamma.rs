//! The gamma curve for chroma subsampling. The mean of four pixels is taken in roughly linear light, on a curve with the
//! exponent 0.8 (as libwebp does): the mean of sRGB samples would darken edges between colors.

use std::sync::OnceLock;

/// The linear value of sample 255.
const MAX_LINEAR: u128 = 4095;
/// The way back is interpolated between this many points.
const POINTS: usize = 32;
const POINT_BITS: u32 = 7;

pub(crate) struct GammaTable {
    linear: [u16; 256],
    samples: [i32; POINTS + 1],
}

impl GammaTable {
    /// Integers alone, so that every machine has the same table.
    pub(crate) fn get() -> &'static Self {
        static TABLE: OnceLock<GammaTable> = OnceLock::new();
        TABLE.get_or_init(|| Self {
            linear: std::array::from_fn(|sample| {
                // The integer nearest to 4095 (sample / 255)^(4/5).
                let bound = 32 * MAX_LINEAR.pow(5) * (sample as u128).pow(4);
                count_while(|linear| (2 * linear + 1).pow(5) * 255_u128.pow(4) <= bound)
            }),
            samples: std::array::from_fn(|point| {
                // The integer nearest to 255 (linear / 4095)^(5/4).
                let bound = 16 * 255_u128.pow(4) * ((point as u128) << POINT_BITS).pow(5);
                i32::from(count_while(|sample| (2 * sample + 1).pow(4) * MAX_LINEAR.pow(5) <= bound))
            }),
        })
    }

    #[inline(always)]
    pub(crate) fn to_linear(&self, sample: u8) -> u32 {
        u32::from(self.linear[usize::from(sample)])
    }

    /// The mean sample of four pixels in quarters, from the sum of their linear values.
    #[inline(always)]
    pub(crate) fn to_samples(&self, sum: u32) -> i32 {
        let point = ((sum >> (POINT_BITS + 2)) as usize).min(POINTS - 1);
        let (from, to) = (self.samples[point], self.samples[point + 1]);
        let offset = (sum as i32) - ((point as i32) << (POINT_BITS + 2));
        // The offset is in 512ths; the result keeps two of these nine bits.
        ((to * offset + from * ((1 << (POINT_BITS + 2)) - offset)) + (1 << (POINT_BITS - 1))) >> POINT_BITS
    }
}

/// How many integers from zero on are in.
fn count_while(is_in: impl Fn(u128) -> bool) -> u16 {
    (0..).find(|&number| !is_in(u128::from(number))).unwrap_or(u16::MAX)
}
