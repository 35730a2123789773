//! Passes a picture from its decoder to its encoder in bands of rows, if no stages but cropping, resizing and overlay change its pixels.
//! The bytes are the same as with the whole picture in memory. A JPEG that stays one is not decoded to pixels at all, in its size or resized,
//! unless something is laid over it.

use crate::error::Result;
use crate::formats::Encoding;
use crate::formats::codec_of;
use crate::formats::rows::{RowReader, RowWriter, Rows, Samples};
use crate::image::coded_resize;
use crate::image::overlay::Mark;
use crate::image::progress::Reporter;
use crate::image::resized_rows;
use crate::image::source::Source;
use crate::pixels::part::Part;

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
    if let Some(codec) = coded_resize::codec_for(source, encoding) {
        let outputs = &[coded_resize::output_of(source, encoding)];
        let prepared = coded_resize::prepare((codec, source), outputs, false, &mut || progress.resize())?;
        progress.encode();
        return prepared.outputs.into_iter().next().map(|finish| finish()).transpose();
    }
    let rows = read(source.bytes, source.geometry.reduction(&source.header), &source.limits)?;
    #[cfg_attr(not(feature = "full"), allow(irrefutable_let_patterns))]
    let Rows::Narrow(mut reader) = rows else { return Ok(None) };
    let size = reader.size();
    let is_color = reader.samples() != Samples::Gray;
    let writer = write(source.size(), is_color, encoding)?;
    let mut writer = match overlay {
        Some(overlay) => overlay.over_rows(writer, (source.geometry.width, is_color)),
        None => writer,
    };
    match source.geometry.resizes() {
        true => resize(&mut *reader, &mut *writer, source, progress)?,
        false => cut(&mut *reader, size, &mut *writer, source.geometry.part)?,
    }
    drop(reader);
    progress.encode();
    writer.finish().map(Some)
}

/// Passes the rows of a part.
fn cut(
    reader: &mut dyn RowReader,
    (width, height): (u32, u32),
    writer: &mut dyn RowWriter,
    part: Part,
) -> Result<()> {
    let pixel = reader.samples().count();
    let row = width as usize * pixel;
    let (left, right) = (part.left as usize * pixel, (part.left + part.width) as usize * pixel);
    let kept = part.top as usize..(part.top + part.height) as usize;
    let mut from = 0;
    resized_rows::each_band(reader, row, height, |rows| {
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
    writer: &mut dyn RowWriter,
    source: &Source<'_>,
    progress: &mut Reporter<'_>,
) -> Result<()> {
    let mut is_first = true;
    resized_rows::each(reader, source.row_target(), &mut |rows| {
        if std::mem::take(&mut is_first) {
            progress.resize();
        }
        writer.push(rows)
    })
}

/// The picture without decoding it to pixels, if its format can.
fn recoded(source: &Source<'_>, encoding: Encoding) -> Result<Option<Vec<u8>>> {
    match codec_of(source.media).recode {
        Some(recode) if source.keeps_pixels(encoding.media()) => recode(source.bytes, encoding),
        _ => Ok(None),
    }
}
