//! XMP: updates `tiff:Orientation`, which would contradict pixels that were turned upright, and removes thumbnails, which show what a
//! cropped picture showed before. Nothing else is parsed; [`find`] searches for a text. Which formats carry XMP: `formats/metadata.rs`.

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

/// Removes `xmp:Thumbnails` (XMP Specification Part 2, 1.2.2.1) under whatever prefix, with the pictures in it.
pub(crate) fn remove_thumbnails(xmp: &mut Vec<u8>) {
    const LOCAL_NAME: &[u8] = b":Thumbnails";
    let mut at = 0;
    while let Some(found) = find(xmp, at, LOCAL_NAME) {
        at = found + LOCAL_NAME.len();
        let prefix = xmp[..found].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let Some(start) = (found - prefix).checked_sub(1).filter(|&start| xmp[start] == b'<') else {
            continue;
        };
        let Some(tag_end) = find(xmp, at, b">") else { break };
        let end = match xmp[tag_end - 1] {
            b'/' => tag_end + 1,
            _ => {
                let end_tag = [b"</", &xmp[start + 1..at]].concat();
                // Without an end, the packet is damaged, and all that follows may be pictures.
                find(xmp, at, &end_tag).and_then(|end| find(xmp, end, b">")).map_or(xmp.len(), |end| end + 1)
            }
        };
        xmp.drain(start..end);
        at = start;
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
