//! Converts planes to pixels row by row. The planes are kept until the last row; the pixels are the caller's to keep.

use std::ops::Range;

use crate::containers::isobmff::{Coding, Picture};
use crate::error::Result;
use crate::formats::avif::decode::Target;
use crate::formats::avif::decode::colors::Conversion;
use crate::formats::avif::decode::planes::{Lines, Planes};
use crate::formats::rows::{RowReader, Samples};

/// The rows of the part that is shown, as they are stored.
pub(super) struct PixelRows {
    color: (Planes, Conversion),
    alpha: Option<(Planes, Conversion)>,
    premultiplied: bool,
    size: (u32, u32),
    columns: Range<usize>,
    /// The rows that are left.
    rows: Range<usize>,
    channels: usize,
    top: u16,
    lines: Lines,
    colors: Vec<u16>,
    alphas: Vec<u16>,
    row: Vec<u16>,
}

impl PixelRows {
    /// The planes are those of the picture.
    ///
    /// # Errors
    /// [`crate::ErrorCode::UnsupportedType`] for colors that cannot be converted.
    pub(super) fn new(
        picture: &Picture<'_>,
        target: &Target,
        color: Planes,
        alpha: Option<Planes>,
    ) -> Result<Self> {
        let (crop, top) = (picture.crop, target.top());
        let conversion = Conversion::new(picture.colors, picture.color.coding, top)?;
        let alpha = match (&picture.alpha, alpha) {
            (Some(tiles), Some(planes)) => {
                let coding = Coding { gray: true, ..tiles.coding };
                Some((planes, Conversion::new(tiles.colors, coding, top)?))
            }
            _ => None,
        };
        Ok(Self {
            color: (color, conversion),
            alpha,
            premultiplied: picture.premultiplied,
            size: (crop.width, crop.height),
            columns: crop.x as usize..(crop.x + crop.width) as usize,
            rows: crop.y as usize..(crop.y + crop.height) as usize,
            channels: if target.has_color { 3 } else { 1 },
            top,
            lines: Lines::default(),
            colors: Vec::new(),
            alphas: Vec::new(),
            row: Vec::new(),
        })
    }

    /// The next row, of values from 0 to [`Target::top`].
    pub(super) fn next_row(&mut self) -> Option<&[u16]> {
        let y = self.rows.next()?;
        let Self { lines, colors, alphas, row, channels, .. } = self;
        let (planes, conversion) = &self.color;
        lines.load(planes, y);
        conversion.apply(lines, self.columns.clone(), *channels, colors);
        let Some((planes, opacity)) = &self.alpha else { return Some(colors) };
        lines.load_luma(planes, y);
        opacity.apply(lines, self.columns.clone(), 1, alphas);
        if self.premultiplied {
            unpremultiply(colors, *channels, alphas, self.top);
        }
        row.clear();
        for (color, alpha) in colors.chunks_exact(*channels).zip(alphas) {
            row.extend_from_slice(color);
            row.push(*alpha);
        }
        Some(row)
    }
}

/// Values up to those of the channels, of pictures that are gray without alpha, or colored.
trait Level: Copy {
    fn of(value: u16) -> Self;
}

impl Level for u8 {
    fn of(value: u16) -> Self {
        value as Self
    }
}

impl Level for u16 {
    fn of(value: u16) -> Self {
        value
    }
}

impl<S: Level> RowReader<S> for PixelRows {
    fn size(&self) -> (u32, u32) {
        self.size
    }

    fn samples(&self) -> Samples {
        match (self.channels, &self.alpha) {
            (1, _) => Samples::Gray,
            (_, None) => Samples::Rgb,
            (_, Some(_)) => Samples::Rgba,
        }
    }

    fn read(&mut self, rows: &mut [S]) -> Result<usize> {
        let length = self.columns.len() * RowReader::<S>::samples(self).count();
        let mut count = 0;
        for out in rows.chunks_exact_mut(length) {
            let Some(row) = self.next_row() else { break };
            out.iter_mut().zip(row).for_each(|(out, level)| *out = S::of(*level));
            count += 1;
        }
        Ok(count)
    }
}

/// Undoes the premultiplication by alpha.
fn unpremultiply(colors: &mut [u16], channels: usize, alphas: &[u16], top: u16) {
    for (color, alpha) in colors.chunks_exact_mut(channels).zip(alphas) {
        let alpha = u32::from(*alpha);
        for level in color {
            let whole = (u32::from(*level) * u32::from(top) + alpha / 2).checked_div(alpha).unwrap_or(0);
            *level = whole.min(u32::from(top)) as u16;
        }
    }
}
