//! The container (RFC 9649, section 2).

use crate::error::Error;

/// In the chunk "VP8X": that there is alpha.
const ALPHA: u8 = 0x10;

/// A file of the frame, with its alpha if it has any.
pub(crate) fn file(
    (width, height): (usize, usize),
    frame: &[u8],
    alpha: Option<&[u8]>,
) -> Result<Vec<u8>, Error> {
    let mut out = b"RIFF\0\0\0\0WEBP".to_vec();
    if let Some(alpha) = alpha {
        let mut description = [ALPHA, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        description[4..7].copy_from_slice(&(width as u32 - 1).to_le_bytes()[..3]);
        description[7..10].copy_from_slice(&(height as u32 - 1).to_le_bytes()[..3]);
        push(&mut out, b"VP8X", &description)?;
        push(&mut out, b"ALPH", alpha)?;
    }
    push(&mut out, b"VP8 ", frame)?;
    let length = u32::try_from(out.len() - 8).map_err(|_| Error::TooLong)?;
    out[4..8].copy_from_slice(&length.to_le_bytes());
    Ok(out)
}

fn push(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) -> Result<(), Error> {
    let length = u32::try_from(data.len()).map_err(|_| Error::TooLong)?;
    out.extend(kind);
    out.extend(length.to_le_bytes());
    out.extend(data);
    if data.len() % 2 == 1 {
        out.push(0);
    }
    Ok(())
}
