//! The blocks between the images of a GIF89a. No metadata is read from them. If an animation is returned unchanged,
//! comments and the data of other applications are removed.

const HEADER: usize = 13;
const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2C;
const TRAILER: u8 = 0x3B;
const GRAPHIC_CONTROL: u8 = 0xF9;
const APPLICATION: u8 = 0xFF;

/// The applications whose data is the number of repeats.
const LOOPS: [&[u8]; 2] = [b"NETSCAPE2.0", b"ANIMEXTS1.0"];

/// The images with their timing, without comments, plain text, data of other applications, and anything after the
/// trailer. `None` if the file is malformed.
pub(crate) fn write(gif: &[u8]) -> Option<Vec<u8>> {
    let header = gif.get(..HEADER).filter(|header| header.starts_with(b"GIF8"))?;
    let mut at = HEADER + color_table(header[10]);
    let mut out = gif.get(..at)?.to_vec();
    loop {
        let start = at;
        // Many files have no trailer.
        let kept = match gif.get(at).copied().unwrap_or(TRAILER) {
            TRAILER => {
                out.push(TRAILER);
                return Some(out);
            }
            IMAGE => {
                let descriptor = gif.get(at..at + 10)?;
                at = skip_blocks(gif, at + 10 + color_table(descriptor[9]) + 1)?;
                true
            }
            EXTENSION => {
                let label = *gif.get(at + 1)?;
                at = skip_blocks(gif, at + 2)?;
                label == GRAPHIC_CONTROL || (label == APPLICATION && repeats(gif, start))
            }
            _ => return None,
        };
        if kept {
            out.extend_from_slice(gif.get(start..at)?);
        }
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
