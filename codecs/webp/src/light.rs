//! Chroma of four pixels is that of their mean in light, roughly: samples are averaged on a curve of 0.8, as libwebp does.

use std::sync::OnceLock;

/// The light of the brightest sample.
const BRIGHTEST: u128 = 4095;
/// Light is turned back at this many places, and in between on straight lines.
const PLACES: usize = 32;
const PLACE_BITS: u32 = 7;

pub(crate) struct Light {
    of_sample: [u16; 256],
    /// In quarters of a sample.
    to_sample: [i32; PLACES + 1],
}

impl Light {
    pub(crate) fn get() -> &'static Self {
        static LIGHT: OnceLock<Light> = OnceLock::new();
        LIGHT.get_or_init(|| Self {
            of_sample: std::array::from_fn(|sample| {
                // The nearest to 4095 (sample / 255)^(4/5), without fractions.
                let wanted = 32 * BRIGHTEST.pow(5) * (sample as u128).pow(4);
                nearest(|light| (2 * light + 1).pow(5) * 255_u128.pow(4) <= wanted)
            }),
            to_sample: std::array::from_fn(|place| {
                // The nearest to 255 (light / 4095)^(5/4).
                let wanted = 16 * 255_u128.pow(4) * ((place as u128) << PLACE_BITS).pow(5);
                i32::from(nearest(|sample| (2 * sample + 1).pow(4) * BRIGHTEST.pow(5) <= wanted))
            }),
        })
    }

    #[inline(always)]
    pub(crate) fn of(&self, sample: u8) -> u32 {
        u32::from(self.of_sample[usize::from(sample)])
    }

    /// Four samples from the sum of the light of four pixels.
    #[inline(always)]
    pub(crate) fn four_samples(&self, sum: u32) -> i32 {
        let place = ((sum >> (PLACE_BITS + 2)) as usize).min(PLACES - 1);
        let (from, to) = (self.to_sample[place], self.to_sample[place + 1]);
        let part = (sum as i32) - ((place as i32) << (PLACE_BITS + 2));
        // Of 512 parts, to quarters.
        ((to * part + from * ((1 << (PLACE_BITS + 2)) - part)) + (1 << (PLACE_BITS - 1))) >> PLACE_BITS
    }
}

/// How often `is_below` holds, counted from zero.
fn nearest(is_below: impl Fn(u128) -> bool) -> u16 {
    (0..).find(|&number| !is_below(u128::from(number))).unwrap_or(u16::MAX)
}
