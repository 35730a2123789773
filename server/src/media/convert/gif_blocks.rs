//! Whether a GIF ends within a block (GIF89a, 15 to 26). ffmpeg leaves out what follows without a word.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

use filepress_wire::TaskErrorCode;

use crate::media::Failure;

const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2C;

/// Refuses a GIF that was cut off within a block. Blocks that are missing as a whole, the trailer among them, change no
/// frame of the others.
pub(super) async fn check(gif: &Path) -> Result<(), Failure> {
    let gif = gif.to_owned();
    let walked = tokio::task::spawn_blocking(move || walk(BufReader::new(File::open(gif)?))).await;
    match walked.map_err(io::Error::from).flatten() {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Err(Failure::file(TaskErrorCode::CorruptFile, "This GIF ends within a frame: it is incomplete."))
        }
        Err(error) => Err(Failure::Infrastructure(format!("cannot read an input: {error}"))),
    }
}

/// Passes over the blocks up to the trailer, to the end, or to what is no block.
///
/// # Errors
/// [`ErrorKind::UnexpectedEof`] within a block.
fn walk(mut gif: impl Read) -> io::Result<()> {
    let header: [u8; 13] = read(&mut gif)?;
    skip_colors(&mut gif, header[10])?;
    let mut kind = [0];
    while gif.read(&mut kind)? > 0 {
        match kind[0] {
            EXTENSION => {
                read::<1>(&mut gif)?;
            }
            IMAGE => {
                let descriptor: [u8; 9] = read(&mut gif)?;
                skip_colors(&mut gif, descriptor[8])?;
                // The least number of bits of a code.
                read::<1>(&mut gif)?;
            }
            _ => break,
        }
        skip_sub_blocks(&mut gif)?;
    }
    Ok(())
}

fn read<const COUNT: usize>(gif: &mut impl Read) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    gif.read_exact(&mut bytes).map(|()| bytes)
}

/// Passes over a color table, if the flags before it say that there is one.
fn skip_colors(gif: &mut impl Read, flags: u8) -> io::Result<()> {
    let mut colors = [0; 3 * 256];
    match flags & 0x80 {
        0 => Ok(()),
        _ => gif.read_exact(&mut colors[..3 << ((flags & 7) + 1)]),
    }
}

fn skip_sub_blocks(gif: &mut impl Read) -> io::Result<()> {
    let mut data = [0; 255];
    loop {
        match read::<1>(gif)? {
            [0] => return Ok(()),
            [length] => gif.read_exact(&mut data[..usize::from(length)])?,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn only_a_cut_within_a_block_is_one() {
        let head = b"GIF89a\x02\0\x02\0\x80\0\0\0\0\0\xFF\xFF\xFF".to_vec();
        let extension = b"\x21\xF9\x04\0\0\0\0\0".to_vec();
        let image = b"\x2C\0\0\0\0\x02\0\x02\0\0\x02\x03\x44\x02\x05\0".to_vec();
        let whole = [&head[..], &extension, &image, &image, b"\x3B"].concat();
        let ends = [head.len(), head.len() + extension.len(), whole.len() - 1 - image.len(), whole.len() - 1];
        for end in 0..=whole.len() {
            let walked = walk(Cursor::new(&whole[..end]));
            let is_whole = end == whole.len() || ends.contains(&end);
            assert_eq!(
                walked.map_err(|error| error.kind()),
                if is_whole { Ok(()) } else { Err(ErrorKind::UnexpectedEof) },
                "{end}"
            );
        }
        let behind = [&whole[..], b"\x2Canything"].concat();
        assert!(walk(Cursor::new(behind)).is_ok());
    }
}
