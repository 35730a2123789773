//! The transforms from coded to shown pixels (RFC 9649, section 3.5), a row at a time.

use super::predictors::{Predictors, add};

pub(super) enum Transform {
    Predictors(Predictors),
    Color(ColorTransform),
    /// Green was subtracted from red and blue (section 3.5.3).
    SubtractGreen,
    Indexing(Indexing),
}

impl Transform {
    /// Undoes the transform of row `y`.
    pub(super) fn undo(&mut self, y: usize, row: &mut Vec<u32>) {
        match self {
            Self::Predictors(predictors) => predictors.apply(y, row),
            Self::Color(color) => color.undo(y, row),
            Self::SubtractGreen => row.iter_mut().for_each(|pixel| {
                let green = *pixel >> 8 & 255;
                *pixel = add(*pixel, green << 16 | green);
            }),
            Self::Indexing(indexing) => indexing.undo(row),
        }
    }
}

/// Red was predicted from green, and blue from green and red (section 3.5.2).
pub(super) struct ColorTransform {
    /// The bits of a coordinate within a block.
    pub(super) block_bits: u32,
    /// For each block: the factors from green to red in the lowest byte, from green to blue, and from red to blue.
    pub(super) factors: Vec<u32>,
    /// The blocks in a row.
    pub(super) stride: usize,
}

impl ColorTransform {
    fn undo(&self, y: usize, row: &mut [u32]) {
        let factors = &self.factors[(y >> self.block_bits) * self.stride..];
        for (pixels, factors) in row.chunks_mut(1 << self.block_bits).zip(factors) {
            let signed = |value: u32| i32::from(value as u8 as i8);
            let [to_red, to_blue, red_to_blue] = [0, 8, 16].map(|shift| signed(factors >> shift));
            for pixel in pixels {
                let green = signed(*pixel >> 8);
                let red = ((*pixel >> 16) as i32 + ((to_red * green) >> 5)) as u32 & 255;
                let added = ((to_blue * green) >> 5) + ((red_to_blue * signed(red)) >> 5);
                let blue = ((*pixel & 255) as i32 + added) as u32 & 255;
                *pixel = *pixel & 0xff00_ff00 | red << 16 | blue;
            }
        }
    }
}

/// Pixels are numbers of colors, some of them in the green of one pixel if there are few colors (section 3.5.4).
pub(super) struct Indexing {
    /// 256; those that there are not are transparent.
    colors: Vec<u32>,
    /// Pixels in one: 2 to the power of this.
    packed_bits: u32,
    /// In pixels.
    width: usize,
    row: Vec<u32>,
}

impl Indexing {
    /// `colors` are 1 to 256, each but the first as the difference to the one before.
    pub(super) fn new(mut colors: Vec<u32>, width: usize) -> Self {
        let packed_bits = Self::packed_bits(colors.len());
        (1..colors.len()).for_each(|at| colors[at] = add(colors[at], colors[at - 1]));
        colors.resize(256, 0);
        Self { colors, packed_bits, width, row: Vec::new() }
    }

    /// The pixels in one, for so many colors: 2 to the power of this.
    pub(super) fn packed_bits(colors: usize) -> u32 {
        match colors {
            ..=2 => 3,
            3..=4 => 2,
            5..=16 => 1,
            _ => 0,
        }
    }

    fn undo(&mut self, row: &mut Vec<u32>) {
        let (bits, count) = (8 >> self.packed_bits, 1 << self.packed_bits);
        self.row.clear();
        for pixel in row.iter() {
            let numbers = *pixel >> 8 & 255;
            self.row.extend((0..count).map(|at| {
                let number = numbers >> (at * bits) & ((1 << bits) - 1);
                self.colors[number as usize]
            }));
        }
        self.row.truncate(self.width);
        std::mem::swap(row, &mut self.row);
    }
}
