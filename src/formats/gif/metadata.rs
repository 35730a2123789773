//! GIF89a: what stands between the pictures. Nothing of it is read; where an animation is handed back as it is, comments and
//! the data of other programs are taken out.

const HEADER: usize = 13;
const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2C;
const TRAILER: u8 = 0x3B;
const GRAPHIC_CONTROL: u8 = 0xF9;
const APPLICATION: u8 = 0xFF;

/// The applications that say how often an animation repeats.
const LOOPS: [&[u8]; 2] = [b"NETSCAPE2.0", b"ANIMEXTS1.0"];

/// The pictures and how they follow each other, without comments, texts, foreign application data and what stands behind the
/// trailer. None if the file breaks the rules of the format.
pub(crate) fn write(gif: &[u8]) -> Option<Vec<u8>> {
    let header = gif.get(..HEADER).filter(|header| header.starts_with(b"GIF8"))?;
    let mut at = HEADER + color_table(header[10]);
    let mut out = gif.get(..at)?.to_vec();
    loop {
        let start = at;
        // Many files end without a trailer.
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

/// Bytes of the color table that the flags of a descriptor announce.
fn color_table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// The place behind a chain of sub-blocks, each with its length before it, ended by one of length 0.
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
