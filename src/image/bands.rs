//! Passes a picture from its decoder to its encoder in bands of rows, if no stage changes its pixels. The bytes are the
//! same as with the whole picture in memory.

use crate::error::Result;
use crate::formats::Encoding;
use crate::formats::codec_of;
use crate::image::progress::Reporter;
use crate::image::source::Source;

/// The rows of a band.
const ROWS: usize = 16;

/// The encoded picture. `None` if a stage changes pixels, or if the decoder or the encoder needs all of them at once.
pub(crate) fn encode(
    source: &Source<'_>,
    encoding: Encoding,
    progress: &mut Reporter<'_>,
) -> Result<Option<Vec<u8>>> {
    let codecs = (codec_of(source.media).read_rows, codec_of(encoding.media()).write_rows);
    let (true, (Some(read), Some(write))) = (source.in_bands, codecs) else {
        return Ok(None);
    };
    let mut reader = read(source.bytes)?;
    let (width, height) = reader.size();
    let pixel = if reader.is_color() { 3 } else { 1 };
    let row = width as usize * pixel;
    let part = source.geometry.part;
    let mut writer = write(part.size(), reader.is_color(), encoding)?;
    let mut band = vec![0; row * ROWS.min(height as usize)];
    let (left, right) = (part.left as usize * pixel, (part.left + part.width) as usize * pixel);
    let kept = part.top as usize..(part.top + part.height) as usize;
    let mut from = 0;
    loop {
        let count = reader.read(&mut band)?;
        if count == 0 {
            break;
        }
        let rows = band[..count * row].chunks_exact(row);
        if part.size() == (width, height) {
            writer.push(&band[..count * row])?;
        } else {
            for (at, row) in (from..).zip(rows) {
                if kept.contains(&at) {
                    writer.push(&row[left..right])?;
                }
            }
        }
        from += count;
    }
    drop((reader, band));
    progress.encode();
    writer.finish().map(Some)
}
