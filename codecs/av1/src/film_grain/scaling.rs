//! How strong the grain is at each value of a sample (sections 7.18.3.4 and 7.18.3.5).

use super::FilmGrain;

/// The strength of grain in one plane.
#[derive(Clone, Debug)]
pub(super) struct Scaling {
    /// `ScalingLut`.
    table: [u8; 256],
    /// Bits of a sample that are interpolated.
    fraction: u32,
    /// `ScalingShift`.
    shift: u32,
    /// For chroma, what the strength depends on; luma alone if there is none.
    mix: Option<Mix>,
}

/// The mix of luma and chroma that the strength in a chroma plane depends on.
#[derive(Clone, Copy, Debug)]
struct Mix {
    luma: i32,
    chroma: i32,
    offset: i32,
    largest: i32,
}

impl Scaling {
    /// None if luma has no grain.
    pub(super) fn of_luma(grain: &FilmGrain, bit_depth: u8) -> Option<Self> {
        Self::new(grain, &grain.y_points, None, bit_depth)
    }

    /// The scaling of U (0) or V (1); none if the plane has no grain.
    pub(super) fn of_chroma(grain: &FilmGrain, index: usize, bit_depth: u8) -> Option<Self> {
        if grain.chroma_scaling_from_luma {
            // Without points of luma the strength is zero, but samples are still limited to the range.
            let points = if grain.y_points.is_empty() { &[(0, 0)] } else { grain.y_points.as_slice() };
            return Self::new(grain, points, None, bit_depth);
        }
        let (points, luma, chroma, offset) = match index {
            0 => (&grain.cb_points, grain.cb_luma_mult, grain.cb_mult, grain.cb_offset),
            _ => (&grain.cr_points, grain.cr_luma_mult, grain.cr_mult, grain.cr_offset),
        };
        let mix = Mix {
            luma: i32::from(luma) - 128,
            chroma: i32::from(chroma) - 128,
            offset: (i32::from(offset) - 256) << (bit_depth - 8),
            largest: (1 << bit_depth) - 1,
        };
        Self::new(grain, points, Some(mix), bit_depth)
    }

    fn new(grain: &FilmGrain, points: &[(u8, u8)], mix: Option<Mix>, bit_depth: u8) -> Option<Self> {
        let (&(first, strength), &(_, last_strength)) = (points.first()?, points.last()?);
        let mut table = [last_strength; 256];
        table[..usize::from(first)].fill(strength);
        for pair in points.windows(2) {
            let [(x, y), (next_x, next_y)] = [pair[0], pair[1]].map(|(x, y)| (i32::from(x), i32::from(y)));
            let width = (next_x - x).max(1);
            let delta = (next_y - y) * ((65536 + (width >> 1)) / width);
            for (step, entry) in (0..width).zip(&mut table[x as usize..]) {
                *entry = (y + ((step * delta + 32768) >> 16)) as u8;
            }
        }
        let (fraction, shift) = (u32::from(bit_depth - 8), u32::from(grain.scaling_shift));
        Some(Self { table, fraction, shift, mix })
    }

    /// The noise to add to a sample of luma.
    #[inline]
    pub(super) fn of_sample(&self, sample: u16, noise: i16) -> i32 {
        let value = self.strength(usize::from(sample)) * i32::from(noise);
        (value + ((1 << self.shift) >> 1)) >> self.shift
    }

    /// The noise to add to a sample of chroma, by the mean of luma there.
    #[inline]
    pub(super) fn of_chroma_sample(&self, luma: u16, chroma: u16, noise: i16) -> i32 {
        let Some(mix) = self.mix else { return self.of_sample(luma, noise) };
        let combined = i32::from(luma) * mix.luma + i32::from(chroma) * mix.chroma;
        let merged = ((combined >> 6) + mix.offset).clamp(0, mix.largest);
        self.of_sample(merged as u16, noise)
    }

    /// `scale_lut`.
    #[inline]
    fn strength(&self, value: usize) -> i32 {
        let index = (value >> self.fraction).min(255);
        let start = i32::from(self.table[index]);
        if self.fraction == 0 || index == 255 {
            return start;
        }
        let rest = (value - (index << self.fraction)) as i32;
        let slope = i32::from(self.table[index + 1]) - start;
        start + ((slope * rest + ((1 << self.fraction) >> 1)) >> self.fraction)
    }
}
