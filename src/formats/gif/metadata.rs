//! The blocks between the images of a GIF89a. Of those that no frame needs, only XMP is read (XMP part 3, 1.1.2). If an animation is
//! returned unchanged, all of them are removed.

use crate::metadata::Metadata;

const HEADER: usize = 13;
const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2C;
const TRAILER: u8 = 0x3B;
const GRAPHIC_CONTROL: u8 = 0xF9;
const APPLICATION: u8 = 0xFF;

/// The applications whose data is the number of repeats.
const LOOPS: [&[u8]; 2] = [b"NETSCAPE2.0", b"ANIMEXTS1.0"];

/// The block of an XMP packet, up to the packet. This is no chain of sub-blocks; what follows it ends it as if it were.
const XMP: &[u8] = b"\x21\xFF\x0BXMP DataXMP";
const XMP_TRAILER: usize = 258;

/// A block, as far as it matters here.
#[derive(PartialEq, Eq)]
enum Block {
    /// A frame, its timing, or the number of repeats.
    Shown,
    /// Comments, plain text, and the data of other applications.
    Beside,
    Trailer,
}

/// Reads the XMP, and whether there is more beside the frames.
pub(crate) fn read(gif: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let mut at = HEADER + gif.get(10).map_or(0, |flags| color_table(*flags));
    while let Some((block, end)) = block(gif, at).filter(|(block, _)| *block != Block::Trailer) {
        match gif.get(at..end).filter(|_| block == Block::Beside) {
            Some(whole) if found.xmp.is_none() && whole.starts_with(XMP) => found.xmp = xmp(whole),
            Some(_) => found.other = true,
            None => {}
        }
        at = end;
    }
    found
}

fn xmp(block: &[u8]) -> Option<Vec<u8>> {
    let end = block.len().checked_sub(XMP_TRAILER)?;
    block.get(XMP.len()..end).map(<[u8]>::to_vec)
}

/// The images with their timing, without comments, plain text, data of other applications, and anything after the
/// trailer. `None` if the file is malformed.
pub(crate) fn write(gif: &[u8]) -> Option<Vec<u8>> {
    let header = gif.get(..HEADER).filter(|header| header.starts_with(b"GIF8"))?;
    let mut at = HEADER + color_table(header[10]);
    let mut out = gif.get(..at)?.to_vec();
    loop {
        let (block, end) = block(gif, at)?;
        match block {
            Block::Trailer => {
                out.push(TRAILER);
                return Some(out);
            }
            Block::Shown => out.extend_from_slice(gif.get(at..end)?),
            Block::Beside => {}
        }
        at = end;
    }
}

/// The block at an offset, and its end. `None` if it is malformed.
fn block(gif: &[u8], at: usize) -> Option<(Block, usize)> {
    // Many files have no trailer.
    match gif.get(at).copied().unwrap_or(TRAILER) {
        TRAILER => Some((Block::Trailer, at)),
        IMAGE => {
            let descriptor = gif.get(at..at + 10)?;
            Some((Block::Shown, skip_blocks(gif, at + 10 + color_table(descriptor[9]) + 1)?))
        }
        EXTENSION => {
            let label = *gif.get(at + 1)?;
            let is_shown = label == GRAPHIC_CONTROL || (label == APPLICATION && repeats(gif, at));
            Some((if is_shown { Block::Shown } else { Block::Beside }, skip_blocks(gif, at + 2)?))
        }
        _ => None,
    }
}

/// The size in bytes of the color table that a descriptor's flags declare.
fn color_table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// The position after a chain of sub-blocks. Each begins with its length; a length of 0 ends the chain.
fn skip_blocks(gif: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*gif.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

fn repeats(gif: &[u8], extension: usize) -> bool {
    gif.get(extension + 3..extension + 14).is_some_and(|name| LOOPS.contains(&name))
}
