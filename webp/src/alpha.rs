//! The chunk "ALPH" (RFC 9649, section 2.7.1.2): alpha without loss, as the green of a lossless picture.

use rusty_webp::{ColorType, WebPEncoder};

use crate::error::Error;

/// In the first byte of the chunk: coded as a lossless picture, by no filter of its own and of all levels.
const LOSSLESS: u8 = 1;
/// What a file has before its lossless picture, and the picture before its pixels: sides and a version.
const CONTAINER: usize = 20;
const SIDES: usize = 5;

/// `alpha` has a byte a pixel.
pub(crate) fn chunk(alpha: &[u8], width: usize, height: usize) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let coded = WebPEncoder::new(&mut file).encode(alpha, width as u32, height as u32, ColorType::L8);
    coded.map_err(|_| Error::Alpha)?;
    let length =
        file.get(16..CONTAINER).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    let pixels = file.get(CONTAINER + SIDES..CONTAINER + length as usize).ok_or(Error::Alpha)?;
    let mut chunk = vec![LOSSLESS];
    chunk.extend(pixels);
    Ok(chunk)
}
