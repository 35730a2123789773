//! RLE: a signed count, and then as many bytes as its negative, or one byte that is repeated once more than it says
//! ("Technical Introduction to OpenEXR", openexr.com).

use crate::error::{DAMAGED, Result};
use crate::input::Input;

/// The bytes of the runs, which must be `size`.
pub(crate) fn decode(runs: &[u8], size: usize) -> Result<Vec<u8>> {
    let (mut input, mut bytes) = (Input(runs), Vec::with_capacity(size));
    while !input.0.is_empty() {
        let count = input.u8()? as i8;
        let length = usize::from(count.unsigned_abs()) + usize::from(count >= 0);
        if length > size - bytes.len() {
            return Err(DAMAGED);
        }
        match count {
            ..0 => bytes.extend_from_slice(input.take(length)?),
            _ => bytes.resize(bytes.len() + length, input.u8()?),
        }
    }
    if bytes.len() == size { Ok(bytes) } else { Err(DAMAGED) }
}
