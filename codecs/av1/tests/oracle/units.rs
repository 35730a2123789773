//! The open bitstream units of a file.

/// The units of a file in the low-overhead format without extension headers, each with its type.
pub(super) fn units(mut rest: &[u8]) -> Vec<(u8, &[u8])> {
    let mut units = Vec::new();
    while let Some((head, after)) = rest.split_first() {
        let length = after.iter().take_while(|byte| **byte >= 128).count() + 1;
        let size = after[..length].iter().rev().fold(0, |size, byte| size << 7 | usize::from(byte & 127));
        let (unit, next) = rest.split_at(1 + length + size);
        units.push((head >> 3 & 15, unit));
        rest = next;
    }
    units
}
