//! Where windows of 8×8 samples occur in the luma of a picture, for intra block copy. Windows that directions predict well are left out:
//! those whose rows are all the same, and those whose rows have one value each.

use crate::error::Error;
use crate::plane::Plane;
use crate::try_vec::filled;

/// The side of a window.
pub(super) const SIDE: usize = 8;
/// Larger pictures have no index, which would take too much memory.
const MOST_SAMPLES: usize = 1 << 24;
/// The base 2 logarithm of the least and the most lists.
const LIST_BITS: (u32, u32) = (8, 18);
/// Factors that spread the values of samples and of rows over 32 bits.
const FACTOR: u32 = 0x9e37_79b1;
const ROW_FACTOR: u32 = 0x85eb_ca77;
/// A picture suits copies if one in so many of its windows with contrast, at multiples of 8, is a copy.
const ONE_IN: usize = 50;

/// What the samples of a window differ by that has contrast, at 8 bits: slopes repeat without being copies.
const CONTRAST: u16 = 4;

/// The places of windows, in lists by their hashes.
pub(super) struct CopyIndex {
    /// How far to shift a hash for the number of its list.
    shift: u32,
    /// Where each list begins, and the end of the last.
    starts: Vec<u32>,
    /// The first samples of windows, as places in the plane; ascending in each list.
    places: Vec<u32>,
}

impl CopyIndex {
    /// None for a picture with few repetitions, and for a very large one.
    pub(super) fn new(luma: &Plane, bit_depth: u8) -> Result<Option<Self>, Error> {
        if luma.width < SIDE || luma.height < SIDE || luma.data.len() > MOST_SAMPLES {
            return Ok(None);
        }
        let mut count = 0usize;
        for_each_window(luma, |_, _| count += 1)?;
        let bits = (count.max(1).ilog2()).clamp(LIST_BITS.0, LIST_BITS.1);
        let shift = 32 - bits;
        let mut starts = filled(0u32, (1 << bits) + 1)?;
        for_each_window(luma, |hash, _| starts[(hash >> shift) as usize + 1] += 1)?;
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut places = filled(0, count)?;
        let mut next = starts.clone();
        for_each_window(luma, |hash, place| {
            let next = &mut next[(hash >> shift) as usize];
            places[*next as usize] = place as u32;
            *next += 1;
        })?;
        let index = Self { shift, starts, places };
        Ok(index.is_useful(luma, CONTRAST << (bit_depth - 8)).then_some(index))
    }

    /// The places of the windows whose hash is about that of the one at a place. None if that is left out.
    pub(super) fn places(&self, luma: &Plane, place: usize) -> Option<&[u32]> {
        let list = (hash(luma, place)? >> self.shift) as usize;
        self.places.get(self.starts[list] as usize..self.starts[list + 1] as usize)
    }

    /// Whether many windows are copies of others far enough above them.
    fn is_useful(&self, luma: &Plane, contrast: u16) -> bool {
        /// About as far as copies can reach, in samples.
        const DISTANCE: usize = 64;
        let (mut all, mut copies) = (0, 0);
        for y in (0..=luma.height - SIDE).step_by(SIDE) {
            for x in (0..=luma.width - SIDE).step_by(SIDE) {
                let place = y * luma.stride + x;
                let Some(places) = self.places(luma, place) else { continue };
                if !has_contrast(luma, place, contrast) {
                    continue;
                }
                all += 1;
                let end = y.saturating_sub(DISTANCE) * luma.stride;
                let before = places.iter().take_while(|other| (**other as usize) < end);
                let is_copy = |other: u32| is_same(luma, place, other as usize);
                copies += usize::from(before.copied().any(is_copy));
            }
        }
        copies * ONE_IN > all
    }
}

/// Whether the samples of a window differ by so much.
fn has_contrast(luma: &Plane, place: usize, contrast: u16) -> bool {
    let rows = (0..SIDE).map(|line| &luma.data[place + line * luma.stride..][..SIDE]);
    let (mut least, mut most) = (u16::MAX, 0);
    for sample in rows.flatten() {
        (least, most) = (least.min(*sample), most.max(*sample));
    }
    most - least >= contrast
}

