//! Passes a picture from its decoder to its encoder in bands of rows, if no stages but cropping, resizing and overlay change its pixels;
//! otherwise from its decoder to the resize stage, if that comes first. The bytes are the same as with the whole picture in memory. A
//! picture that stays as it is in its format is not decoded to pixels at all.

use image::{DynamicImage, GrayImage, RgbImage};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::Encoding;
use crate::formats::codec_of;
use crate::formats::rows::{RowReader, RowWriter};
use crate::image::overlay::Mark;
use crate::image::progress::Reporter;
use crate::image::resize::{RowResizer, Target};
use crate::image::source::Source;
use crate::pixels::part::Part;

/// The rows of a band.
const ROWS: usize = 16;

/// The encoded picture. `None` if a stage changes pixels, or if the decoder or the encoder needs all of them at once.
pub(crate) fn encode(
    source: &Source<'_>,
    encoding: Encoding,
    overlay: Option<&Mark>,
    progress: &mut Reporter<'_>,
) -> Result<Option<Vec<u8>>> {
    let codecs = (codec_of(source.media).read_rows, codec_of(encoding.media()).write_rows);
    let (true, (Some(read), Some(write))) = (source.in_bands, codecs) else {
        return Ok(None);
    };
    if let Some(file) = recoded(source, encoding)? {
        progress.encode();
        return Ok(Some(file));
    }
    let mut reader = read(source.bytes, source.geometry.reduction(&source.header))?;
    let size = reader.size();
    let writer = write(source.size(), reader.is_color(), encoding)?;
    let mut writer = match overlay {
        Some(overlay) => overlay.over_rows(writer, (source.geometry.width, reader.is_color())),
        None => writer,
    };
    match source.geometry.resizes() {
        true => resize(&mut *reader, size, &mut *writer, source, Some(progress))?,
        false => cut(&mut *reader, size, &mut *writer, source.geometry.part)?,
    }
    drop(reader);
    progress.encode();
    writer.finish().map(Some)
}

/// The picture of a source after the resize stage, of which no more is decoded at once than a band is made from.
pub(crate) fn resized(source: &Source<'_>, progress: Option<&mut Reporter<'_>>) -> Result<DynamicImage> {
    let failed = || Error::new(ErrorCode::EncodeFailed, "The image could not be resized in bands.");
    let read = codec_of(source.media).read_rows.ok_or_else(failed)?;
    let mut reader = read(source.bytes, source.geometry.reduction(&source.header))?;
    let (width, height) = source.geometry.stored_target();
    let is_color = reader.is_color();
    let pixel = if is_color { 3 } else { 1 };
    let mut rows = Collected(Vec::with_capacity(width as usize * height as usize * pixel));
    let size = reader.size();
    resize(&mut *reader, size, &mut rows, source, progress)?;
    match is_color {
        true => RgbImage::from_raw(width, height, rows.0).map(DynamicImage::ImageRgb8),
        false => GrayImage::from_raw(width, height, rows.0).map(DynamicImage::ImageLuma8),
    }
    .ok_or_else(failed)
}

/// Rows as they come.
struct Collected(Vec<u8>);

impl RowWriter for Collected {
    fn push(&mut self, rows: &[u8]) -> Result<()> {
        self.0.extend_from_slice(rows);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>> {
        Ok(self.0)
    }
}

/// Passes the rows of a part.
fn cut(
    reader: &mut dyn RowReader,
    (width, height): (u32, u32),
    writer: &mut dyn RowWriter,
    part: Part,
) -> Result<()> {
    let pixel = if reader.is_color() { 3 } else { 1 };
    let row = width as usize * pixel;
    let (left, right) = (part.left as usize * pixel, (part.left + part.width) as usize * pixel);
    let kept = part.top as usize..(part.top + part.height) as usize;
    let mut from = 0;
    each_band(reader, row, height, |rows| {
        if part.size() == (width, height) {
            return writer.push(rows);
        }
        for row in rows.chunks_exact(row) {
            if kept.contains(&from) {
                writer.push(&row[left..right])?;
            }
            from += 1;
        }
        Ok(())
    })
}

/// Passes all rows, resized.
fn resize(
    reader: &mut dyn RowReader,
    (width, height): (u32, u32),
    writer: &mut dyn RowWriter,
    source: &Source<'_>,
    mut progress: Option<&mut Reporter<'_>>,
) -> Result<()> {
    let part = source.geometry.reduced_part(&source.header);
    let target = Target::new(part, source.geometry.stored_target(), source.geometry.position);
    let mut resizer = RowResizer::new(target, (width, height), reader.is_color());
    let row = width as usize * if reader.is_color() { 3 } else { 1 };
    let mut is_first = true;
    each_band(reader, row, height, |rows| {
        for row in rows.chunks_exact(row) {
            resizer.push(row, &mut |rows| {
                if let (true, Some(progress)) = (std::mem::take(&mut is_first), progress.as_deref_mut()) {
                    progress.resize();
                }
                writer.push(rows)
            })?;
        }
        Ok(())
    })
}

/// Reads all rows of a picture, of so many bytes each.
fn each_band(
    reader: &mut dyn RowReader,
    row: usize,
    height: u32,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut band = vec![0; row * ROWS.min(height as usize)];
    loop {
        let count = reader.read(&mut band)?;
        if count == 0 {
            return Ok(());
        }
        take(&band[..count * row])?;
    }
}

/// The picture without decoding it to pixels, if its format can.
fn recoded(source: &Source<'_>, encoding: Encoding) -> Result<Option<Vec<u8>>> {
    match codec_of(source.media).recode {
        Some(recode) if source.keeps_pixels(encoding.media()) => recode(source.bytes, encoding),
        _ => Ok(None),
    }
}
