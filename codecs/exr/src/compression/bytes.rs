//! What several compressions do with bytes: Deflate, and the folding that makes samples easier to compress.

use fdeflate::Decompressor;

use crate::error::{DAMAGED, Result};

/// The bytes of a zlib stream (RFC 1950), which must be `size`.
pub(crate) fn inflate(stream: &[u8], size: usize) -> Result<Vec<u8>> {
    // One more byte than expected, so that the end of the stream is read too, or a longer stream found.
    let mut bytes = vec![0; size + 1];
    let mut decompressor = Decompressor::new();
    let (_, produced) = decompressor.read(stream, &mut bytes, 0, true).map_err(|_| DAMAGED)?;
    if !decompressor.is_done() || produced != size {
        return Err(DAMAGED);
    }
    bytes.truncate(size);
    Ok(bytes)
}

/// Undoes the folding: the bytes are differences, and those of even places come before those of odd places.
pub(crate) fn unfold(folded: &mut [u8], out: &mut [u8]) {
    let mut last = 128_u8;
    for byte in folded.iter_mut() {
        last = last.wrapping_add(*byte).wrapping_sub(128);
        *byte = last;
    }
    let (even, odd) = folded.split_at(folded.len().div_ceil(2));
    let (pairs, rest) = out.as_chunks_mut();
    for ([first, second], (&even, &odd)) in pairs.iter_mut().zip(even.iter().zip(odd)) {
        (*first, *second) = (even, odd);
    }
    if let (Some(last), Some(&byte)) = (rest.first_mut(), even.last()) {
        *last = byte;
    }
}