/// Whether two windows are the same.
fn is_same(luma: &Plane, one: usize, other: usize) -> bool {
    (0..SIDE).all(|line| {
        let row = |place: usize| &luma.data[place + line * luma.stride..][..SIDE];
        row(one) == row(other)
    })
}

/// The hash of a window; None if it is left out.
fn hash(luma: &Plane, place: usize) -> Option<u32> {
    let rows: [(u32, bool); SIDE] =
        std::array::from_fn(|line| hash_of_row(&luma.data[place + line * luma.stride..]));
    combined(|line| rows[line])
}

/// The hash of the first eight samples, and whether they have one value.
#[inline(always)]
fn hash_of_row(row: &[u16]) -> (u32, bool) {
    let Some(samples) = row.first_chunk::<SIDE>() else { return (0, true) };
    let step = |hash: u32, sample: &u16| hash.wrapping_mul(FACTOR).wrapping_add(u32::from(*sample));
    (samples.iter().fold(0, step), samples.iter().all(|sample| *sample == samples[0]))
}

/// The hash of a window by those of its rows.
#[inline(always)]
fn combined(row: impl Fn(usize) -> (u32, bool)) -> Option<u32> {
    let first = row(0).0;
    let (mut hash, mut are_same, mut are_flat) = (0u32, true, true);
    for line in 0..SIDE {
        let (of_row, is_flat) = row(line);
        hash = (hash ^ of_row).wrapping_mul(ROW_FACTOR).rotate_left(11);
        are_same &= of_row == first;
        are_flat &= is_flat;
    }
    (!are_same && !are_flat).then_some(hash.wrapping_mul(FACTOR))
}

/// Calls with the hash and the place of all windows, by rows, but those that are left out.
fn for_each_window(luma: &Plane, mut call: impl FnMut(u32, usize)) -> Result<(), Error> {
    let columns = luma.width - SIDE + 1;
    let mut rows = filled((0u32, false), SIDE * columns)?;
    for y in 0..luma.height {
        let start = y * luma.stride;
        for (x, to) in rows[y % SIDE * columns..][..columns].iter_mut().enumerate() {
            *to = hash_of_row(&luma.data[start + x..]);
        }
        let Some(top) = (y + 1).checked_sub(SIDE) else { continue };
        for x in 0..columns {
            if let Some(hash) = combined(|line| rows[(top + line) % SIDE * columns + x]) {
                call(hash, top * luma.stride + x);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples without repetition.
    fn noise() -> Plane {
        let mut luma = Plane::new(128, 192, 128, 192).unwrap();
        let mut state = 1u32;
        for sample in &mut luma.data {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *sample = (state >> 22) as u16;
        }
        luma
    }

    #[test]
    fn windows_are_found_where_they_are_repeated() {
        let mut luma = noise();
        assert!(CopyIndex::new(&luma, 10).unwrap().is_none());
        for line in 0..40 {
            luma.data.copy_within((3 + line) * 128 + 5..(3 + line) * 128 + 117, (136 + line) * 128 + 8);
        }
        let index = CopyIndex::new(&luma, 10).unwrap().unwrap();
        let places = index.places(&luma, 144 * 128 + 16).unwrap();
        assert!(places.contains(&(11 * 128 + 13)) && places.contains(&(144 * 128 + 16)));
        assert!(places.is_sorted());
    }

    #[test]
    fn stripes_are_left_out() {
        let mut luma = noise();
        luma.data.iter_mut().enumerate().for_each(|(at, sample)| *sample = at as u16 % 128);
        assert!(hash(&luma, 8).is_none());
        luma.data.iter_mut().enumerate().for_each(|(at, sample)| *sample = (at / 128) as u16);
        assert!(hash(&luma, 8).is_none());
    }
}
