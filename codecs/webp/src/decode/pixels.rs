//! The pixels of an image as they are coded (RFC 9649, section 3.6), before they are transformed.
//!
//! They are in a window that holds at least those that a backward reference can reach. When it is full, these are moved to its start.

use super::DecodeError;
use super::bit_reader::BitReader;
use super::color_cache::ColorCache;
use super::distance;
use super::groups::{Group, Groups, LENGTHS, LITERALS};

/// The pixels that references reach: the farthest distance is 2^20 − 120, or seven rows and eight pixels.
const REACH: usize = 1 << 20;
/// The pixels of the window, at most.
pub(super) const MOST_KEPT: usize = 2 * REACH;
/// The longest backward reference.
const LONGEST: usize = 4096;

pub(super) struct Pixels {
    size: (usize, usize),
    groups: Groups,
    cache: Option<ColorCache>,
    window: Vec<u32>,
    /// Where the next pixel is written in the window.
    end: usize,
    /// The pixels of the window that are in the cache.
    cached: usize,
    /// Where the next row begins in the window.
    row: usize,
    /// The pixels that are to come.
    left: usize,
    x: usize,
    y: usize,
}

impl Pixels {
    /// The pixels of an image whose rows are read.
    ///
    /// # Errors
    /// [`DecodeError::OutOfMemory`].
    pub(super) fn new(
        size: (usize, usize),
        groups: Groups,
        cache: Option<ColorCache>,
    ) -> Result<Self, DecodeError> {
        Self::within(size, MOST_KEPT, groups, cache)
    }

    /// The pixels of an image, all of which are kept.
    ///
    /// # Errors
    /// [`DecodeError::OutOfMemory`].
    pub(super) fn whole(
        size: (usize, usize),
        groups: Groups,
        cache: Option<ColorCache>,
    ) -> Result<Self, DecodeError> {
        Self::within(size, usize::MAX, groups, cache)
    }

    fn within(
        (width, height): (usize, usize),
        most: usize,
        groups: Groups,
        cache: Option<ColorCache>,
    ) -> Result<Self, DecodeError> {
        let left = width.saturating_mul(height);
        let mut window = Vec::new();
        window.try_reserve_exact(left.min(most))?;
        window.resize(left.min(most), 0);
        Ok(Self { size: (width, height), groups, cache, window, end: 0, cached: 0, row: 0, left, x: 0, y: 0 })
    }

    /// The next row.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`].
    pub(super) fn row(&mut self, reader: &mut BitReader<'_>) -> Result<&[u32], DecodeError> {
        let width = self.size.0;
        self.make_room(width);
        let row = self.row;
        self.row += width;
        self.decode(reader, self.row)?;
        reader.check()?;
        Ok(&self.window[row..self.row])
    }

    /// All pixels of a [`whole`](Self::whole) image.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`].
    pub(super) fn all(mut self, reader: &mut BitReader<'_>) -> Result<Vec<u32>, DecodeError> {
        self.decode(reader, self.window.len())?;
        reader.check()?;
        Ok(self.window)
    }

    /// Moves the window if the pixels of a row, and what a reference copies beyond it, could exceed it.
    fn make_room(&mut self, width: usize) {
        let needed = (width + LONGEST).min(self.left);
        if self.end + needed <= self.window.len() {
            return;
        }
        if let Some(cache) = &mut self.cache {
            cache.insert(&self.window[self.cached..self.end]);
        }
        let gone = self.row.saturating_sub(REACH);
        self.window.copy_within(gone..self.end, 0);
        self.row -= gone;
        self.end -= gone;
        self.cached = self.end;
    }

    /// Decodes up to a place in the window, or some pixels more.
    fn decode(&mut self, reader: &mut BitReader<'_>, to: usize) -> Result<(), DecodeError> {
        let block = if self.groups.are_alike() { 0 } else { (1 << self.groups.block_bits) - 1 };
        let mut group_number = self.groups.at(self.x, self.y.min(self.size.1 - 1));
        while self.end < to {
            if block != 0 && self.x & block == 0 {
                group_number = self.groups.at(self.x, self.y);
            }
            reader.refill();
            let group = self.groups.of(group_number);
            let symbol = group.green.take(reader, &group.entries);
            if symbol < LITERALS {
                self.window[self.end] = literal(group, symbol as u32, reader);
                self.end += 1;
                self.pass(1);
            } else if symbol < LITERALS + LENGTHS {
                self.copy(reader, group_number, symbol - LITERALS)?;
                if self.left > 0 {
                    group_number = self.groups.at(self.x, self.y);
                }
            } else {
                self.window[self.end] = self.recent(symbol - LITERALS - LENGTHS)?;
                self.end += 1;
                self.pass(1);
            }
        }
        Ok(())
    }

    /// Copies earlier pixels, by the codes of the group with a number.
    fn copy(
        &mut self,
        reader: &mut BitReader<'_>,
        group_number: usize,
        symbol: usize,
    ) -> Result<(), DecodeError> {
        let length = number(reader, symbol);
        reader.refill();
        let group = self.groups.of(group_number);
        let symbol = group.distance.take(reader, &group.entries);
        reader.refill();
        let back = distance::of_code(number(reader, symbol), self.size.0);
        let from = self.end.checked_sub(back).ok_or(OUTSIDE)?;
        if length > self.left {
            return Err(OUTSIDE);
        }
        match back {
            _ if back >= length => self.window.copy_within(from..from + length, self.end),
            1 => {
                let pixel = self.window[from];
                self.window[self.end..self.end + length].fill(pixel);
            }
            _ => (0..length).for_each(|at| self.window[self.end + at] = self.window[from + at]),
        }
        self.end += length;
        self.pass(length);
        Ok(())
    }

    /// The color at a place of the cache.
    fn recent(&mut self, place: usize) -> Result<u32, DecodeError> {
        let cache = self.cache.as_mut().ok_or(OUTSIDE)?;
        cache.insert(&self.window[self.cached..self.end]);
        self.cached = self.end;
        cache.get(place).ok_or(OUTSIDE)
    }

    /// Goes on to another pixel.
    #[inline(always)]
    fn pass(&mut self, count: usize) {
        self.left -= count;
        self.x += count;
        while self.x >= self.size.0 {
            self.x -= self.size.0;
            self.y += 1;
        }
    }
}

const OUTSIDE: DecodeError = DecodeError::Corrupt("a reference goes beyond the image");

/// A pixel of this green.
#[inline(always)]
fn literal(group: &Group, green: u32, reader: &mut BitReader<'_>) -> u32 {
    if let Some(others) = group.constant {
        return others | green << 8;
    }
    let red = group.red.take(reader, &group.entries) as u32;
    // Two codes took up to 30 bits.
    if reader.available() < 30 {
        reader.refill();
    }
    let blue = group.blue.take(reader, &group.entries) as u32;
    let alpha = group.alpha.take(reader, &group.entries) as u32;
    alpha << 24 | red << 16 | green << 8 | blue
}

/// The length or the code of a distance that a symbol and some more bits stand for.
#[inline]
fn number(reader: &mut BitReader<'_>, symbol: usize) -> usize {
    if symbol < 4 {
        return symbol + 1;
    }
    let bits = (symbol as u32 - 2) >> 1;
    ((2 + (symbol & 1)) << bits) + reader.take(bits) as usize + 1
}
