//! Bounds-checked reads: an offset past the end returns `None` or `false`.

pub(super) fn has(head: &[u8], offset: usize, expected: &[u8]) -> bool {
    head.get(offset..).is_some_and(|rest| rest.starts_with(expected))
}

pub(super) fn array<const N: usize>(head: &[u8], offset: usize) -> Option<[u8; N]> {
    head.get(offset..)?.first_chunk().copied()
}

pub(super) fn be16(head: &[u8], offset: usize) -> Option<u16> {
    array(head, offset).map(u16::from_be_bytes)
}

pub(super) fn le16(head: &[u8], offset: usize) -> Option<u16> {
    array(head, offset).map(u16::from_le_bytes)
}

pub(super) fn be32(head: &[u8], offset: usize) -> Option<u32> {
    array(head, offset).map(u32::from_be_bytes)
}

pub(super) fn le32(head: &[u8], offset: usize) -> Option<u32> {
    array(head, offset).map(u32::from_le_bytes)
}

pub(super) fn le64(head: &[u8], offset: usize) -> Option<u64> {
    array(head, offset).map(u64::from_le_bytes)
}

/// The offset of the first `needle`.
pub(super) fn find(head: &[u8], needle: &[u8]) -> Option<usize> {
    head.windows(needle.len()).position(|window| window == needle)
}
