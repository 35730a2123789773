//! The metadata in a TGA: an image ID before the pixels, and areas after them with author names, times and comments
//! (Truevision TGA File Format Specification 2.0).

const HEADER: usize = 18;

/// The header, the palette and the pixels.
pub(crate) fn write(tga: &[u8]) -> Option<Vec<u8>> {
    let mut header: [u8; HEADER] = *tga.first_chunk()?;
    let short = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let bytes = |bits: u8| usize::from(bits.div_ceil(8));
    let palette = if header[1] == 1 { short(5) * bytes(header[7]) } else { 0 };
    let (pixels, pixel) = (short(12) * short(14), bytes(header[16]));
    let start = HEADER + usize::from(header[0]);
    let mut at = start + palette;
    if header[2] & 8 == 0 {
        at = at.checked_add(pixels.checked_mul(pixel)?)?;
    } else {
        // Packets of up to 128 pixels, either literal or one repeated pixel.
        let mut coded = 0;
        while coded < pixels {
            let packet = *tga.get(at)?;
            let count = usize::from(packet & 0x7F) + 1;
            at += 1 + pixel * if packet & 0x80 == 0 { count } else { 1 };
            coded += count;
        }
    }
    header[0] = 0;
    Some([&header, tga.get(start..at)?].concat())
}
