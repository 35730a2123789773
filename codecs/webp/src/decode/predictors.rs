//! The predictor transform (RFC 9649, section 3.5.1): a pixel is a prediction from its neighbors plus what is coded.

/// The color that is predicted where there is no neighbor.
const BLACK: u32 = 0xff00_0000;

/// What is kept for the next row.
pub(super) struct Predictors {
    /// The bits of a coordinate within a block.
    block_bits: u32,
    /// The mode of each block, `stride` of them in a row.
    modes: Vec<u8>,
    stride: usize,
    /// The row above, and the pixel after it: the first of this row. Empty above the first row.
    above: Vec<u32>,
}

impl Predictors {
    pub(super) fn new(block_bits: u32, modes: Vec<u8>, stride: usize) -> Self {
        Self { block_bits, modes, stride, above: Vec::new() }
    }

    /// Adds the predictions to row `y`.
    pub(super) fn apply(&mut self, y: usize, row: &mut [u32]) {
        if self.above.is_empty() {
            row[0] = add(row[0], BLACK);
            (1..row.len()).for_each(|x| row[x] = add(row[x], row[x - 1]));
            self.above.resize(row.len() + 1, 0);
        } else {
            row[0] = add(row[0], self.above[0]);
            if let Some(after) = self.above.last_mut() {
                *after = row[0];
            }
            let modes = &self.modes[(y >> self.block_bits) * self.stride..][..self.stride];
            for (block, mode) in modes.iter().enumerate() {
                let from = (block << self.block_bits).max(1);
                let to = ((block + 1) << self.block_bits).min(row.len());
                if from < to {
                    predict(*mode, &mut row[from - 1..to], &self.above[from - 1..=to]);
                }
            }
        }
        let width = row.len();
        self.above[..width].copy_from_slice(row);
    }
}

/// Adds the predictions of a mode to all pixels but the first, which is on the left of them. The row above is one pixel longer.
fn predict(mode: u8, row: &mut [u32], above: &[u32]) {
    match mode {
        0 => run(row, above, |_, _| BLACK),
        1 => run(row, above, |left, _| left),
        2 => run(row, above, |_, [_, top, _]| top),
        3 => run(row, above, |_, [_, _, right]| right),
        4 => run(row, above, |_, [corner, ..]| corner),
        5 => run(row, above, |left, [_, top, right]| mean(mean(left, right), top)),
        6 => run(row, above, |left, [corner, ..]| mean(left, corner)),
        7 => run(row, above, |left, [_, top, _]| mean(left, top)),
        8 => run(row, above, |_, [corner, top, _]| mean(corner, top)),
        9 => run(row, above, |_, [_, top, right]| mean(top, right)),
        10 => run(row, above, |left, [corner, top, right]| mean(mean(left, corner), mean(top, right))),
        11 => run(row, above, |left, [corner, top, _]| select(left, corner, top)),
        12 => run(row, above, |left, [corner, top, _]| {
            channels(|shift| part(left, shift) + part(top, shift) - part(corner, shift))
        }),
        13 => run(row, above, |left, [corner, top, _]| {
            let mean = mean(left, top);
            channels(|shift| part(mean, shift) + (part(mean, shift) - part(corner, shift)) / 2)
        }),
        // Not in use: nothing is predicted.
        _ => {}
    }
}

/// `prediction` gets the pixel on the left, and those above: on the left, straight and on the right.
#[inline(always)]
fn run(row: &mut [u32], above: &[u32], prediction: impl Fn(u32, [u32; 3]) -> u32) {
    let Some((first, rest)) = row.split_first_mut() else { return };
    let mut left = *first;
    for (pixel, above) in rest.iter_mut().zip(above.windows(3)) {
        left = add(*pixel, prediction(left, [above[0], above[1], above[2]]));
        *pixel = left;
    }
}

/// Adds each channel, modulo 256.
#[inline(always)]
pub(super) fn add(a: u32, b: u32) -> u32 {
    const ODD: u32 = 0xff00_ff00;
    ((a & ODD).wrapping_add(b & ODD) & ODD) | ((a & !ODD).wrapping_add(b & !ODD) & !ODD)
}

/// The mean of each channel, rounded down.
#[inline(always)]
fn mean(a: u32, b: u32) -> u32 {
    (((a ^ b) & 0xfefe_fefe) >> 1) + (a & b)
}

#[inline(always)]
fn part(pixel: u32, shift: u32) -> i32 {
    (pixel >> shift & 255) as i32
}

/// The pixel with these channels, clamped.
#[inline(always)]
fn channels(value: impl Fn(u32) -> i32) -> u32 {
    [0, 8, 16, 24].into_iter().fold(0, |pixel, shift| pixel | (value(shift).clamp(0, 255) as u32) << shift)
}

/// The one of the left and the top pixel that is nearer to left + top − corner, all channels taken together.
#[inline(always)]
fn select(left: u32, corner: u32, top: u32) -> u32 {
    let distance = |to: u32| -> i32 {
        [0, 8, 16, 24].into_iter().map(|shift| (part(to, shift) - part(corner, shift)).abs()).sum()
    };
    // left + top − corner is as far from one as the corner is from the other.
    if distance(top) < distance(left) { left } else { top }
}
