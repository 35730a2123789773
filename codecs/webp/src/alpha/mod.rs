//! The chunk "ALPH" (RFC 9649, section 2.7.1.2): alpha without loss, as the green of a lossless picture.

mod bits;
mod copies;
mod filter;
mod palette;
mod pixels;
mod prefix;

use filter::Filter;

/// In the first byte of the chunk: coded as a lossless picture, and all levels as they are.
const LOSSLESS: u8 = 1;

/// `alpha` has a byte a pixel.
#[inline(never)]
pub(crate) fn chunk(alpha: &[u8], width: usize) -> Vec<u8> {
    if let Some(packed) = palette::write(alpha, width) {
        return with_header(Filter::None, packed);
    }
    let plain = with_header(Filter::None, pixels::write(alpha, width));
    let filter = Filter::likely(alpha, width);
    if filter == Filter::None {
        return plain;
    }
    let filtered = with_header(filter, pixels::write(&filter.apply(alpha, width), width));
    if filtered.len() < plain.len() { filtered } else { plain }
}

fn with_header(filter: Filter, picture: Vec<u8>) -> Vec<u8> {
    let mut chunk = vec![LOSSLESS | ((filter as u8) << 2)];
    chunk.extend(picture);
    chunk
}
