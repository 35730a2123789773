//! XMP: updates `tiff:Orientation`, which would contradict pixels that were turned upright, and removes thumbnails, which show what a
//! cropped picture showed before. Nothing else is parsed; [`find`] searches for a text. Which formats carry XMP: `formats/metadata.rs`.

use std::ops::Range;

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

/// The packet without the elements `xmp:Thumbnails` (XMP Specification Part 2, 1.2.2.1) under whatever prefix, and the pictures in them.
pub(crate) fn without_thumbnails(xmp: Vec<u8>) -> Vec<u8> {
    const LOCAL_NAME: &[u8] = b":Thumbnails";
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(found) = find(&xmp, at, LOCAL_NAME) {
        at = found + LOCAL_NAME.len();
        let prefix = xmp[..found].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let start = (found - prefix).checked_sub(1).filter(|&start| xmp[start] == b'<');
        let is_whole_name =
            xmp.get(at).is_some_and(|next| next.is_ascii_whitespace() || b"/>".contains(next));
        let (Some(start), true) = (start, is_whole_name) else { continue };
        let end = match find(&xmp, at, b">") {
            Some(tag_end) if xmp[tag_end - 1] == b'/' => Some(tag_end + 1),
            _ => find(&xmp, at, &[b"</", &xmp[start + 1..at]].concat())
                .and_then(|end| find(&xmp, end, b">"))
                .map(|end| end + 1),
        };
        // Without an end, the packet is damaged, and all that follows may be pictures.
        at = end.unwrap_or(xmp.len());
        spans.push(start..at);
    }
    without(&xmp, spans)
}

/// The packet without these parts of it, which are in order.
pub(crate) fn without(xmp: &[u8], spans: Vec<Range<usize>>) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut end = 0;
    for span in spans {
        kept.extend_from_slice(xmp.get(end..span.start).unwrap_or_default());
        end = span.end;
    }
    kept.extend_from_slice(xmp.get(end..).unwrap_or_default());
    kept
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
