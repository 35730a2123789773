//! The rows of the alpha channel of a lossy picture (RFC 9649, section 2.7.1.2).

use super::DecodeError;
use super::bit_reader::BitReader;
use super::rows::LosslessRows;

/// Decodes the data of an `ALPH` chunk from the top to the bottom.
pub struct AlphaRows<'a> {
    data: Data<'a>,
    filter: Filter,
    /// The row above; empty above the first.
    above: Vec<u8>,
    row: Vec<u8>,
    width: usize,
}

enum Data<'a> {
    Raw(std::slice::ChunksExact<'a, u8>),
    /// In green.
    Lossless(Box<LosslessRows<'a>>),
}

#[derive(Clone, Copy, PartialEq)]
enum Filter {
    None,
    Horizontal,
    Vertical,
    Gradient,
}

impl<'a> AlphaRows<'a> {
    /// For a picture of this size in pixels; neither side is 0.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`] and [`DecodeError::OutOfMemory`].
    pub fn new(chunk: &'a [u8], (width, height): (u32, u32)) -> Result<Self, DecodeError> {
        let (&kind, data) = chunk.split_first().ok_or(SHORT)?;
        let filter = match kind >> 2 & 3 {
            0 => Filter::None,
            1 => Filter::Horizontal,
            2 => Filter::Vertical,
            _ => Filter::Gradient,
        };
        let data = match (kind >> 4 & 3, kind & 3) {
            (0 | 1, 0) => {
                let length = u64::from(width) * u64::from(height);
                let pixels = usize::try_from(length).ok().and_then(|length| data.get(..length));
                Data::Raw(pixels.ok_or(SHORT)?.chunks_exact(width as usize))
            }
            (0 | 1, 1) => Data::Lossless(Box::new(LosslessRows::without_header(
                BitReader::new(data),
                (width, height),
                data.len(),
            )?)),
            _ => return Err(DecodeError::Corrupt("its alpha is coded in a way that there is not")),
        };
        Ok(Self { data, filter, above: Vec::new(), row: Vec::new(), width: width as usize })
    }

    /// The alpha of the pixels of the next row. `None` after the last one.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`].
    pub fn next_row(&mut self) -> Result<Option<&[u8]>, DecodeError> {
        std::mem::swap(&mut self.above, &mut self.row);
        self.row.clear();
        match &mut self.data {
            Data::Raw(rows) => self.row.extend(rows.next().unwrap_or_default()),
            Data::Lossless(rows) => {
                let row = rows.next_row()?.unwrap_or_default();
                self.row.extend(row.iter().map(|pixel| (pixel >> 8) as u8));
            }
        }
        if self.row.len() < self.width {
            return Ok(None);
        }
        unfilter(self.filter, &self.above, &mut self.row);
        Ok(Some(&self.row))
    }
}

const SHORT: DecodeError = DecodeError::Corrupt("its alpha ends too soon");

/// Adds the predictions of a filter. The row above is empty above the first.
fn unfilter(filter: Filter, above: &[u8], row: &mut [u8]) {
    let is_first = above.is_empty();
    if filter == Filter::None {
        return;
    }
    row[0] = row[0].wrapping_add(above.first().copied().unwrap_or(0));
    match filter {
        // The first row has no row above, and is predicted from the left.
        _ if is_first || filter == Filter::Horizontal => {
            (1..row.len()).for_each(|x| row[x] = row[x].wrapping_add(row[x - 1]));
        }
        Filter::Vertical => {
            row.iter_mut().zip(above).skip(1).for_each(|(alpha, above)| *alpha = alpha.wrapping_add(*above));
        }
        _ => {
            for x in 1..row.len() {
                let [left, top, corner] = [row[x - 1], above[x], above[x - 1]].map(i16::from);
                row[x] = row[x].wrapping_add((left + top - corner).clamp(0, 255) as u8);
            }
        }
    }
}
