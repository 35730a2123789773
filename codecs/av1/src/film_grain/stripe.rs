//! The noise of a plane, row by row (section 7.18.3.5): blocks of 32 × 32 luma samples, each from a random place of the template, and
//! blended where they overlap.

use super::FilmGrain;
use super::random::Random;
use super::template::{Template, clamp, round};
use crate::plane;
use std::collections::TryReserveError;

/// Luma samples of a side of a block.
const BLOCK: usize = 32;
/// Luma samples that a block reaches into the next one.
const OVERLAP: usize = 2;

/// The weights of the older and the newer block, where two samples overlap, and where one does.
const WEIGHTS_OF_TWO: [[i32; 2]; 2] = [[27, 17], [17, 27]];
const WEIGHTS_OF_ONE: [[i32; 2]; 1] = [[23, 22]];

/// The stripes of one plane, made when their first row is asked for.
pub(super) struct Stripes<'a> {
    template: &'a Template,
    grain: &'a FilmGrain,
    ss: (usize, usize),
    bit_depth: u8,
    width: usize,
    /// The rows of the current stripe, and those by which it reaches into the next.
    rows: Vec<i16>,
    stride: usize,
    /// The last rows of the stripe before.
    before: Vec<i16>,
}

impl<'a> Stripes<'a> {
    pub(super) fn new(
        template: &'a Template,
        grain: &'a FilmGrain,
        width: usize,
        ss: (usize, usize),
        bit_depth: u8,
    ) -> Result<Self, TryReserveError> {
        let stride = width.next_multiple_of(BLOCK >> ss.0) + OVERLAP;
        let rows = plane::zeros(stride * ((BLOCK + OVERLAP) >> ss.1))?;
        let before = plane::zeros(stride * (OVERLAP >> ss.1))?;
        Ok(Self { template, grain, ss, bit_depth, width, rows, stride, before })
    }

    /// The noise of a row. Rows are to be taken in order, from 0 on.
    pub(super) fn row(&mut self, y: usize) -> &[i16] {
        let height = BLOCK >> self.ss.1;
        let (number, row) = (y / height, y % height);
        if row == 0 {
            let last = height * self.stride;
            self.before.copy_from_slice(&self.rows[last..]);
            self.make(number);
        }
        &self.rows[row * self.stride..][..self.width]
    }

    fn make(&mut self, number: usize) {
        let [high, low] = [(37, 178), (173, 105)].map(|(factor, offset)| (number * factor + offset) & 255);
        let mut random = Random::new(self.grain.grain_seed ^ (high << 8) as u16 ^ low as u16);
        let width = BLOCK >> self.ss.0;
        for x in (0..self.width).step_by(width) {
            self.add_block(x, random.bits(8));
        }
        if self.grain.overlap && number > 0 {
            for (i, weights) in weights(self.ss.1).iter().enumerate() {
                let rows = self.rows[i * self.stride..].iter_mut().zip(&self.before[i * self.stride..]);
                for (new, &old) in rows.take(self.stride) {
                    *new = blend(old, *new, *weights, self.bit_depth);
                }
            }
        }
    }

    fn add_block(&mut self, x: usize, place: usize) {
        let offset = |value: usize, ss: usize| if ss == 1 { 6 + value } else { 9 + 2 * value };
        let (from_x, from_y) = (offset(place >> 4, self.ss.0), offset(place & 15, self.ss.1));
        let (length, height) = ((BLOCK + OVERLAP) >> self.ss.0, (BLOCK + OVERLAP) >> self.ss.1);
        for (i, row) in self.rows.chunks_exact_mut(self.stride).take(height).enumerate() {
            let from = self.template.row(from_y + i, from_x, length);
            let to = &mut row[x..(x + length).min(self.stride)];
            let blended = if self.grain.overlap && x > 0 { weights(self.ss.0) } else { &[] };
            let (first, rest) = to.split_at_mut(blended.len());
            for ((to, &from), weights) in first.iter_mut().zip(from).zip(blended) {
                *to = blend(*to, from, *weights, self.bit_depth);
            }
            rest.copy_from_slice(&from[blended.len()..blended.len() + rest.len()]);
        }
    }
}

fn weights(ss: usize) -> &'static [[i32; 2]] {
    if ss == 1 { &WEIGHTS_OF_ONE } else { &WEIGHTS_OF_TWO }
}

fn blend(old: i16, new: i16, [of_old, of_new]: [i32; 2], bit_depth: u8) -> i16 {
    clamp(round(i32::from(old) * of_old + i32::from(new) * of_new, 5), bit_depth)
}
