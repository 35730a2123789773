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
    let row = width as usize * if reader.is_color() { 3 } else { 1 };
    let mut writer = write((width, height), reader.is_color(), encoding)?;
    let mut band = vec![0; row * ROWS.min(height as usize)];
    loop {
        match reader.read(&mut band)? {
            0 => break,
            rows => writer.push(&band[..rows * row])?,
        }
    }
    drop((reader, band));
    progress.encode();
    writer.finish().map(Some)
}
