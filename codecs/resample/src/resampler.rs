//! The rows that a row of the output is made from.

use crate::axis::Axis;
use crate::component::ComponentAxis;
use crate::lanes::{self, SAMPLES};
use crate::taps::{Taps, kernel_bytes};

/// The columns whose sums are made together.
const COLUMNS: usize = 4;

/// Resizes a picture whose rows come one after another.
pub struct Resampler {
    channels: usize,
    /// Rows of the source.
    height: usize,
    /// Columns of the output.
    columns: usize,
    down: Taps,
    across: Taps,
    /// The samples of one channel in a row, with room for the last window.
    stride: usize,
    /// The first row of a pair, and the second one, channel by channel.
    pair: [Vec<u8>; 2],
    /// The last pairs, each in the place of its number modulo their count, the two samples of a column side by side.
    pairs: Vec<u8>,
    /// The sums of columns.
    sums: Vec<i16>,
    out: Vec<u8>,
    /// Rows that came.
    taken: usize,
    /// The next row of the output.
    next: usize,
}

impl Resampler {
    /// For pixels of 1, 3 or 4 samples. A color has to be premultiplied by its alpha.
    pub fn new(channels: usize, across: Axis, down: Axis) -> Self {
        Self::with(channels, &across.into(), &down.into())
    }

    /// For a component that can have fewer samples than the picture has pixels, in the source or in the output.
    pub fn of_component(across: ComponentAxis, down: ComponentAxis) -> Self {
        Self::with(1, &across, &down)
    }

    fn with(channels: usize, across: &ComponentAxis, down: &ComponentAxis) -> Self {
        let stride = stride(across);
        let row = channels * stride;
        // Those beyond the last one have no weight.
        let columns = across.to().next_multiple_of(COLUMNS);
        let mut taps = Taps::new(across, 1, lanes::WINDOW);
        taps.firsts.resize(columns, taps.firsts.last().copied().unwrap_or_default());
        taps.weights.resize(columns * taps.window, 0);
        Self {
            channels,
            height: down.size as usize,
            columns: across.to(),
            stride,
            pair: [vec![0; row], vec![0; row]],
            pairs: vec![0; 2 * row * pair_count(down)],
            sums: vec![0; row],
            // A vector of them is written at once.
            out: vec![0; channels * columns + SAMPLES],
            down: Taps::new(down, 2, 2),
            across: taps,
            taken: 0,
            next: 0,
        }
    }

    /// Takes the next row, and hands over the rows of the output that are complete with it, one by one.
    ///
    /// # Errors
    /// Those of `put`.
    pub fn push<E>(&mut self, row: &[u8], put: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.take(row);
        while self.make_next() {
            put(&self.out[..self.channels * self.columns])?;
        }
        Ok(())
    }

    /// Keeps the next row, if it is needed.
    fn take(&mut self, row: &[u8]) {
        let number = self.taken;
        self.taken += 1;
        // Windows begin with the first row of a pair.
        let Some(&first) = self.down.firsts.get(self.next) else { return };
        let is_last = self.taken == self.height;
        if number < first && !is_last {
            return;
        }
        lanes::separate(self.channels, row, self.stride, &mut self.pair[number % 2]);
        if number.is_multiple_of(2) && !is_last {
            return;
        }
        let size = 2 * self.sums.len();
        let slots = self.pairs.len() / size;
        let to = &mut self.pairs[number / 2 % slots * size..][..size];
        let [even, odd] = &self.pair;
        for ((to, &even), &odd) in to.as_chunks_mut::<2>().0.iter_mut().zip(even).zip(odd) {
            *to = [even, odd];
        }
    }

    /// Makes the next row of the output, if the rows that it is made from are there.
    fn make_next(&mut self) -> bool {
        let Some(&first) = self.down.firsts.get(self.next) else { return false };
        // Pairs are there as a whole.
        let whole = self.taken & !1;
        if first + self.down.window > whole && self.taken != self.height {
            return false;
        }
        self.make_row(first / 2, self.pairs.len() / (2 * self.sums.len()));
        self.next += 1;
        true
    }

    /// Makes the next row of the output from the pairs from `first` on.
    fn make_row(&mut self, first: usize, slots: usize) {
        let window = self.down.window;
        let mut weights = self.down.weights[self.next * window..][..window].as_chunks::<2>().0;
        while let [rest @ .., [0, 0]] = weights {
            weights = rest;
        }
        lanes::down(&self.pairs, (first, slots), weights, &mut self.sums);
        let planes = |number: usize| &self.sums[number * self.stride..][..self.stride];
        // Of pixels of fewer samples, the last planes are left out.
        let last = self.channels - 1;
        let planes = [0, 1, 2, 3].map(|number: usize| planes(number.min(last)));
        lanes::across(&planes[..self.channels], &self.across, &mut self.out);
    }
}

/// The samples of one channel in a row: a window, or what is read of several, can begin at the last one.
fn stride(across: &ComponentAxis) -> usize {
    (across.size as usize + across.window(1, lanes::WINDOW).max(lanes::NEAR)).next_multiple_of(SAMPLES)
}

/// The pairs of rows that are kept: those of a window.
fn pair_count(down: &ComponentAxis) -> usize {
    (down.window(2, 2) / 2).min(down.size.div_ceil(2) as usize).max(1)
}

/// The bytes that a [`Resampler`] takes for pixels of so many samples, at most.
pub fn memory(channels: usize, across: Axis, down: Axis) -> u64 {
    let row = (channels * stride(&across.into())) as u64;
    // A number of 16 bits for each weight, and one of up to 64 for each window.
    let taps = |axis: Axis, window: usize| u64::from(axis.to) * (2 * window as u64 + 8);
    row * (2 * pair_count(&down.into()) as u64 + 4)
        + taps(down, ComponentAxis::from(down).window(2, 2))
        + taps(
            Axis { to: across.to.next_multiple_of(COLUMNS as u32), ..across },
            ComponentAxis::from(across).window(1, lanes::WINDOW),
        )
        + (channels * across.to as usize) as u64
        + kernel_bytes([across, down])
}
