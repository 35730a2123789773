//! The pieces of noise that grain is cut from (section 7.18.3.3): white noise, filtered by its own past.

use super::FilmGrain;
use super::gaussian::GAUSSIAN;
use super::random::Random;

/// Columns of a template that is not subsampled.
const WIDTH: usize = 82;
/// Rows of a template that is not subsampled.
const HEIGHT: usize = 73;
/// Samples at the left, the right and the top that are not filtered: the largest lag.
const MARGIN: usize = 3;

/// Noise of one plane.
#[derive(Clone, Debug)]
pub(super) struct Template {
    rows: [[i16; WIDTH]; HEIGHT],
    width: usize,
    height: usize,
}

/// The noise of all planes.
pub(super) struct Templates {
    pub(super) luma: Template,
    pub(super) chroma: [Template; 2],
}

/// The range of noise (`GrainMin` and `GrainMax`).
pub(super) fn clamp(noise: i32, bit_depth: u8) -> i16 {
    let center = 128 << (bit_depth - 8);
    noise.clamp(-center, center - 1) as i16
}

/// `Round2`.
pub(super) fn round(value: i32, bits: u32) -> i32 {
    (value + ((1 << bits) >> 1)) >> bits
}

impl Templates {
    pub(super) fn new(grain: &FilmGrain, ss: (usize, usize), bit_depth: u8) -> Self {
        let luma_noise = !grain.y_points.is_empty();
        let mut luma = Template::white(grain, grain.grain_seed, luma_noise, (0, 0), bit_depth);
        if luma_noise {
            luma.filter(grain, &grain.ar_coeffs_y, None, bit_depth);
        }
        let planes = [
            (0xB524, &grain.cb_points, &grain.ar_coeffs_cb),
            (0x49D8, &grain.cr_points, &grain.ar_coeffs_cr),
        ];
        let chroma = planes.map(|(seed, points, coefficients)| {
            let noise = !points.is_empty() || grain.chroma_scaling_from_luma;
            let mut template = Template::white(grain, grain.grain_seed ^ seed, noise, ss, bit_depth);
            if noise {
                template.filter(grain, coefficients, luma_noise.then_some((&luma, ss)), bit_depth);
            }
            template
        });
        Self { luma, chroma }
    }
}

impl Template {
    fn white(grain: &FilmGrain, seed: u16, noise: bool, ss: (usize, usize), bit_depth: u8) -> Self {
        let width = if ss.0 == 1 { 44 } else { WIDTH };
        let height = if ss.1 == 1 { 38 } else { HEIGHT };
        let mut template = Self { rows: [[0; WIDTH]; HEIGHT], width, height };
        let shift = u32::from(12 - bit_depth + grain.grain_scale_shift);
        let mut random = Random::new(seed);
        if noise {
            for sample in template.rows[..height].iter_mut().flat_map(|row| &mut row[..width]) {
                *sample = round(i32::from(GAUSSIAN[random.bits(11)]), shift) as i16;
            }
        }
        template
    }

    /// Filters with the coefficients of the samples before, and for chroma with that of luma, which comes last.
    fn filter(
        &mut self,
        grain: &FilmGrain,
        coefficients: &[i8],
        luma: Option<(&Self, (usize, usize))>,
        bit_depth: u8,
    ) {
        let lag = usize::from(grain.ar_coeff_lag.min(3));
        let side = 2 * lag + 1;
        let before = &coefficients[..side * lag + lag];
        let of_luma = coefficients.get(before.len()).map_or(0, |&coefficient| i32::from(coefficient));
        for y in MARGIN..self.height {
            for x in MARGIN..self.width - MARGIN {
                let mut sum = 0;
                for (position, &coefficient) in before.iter().enumerate() {
                    let (row, column) = (y + position / side - lag, x + position % side - lag);
                    sum += i32::from(self.rows[row][column]) * i32::from(coefficient);
                }
                if let Some((luma, ss)) = luma {
                    sum += luma.mean_at(x, y, ss) * of_luma;
                }
                let filtered = i32::from(self.rows[y][x]) + round(sum, u32::from(grain.ar_coeff_shift));
                self.rows[y][x] = clamp(filtered, bit_depth);
            }
        }
    }

    /// The mean of the samples of luma at a sample of chroma.
    fn mean_at(&self, x: usize, y: usize, (ss_x, ss_y): (usize, usize)) -> i32 {
        let (x, y) = (((x - MARGIN) << ss_x) + MARGIN, ((y - MARGIN) << ss_y) + MARGIN);
        let rows = self.rows[y..=y + ss_y].iter();
        let sum: i32 = rows.flat_map(|row| &row[x..=x + ss_x]).map(|&sample| i32::from(sample)).sum();
        round(sum, (ss_x + ss_y) as u32)
    }

    /// The row of a block of grain, from a column on.
    pub(super) fn row(&self, y: usize, x: usize, length: usize) -> &[i16] {
        &self.rows[y][x..][..length]
    }
}
