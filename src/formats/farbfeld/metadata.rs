//! Finds the end of a farbfeld's pixels. The format stores no metadata, but readers ignore data after the end.

/// The picture of a farbfeld: four channels of 16 bits (<https://tools.suckless.org/farbfeld/>).
pub(crate) fn write(farbfeld: &[u8]) -> Option<Vec<u8>> {
    const HEADER: u64 = 16;
    let (width, height) = sides(farbfeld.get(8..)?)?;
    let end = width.checked_mul(height)?.checked_mul(8)?.checked_add(HEADER)?;
    Some(farbfeld.get(..usize::try_from(end).ok()?)?.to_vec())
}

fn sides(bytes: &[u8]) -> Option<(u64, u64)> {
    let side = |at: usize| Some(u64::from(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?)));
    Some((side(0)?, side(4)?))
}
