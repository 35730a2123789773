//! What image-webp allocates before it compares: lossy pixels have a size of their own, beside that of the canvas.

/// How many bytes lie between the beginning of a chunk of lossy pixels and the end of its size: its head, the frame tag, the start
/// code, and two sides of 14 bits below two of scale (RFC 6386, 9.1).
const HEAD: usize = 18;

/// Whether no lossy pixels in the file reach beyond the canvas. The chunk is looked for anywhere, since walks from chunk to chunk
/// differ where a length is wrong.
pub(crate) fn is_within(webp: &[u8], (width, height): (u32, u32)) -> bool {
    webp.windows(HEAD).all(|head| {
        let (kind, rest) = head.split_at(4);
        if kind != b"VP8 " || rest[7..10] != [0x9D, 0x01, 0x2A] {
            return true;
        }
        let side = |at: usize| u32::from(u16::from_le_bytes([rest[at], rest[at + 1]]) & 0x3FFF);
        side(10) <= width && side(12) <= height
    })
}
