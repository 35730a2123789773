//! XMP: updates `tiff:Orientation`, the one property that would contradict pixels that were turned upright. Nothing else
//! is parsed; [`find`] searches for a text. Which formats carry XMP: `formats/metadata.rs`.

use image::metadata::Orientation;

const NAME: &[u8] = b"tiff:Orientation";

/// Overwrites the orientation wherever it occurs, as an attribute or as an element. The length stays the same.
pub(crate) fn set_orientation(xmp: &mut [u8], orientation: Orientation) {
    let mut at = 0;
    while let Some(found) = find(xmp, at, NAME) {
        at = found + NAME.len();
        if let Some(digit) = value_offset(xmp, at).and_then(|digit| xmp.get_mut(digit)) {
            *digit = b'0' + orientation.to_exif();
        }
    }
}

/// The position of `text` at `from` or behind. Compiled once, not for each text.
#[inline(never)]
pub(crate) fn find(xmp: &[u8], from: usize, text: &[u8]) -> Option<usize> {
    xmp.get(from..)?.windows(text.len()).position(|window| window == text).map(|offset| from + offset)
}

/// The offset of the digit in `="6"` or `>6<` at `at`.
fn value_offset(xmp: &[u8], at: usize) -> Option<usize> {
    let digit = at + xmp.get(at..)?.iter().position(|byte| !b"=>\"' \t\r\n".contains(byte))?;
    let alone = xmp.get(digit + 1).is_none_or(|next| !next.is_ascii_digit());
    (digit > at && alone && xmp.get(digit)?.is_ascii_digit()).then_some(digit)
}
