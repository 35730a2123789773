//! The samples of a page in their own depth, and access to rows of them as 16-bit numbers.

use filepress_exr::half;

use crate::formats::tiff::decode::field_values::Format;
use crate::formats::tiff::decode::layout::Layout;

/// Rows of little-endian samples. Samples of less than a byte begin at the highest bit.
pub(crate) struct Samples {
    bytes: Vec<u8>,
    row_size: usize,
    plane_size: usize,
}

impl Samples {
    /// The size of the page's samples in bytes.
    pub(crate) fn size(layout: &Layout) -> u64 {
        let (row, planes) = Self::row_and_planes(layout);
        row.saturating_mul(layout.height.into()).saturating_mul(planes)
    }

    fn row_and_planes(layout: &Layout) -> (u64, u64) {
        let bits = u64::from(layout.width) * (layout.chunk_samples() * layout.bits) as u64;
        // Planes without a meaning here are skipped.
        let planes = if layout.planar { layout.samples.min(layout.model.channels() + 1) } else { 1 };
        (bits.div_ceil(8), planes as u64)
    }

    /// All samples are 0. The limits were checked against [`Samples::size`].
    pub(crate) fn new(layout: &Layout) -> Self {
        let (row, _) = Self::row_and_planes(layout);
        let row_size = row as usize;
        Self {
            bytes: vec![0; Self::size(layout) as usize],
            row_size,
            plane_size: row_size * layout.height as usize,
        }
    }

    pub(crate) fn planes(&self) -> usize {
        self.bytes.len() / self.plane_size
    }

    /// Writes bytes into a row. Bytes beyond its end are ignored.
    pub(crate) fn place(&mut self, bytes: &[u8], plane: usize, y: usize, at: usize) {
        let row = plane * self.plane_size + y * self.row_size;
        let length = bytes.len().min(self.row_size.saturating_sub(at));
        if let Some(to) = self.bytes.get_mut(row + at..row + at + length) {
            to.copy_from_slice(&bytes[..length]);
        }
    }

    /// All samples, if they are bytes in pixel order.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// All samples, if they are 16-bit numbers in pixel order.
    pub(crate) fn into_shorts(self) -> Vec<u16> {
        self.bytes.as_chunks().0.iter().map(|&sample| u16::from_le_bytes(sample)).collect()
    }

    /// The samples of a row in pixel order, scaled to 0 to 65,535; with `raw`, the stored unsigned numbers. Samples
    /// that the planes lack are 0.
    pub(crate) fn row(&self, layout: &Layout, y: usize, raw: bool, out: &mut [u16]) {
        for plane in 0..self.planes() {
            let start = plane * self.plane_size + y * self.row_size;
            let row = &self.bytes[start..start + self.row_size];
            let places = out.iter_mut().skip(plane).step_by(if layout.planar { layout.samples } else { 1 });
            unpack(row, layout, raw, places);
        }
    }
}

fn unpack<'a>(row: &[u8], layout: &Layout, raw: bool, places: impl Iterator<Item = &'a mut u16>) {
    let flip = if layout.format == Format::Signed { 1 << 15 } else { 0 };
    match (layout.format, layout.bits) {
        (Format::Float, 16) => {
            let floats =
                row.as_chunks().0.iter().map(|&bits| f64::from(half::to_f32(u16::from_le_bytes(bits))));
            fill(places, floats.map(to_u16));
        }
        (Format::Float, 32) => {
            let floats = row.as_chunks().0.iter().map(|&bits| f64::from(f32::from_le_bytes(bits)));
            fill(places, floats.map(to_u16));
        }
        (Format::Float, _) => {
            fill(places, row.as_chunks().0.iter().map(|&bits| to_u16(f64::from_le_bytes(bits))));
        }
        (_, 8) if raw => fill(places, row.iter().map(|&sample| sample.into())),
        (_, 8) => fill(places, row.iter().map(|&sample| (u16::from(sample) * 257) ^ (flip | flip >> 8))),
        (_, 16 | 32 | 64) => {
            // The two highest bytes of each.
            let size = layout.bits / 8;
            let highest =
                row.chunks_exact(size).map(|word| u16::from_le_bytes([word[size - 2], word[size - 1]]));
            fill(places, highest.map(|sample| sample ^ flip));
        }
        (_, bits) => {
            let greatest = (1u32 << bits) - 1;
            let sign = if layout.format == Format::Signed { 1 << (bits - 1) } else { 0 };
            let (mut held, mut kept, mut bytes) = (0u32, 0, row.iter());
            for place in places {
                while kept < bits {
                    held = held << 8 | u32::from(bytes.next().copied().unwrap_or(0));
                    kept += 8;
                }
                kept -= bits;
                let sample = (held >> kept & greatest) ^ sign;
                *place = if raw { sample } else { (sample * 65_535 + greatest / 2) / greatest } as u16;
            }
        }
    }
}

fn fill<'a>(places: impl Iterator<Item = &'a mut u16>, samples: impl Iterator<Item = u16>) {
    places.zip(samples).for_each(|(place, sample)| *place = sample);
}

/// Converts 0 to 1 to 16 bits. NaN becomes 0.
fn to_u16(number: f64) -> u16 {
    (number * 65_535.0 + 0.5) as u16
}
