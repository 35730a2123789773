//! The `ALPH` chunk (RFC 9649, section 2.7.1.2): lossless alpha, coded as the green channel of a VP8L image.
//!
//! A subset of VP8L is written: color indexing, backward references and one set of prefix codes. Predictors other than the
//! filters of `ALPH`, color caches and meta prefix codes are not used.

mod backward_refs;
mod bit_writer;
mod color_indexing;
mod filter;
mod huffman;
mod vp8l;

use filter::Filter;

/// The compression method of the chunk's first byte: VP8L. No preprocessing.
const METHOD_VP8L: u8 = 1;

/// The payload of the chunk. `alpha` has one byte a pixel.
#[inline(never)]
pub(crate) fn encode(alpha: &[u8], width: usize) -> Vec<u8> {
    if let Some(indexed) = color_indexing::encode(alpha, width) {
        return with_header(Filter::None, indexed);
    }
    let plain = with_header(Filter::None, vp8l::encode(alpha, width));
    let filter = Filter::estimate_best(alpha, width);
    if filter == Filter::None {
        return plain;
    }
    let filtered = with_header(filter, vp8l::encode(&filter.apply(alpha, width), width));
    if filtered.len() < plain.len() { filtered } else { plain }
}

fn with_header(filter: Filter, image: Vec<u8>) -> Vec<u8> {
    let mut payload = vec![METHOD_VP8L | ((filter as u8) << 2)];
    payload.extend(image);
    payload
}
