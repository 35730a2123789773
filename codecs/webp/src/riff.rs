//! The RIFF container of WebP (RFC 9649, section 2): `VP8 ` alone, or `VP8X`, `ALPH` and `VP8 ` where there is alpha.
//!
//! Metadata chunks and animations are not written here.

use crate::error::Error;

/// The alpha flag of `VP8X`.
const ALPHA_FLAG: u8 = 0x10;

/// A WebP file of a VP8 key frame and, if the picture has alpha, the payload of its `ALPH` chunk.
pub(crate) fn file(
    (width, height): (usize, usize),
    frame: &[u8],
    alpha: Option<&[u8]>,
) -> Result<Vec<u8>, Error> {
    let mut out = b"RIFF\0\0\0\0WEBP".to_vec();
    if let Some(alpha) = alpha {
        let mut vp8x = [ALPHA_FLAG, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        vp8x[4..7].copy_from_slice(&(width as u32 - 1).to_le_bytes()[..3]);
        vp8x[7..10].copy_from_slice(&(height as u32 - 1).to_le_bytes()[..3]);
        push_chunk(&mut out, b"VP8X", &vp8x)?;
        push_chunk(&mut out, b"ALPH", alpha)?;
    }
    push_chunk(&mut out, b"VP8 ", frame)?;
    let size = u32::try_from(out.len() - 8).map_err(|_| Error::TooLong)?;
    out[4..8].copy_from_slice(&size.to_le_bytes());
    Ok(out)
}

fn push_chunk(out: &mut Vec<u8>, fourcc: &[u8; 4], payload: &[u8]) -> Result<(), Error> {
    let size = u32::try_from(payload.len()).map_err(|_| Error::TooLong)?;
    out.extend(fourcc);
    out.extend(size.to_le_bytes());
    out.extend(payload);
    if payload.len() % 2 == 1 {
        out.push(0);
    }
    Ok(())
}
