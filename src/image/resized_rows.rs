//! Resizes a picture while its rows are read, so that no more of it is in memory than a band is made from. The pixels are those that the
//! resize stage makes of the whole picture.

#[cfg(feature = "core")]
use image::RgbaImage;
use image::{DynamicImage, GrayImage, RgbImage};

use crate::error::{Error, Result};
use crate::formats::rows::{RowReader, Samples};
use crate::image::resize::{RowResizer, Target};

/// The rows that are read at once, at most.
pub(crate) const ROWS: u32 = 16;

/// The resized picture. `begin` is called before its first rows are there; `name` is the format's, for errors.
///
/// # Errors
/// [`ErrorCode::Corrupt`](crate::ErrorCode::Corrupt)
pub(crate) fn whole(
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
        #[cfg(feature = "core")]
        Samples::Rgba => RgbaImage::from_raw(width, height, samples).map(DynamicImage::ImageRgba8),
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

/// Reads all rows of a picture, of so many bytes each.
pub(crate) fn each_band(
    reader: &mut dyn RowReader,
    row: usize,
    height: u32,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut band = vec![0; row * ROWS.min(height) as usize];
    loop {
        let count = reader.read(&mut band)?;
        if count == 0 {
            return Ok(());
        }
        take(&band[..count * row])?;
    }
}
