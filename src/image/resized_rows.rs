//! Resizes a picture while its rows are read, so that no more of it is in memory than a band is made from. The pixels are those that the
//! resize stage makes of the whole picture.

#[cfg(feature = "full")]
use image::ImageBuffer;
#[cfg(feature = "pictures")]
use image::RgbaImage;
use image::{DynamicImage, GrayImage, RgbImage};

use crate::error::{Error, Result};
use crate::formats::rows::{RowReader, Rows, Samples};
#[cfg(feature = "full")]
use crate::image::resize::DeepRowResizer;
use crate::image::resize::{RowResizer, Target};

/// The rows that are read at once, at most.
pub(crate) const ROWS: u32 = 16;

/// The resized picture. `begin` is called before its first rows are there; `name` is the format's, for errors.
///
/// # Errors
/// [`ErrorCode::Corrupt`](crate::ErrorCode::Corrupt)
pub(crate) fn whole(
    rows: Rows<'_>,
    size: (u32, u32),
    target: Target,
    name: &str,
    begin: &mut dyn FnMut(),
) -> Result<DynamicImage> {
    match rows {
        Rows::Narrow(mut reader) => narrow(&mut *reader, size, target, name, begin),
        #[cfg(feature = "full")]
        Rows::Deep(mut reader) => deep(&mut *reader, size, target, name, begin),
    }
}

/// Of samples of 8 bits.
fn narrow(
    reader: &mut dyn RowReader,
    (width, height): (u32, u32),
    target: Target,
    name: &str,
    begin: &mut dyn FnMut(),
) -> Result<DynamicImage> {
    let kind = reader.samples();
    let mut samples = Vec::with_capacity(width as usize * height as usize * kind.count());
    each(reader, target, &mut |rows| {
        if samples.is_empty() {
            begin();
        }
        samples.extend_from_slice(rows);
        Ok(())
    })?;
    match kind {
        Samples::Gray => GrayImage::from_raw(width, height, samples).map(DynamicImage::ImageLuma8),
        Samples::Rgb => RgbImage::from_raw(width, height, samples).map(DynamicImage::ImageRgb8),
        #[cfg(feature = "pictures")]
        Samples::Rgba => RgbaImage::from_raw(width, height, samples).map(DynamicImage::ImageRgba8),
    }
    .ok_or_else(|| Error::corrupt(name, "its size is not what its header says"))
}

/// Of samples of 16 bits.
#[cfg(feature = "full")]
fn deep(
    reader: &mut dyn RowReader<u16>,
    (width, height): (u32, u32),
    target: Target,
    name: &str,
    begin: &mut dyn FnMut(),
) -> Result<DynamicImage> {
    let (size, kind) = (reader.size(), reader.samples());
    let mut resizer = DeepRowResizer::new(target, size, (kind.count(), kind == Samples::Rgba));
    let mut samples = Vec::with_capacity(width as usize * height as usize * kind.count());
    let row = size.0 as usize * kind.count();
    each_band(reader, row, size.1, |rows| {
        rows.chunks_exact_mut(row).try_for_each(|row| {
            resizer.push(row, &mut |row| {
                if samples.is_empty() {
                    begin();
                }
                samples.extend_from_slice(row);
                Ok(())
            })
        })
    })?;
    match kind {
        Samples::Gray => ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageLuma16),
        Samples::Rgb => ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgb16),
        Samples::Rgba => ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgba16),
    }
    .ok_or_else(|| Error::corrupt(name, "its size is not what its header says"))
}

/// Hands over the rows of the resized picture, some at a time.
pub(crate) fn each(
    reader: &mut dyn RowReader,
    target: Target,
    put: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let (width, height) = reader.size();
    let samples = reader.samples();
    let mut resizer = RowResizer::new(target, (width, height), samples);
    let row = width as usize * samples.count();
    each_band(reader, row, height, |rows| rows.chunks_exact(row).try_for_each(|row| resizer.push(row, put)))
}

/// Reads all rows of a picture, of so many samples each.
pub(crate) fn each_band<S: Copy + Default>(
    reader: &mut dyn RowReader<S>,
    row: usize,
    height: u32,
    mut take: impl FnMut(&mut [S]) -> Result<()>,
) -> Result<()> {
    let mut band = vec![S::default(); row * ROWS.min(height) as usize];
    loop {
        let count = reader.read(&mut band)?;
        if count == 0 {
            return Ok(());
        }
        take(&mut band[..count * row])?;
    }
}
