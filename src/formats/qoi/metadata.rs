//! Finds the end of a QOI's pixels. The format stores no metadata, but readers ignore data after the end.

/// The picture of a QOI up to its end mark (<https://qoiformat.org/qoi-specification.pdf>).
pub(crate) fn write(qoi: &[u8]) -> Option<Vec<u8>> {
    const HEADER: usize = 14;
    const END: usize = 8;
    let (width, height) = sides(qoi.get(4..)?)?;
    let pixels = width.checked_mul(height)?;
    let (mut coded, mut at) = (0, HEADER);
    while coded < pixels {
        let (bytes, run) = match *qoi.get(at)? {
            0xFE => (4, 1),
            0xFF => (5, 1),
            0x80..=0xBF => (2, 1),
            run @ 0xC0..=0xFD => (1, u64::from(run & 0x3F) + 1),
            _ => (1, 1),
        };
        at += bytes;
        coded += run;
    }
    Some(qoi.get(..at + END)?.to_vec())
}

fn sides(bytes: &[u8]) -> Option<(u64, u64)> {
    let side = |at: usize| Some(u64::from(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?)));
    Some((side(0)?, side(4)?))
}
