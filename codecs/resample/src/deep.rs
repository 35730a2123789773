//! Resizes pictures of 16 bits a sample, whose rows come one after another. Sums are in floating point of 24 bits, and in a fixed order, so
//! that every machine gets the same ones. Of windows of many thousand rows, a sum can be off by a step of 16 bits.

use crate::axis::Axis;
use crate::component::ComponentAxis;
use crate::taps::kernel_bytes;

/// Resizes a picture of 16 bits a sample.
pub struct DeepResampler {
    channels: usize,
    /// Rows of the source.
    height: usize,
    /// Samples of a row of the source.
    row: usize,
    down: Windows,
    across: Windows,
    /// The last rows, each in the place of its number modulo their count.
    rows: Vec<f32>,
    /// The sums of columns.
    sums: Vec<f32>,
    out: Vec<u16>,
    /// Rows that came.
    taken: usize,
    /// The next row of the output.
    next: usize,
}

impl DeepResampler {
    /// For pixels of 1 to 4 samples. A color has to be premultiplied by its alpha.
    #[must_use]
    pub fn new(channels: usize, across: Axis, down: Axis) -> Self {
        let row = channels * across.size as usize;
        Self {
            channels,
            height: down.size as usize,
            row,
            rows: vec![0.0; row * ComponentAxis::from(down).window(1, 1)],
            sums: vec![0.0; row],
            out: vec![0; channels * across.to as usize],
            down: Windows::new(down),
            across: Windows::new(across),
            taken: 0,
            next: 0,
        }
    }

    /// Takes the next row, and hands over the rows of the output that are complete with it, one by one.
    ///
    /// # Errors
    /// Those of `put`.
    pub fn push<E>(&mut self, row: &[u16], put: &mut dyn FnMut(&[u16]) -> Result<(), E>) -> Result<(), E> {
        if self.next == self.down.places.len() {
            return Ok(());
        }
        let slots = self.rows.len() / self.row.max(1);
        let kept = &mut self.rows[self.taken % slots * self.row..][..self.row];
        kept.iter_mut().zip(row).for_each(|(kept, sample)| *kept = f32::from(*sample));
        self.taken += 1;
        while let Some(&(first, count)) = self.down.places.get(self.next)
            && (first + count <= self.taken || self.taken == self.height)
        {
            self.add_rows(first, slots);
            match self.channels {
                1 => across::<1>(&self.sums, &self.across, &mut self.out),
                2 => across::<2>(&self.sums, &self.across, &mut self.out),
                3 => across::<3>(&self.sums, &self.across, &mut self.out),
                _ => across::<4>(&self.sums, &self.across, &mut self.out),
            }
            self.next += 1;
            put(&self.out)?;
        }
        Ok(())
    }

    /// Adds up the rows from `first` on for the next row of the output.
    fn add_rows(&mut self, first: usize, slots: usize) {
        self.sums.fill(0.0);
        for (number, weight) in self.down.weights_of(self.next).iter().enumerate() {
            let row = &self.rows[(first + number) % slots * self.row..][..self.row];
            self.sums.iter_mut().zip(row).for_each(|(sum, sample)| *sum += weight * sample);
        }
    }
}

/// The pixels of a row.
fn across<const C: usize>(sums: &[f32], windows: &Windows, out: &mut [u16]) {
    let pixels = sums.as_chunks::<C>().0;
    for (number, (pixel, (first, _))) in
        out.as_chunks_mut::<C>().0.iter_mut().zip(&windows.places).enumerate()
    {
        let mut total = [0.0; C];
        for (weight, samples) in windows.weights_of(number).iter().zip(&pixels[*first..]) {
            total.iter_mut().zip(samples).for_each(|(total, sample)| *total += weight * sample);
        }
        // Conversion to an integer rounds down, and clamps.
        *pixel = total.map(|total| (total + 0.5) as u16);
    }
}

/// The windows of a direction.
struct Windows {
    /// Where each begins, and its samples.
    places: Vec<(usize, usize)>,
    /// The weights of each, `most` for each window.
    weights: Vec<f32>,
    most: usize,
}

impl Windows {
    fn new(axis: Axis) -> Self {
        let most = ComponentAxis::from(axis).window(1, 1);
        let count = axis.to as usize;
        let mut made = Self { places: Vec::with_capacity(count), weights: vec![0.0; count * most], most };
        ComponentAxis::from(axis).kernels(&mut |number, first, kernel| {
            let sum: f64 = kernel.iter().sum();
            let to = &mut made.weights[number * most..][..most];
            to.iter_mut().zip(kernel).for_each(|(weight, value)| *weight = (value / sum) as f32);
            made.places.push((first, kernel.len().min(most)));
        });
        made
    }

    fn weights_of(&self, number: usize) -> &[f32] {
        &self.weights[number * self.most..][..self.places[number].1]
    }
}

/// The bytes that a [`DeepResampler`] takes for pixels of so many samples, at most.
#[must_use]
pub fn deep_memory(channels: usize, across: Axis, down: Axis) -> u64 {
    let row = channels as u64 * u64::from(across.size);
    // A number of 32 bits for each weight, and two of up to 64 for each window.
    let windows = |axis: Axis| u64::from(axis.to) * (4 * ComponentAxis::from(axis).window(1, 1) as u64 + 16);
    row * 4 * (ComponentAxis::from(down).window(1, 1) as u64 + 1)
        + windows(down)
        + windows(across)
        + 2 * channels as u64 * u64::from(across.to)
        + kernel_bytes([across, down])
}
