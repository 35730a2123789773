//! Reads the size of an image from the first bytes of its file, for a planner without decoders.

/// The contents of a header. Missing values are 0.
#[derive(Default)]
pub(crate) struct HeaderSize {
    /// The stored width in pixels.
    pub(crate) width: u32,
    /// The stored height in pixels.
    pub(crate) height: u32,
    /// Whether it is decoded in several scans, whose coefficients are in memory until the last.
    pub(crate) progressive: bool,
}

impl HeaderSize {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { width, height, progressive: false }
    }
}

/// A big-endian number. 0 after the end of the header.
#[inline(never)]
pub(crate) fn be32(head: &[u8], at: usize) -> u32 {
    head.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// A little-endian number. 0 after the end of the header.
pub(crate) fn le32(head: &[u8], at: usize) -> u32 {
    be32(head, at).swap_bytes()
}

#[cfg(test)]
mod tests {
    use filepress_wire::MediaType;

    use crate::formats;

    const HEADERS: [(MediaType, &[u8]); 10] = [
        (MediaType::Png, b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\x2C\0\0\0\xC8\x08\x02"),
        (MediaType::Gif, b"GIF89a\x2C\x01\xC8\0\xF7"),
        (MediaType::Avif, b"\0\0\0\x1Cftypavif\0\0\0\x14ispe\0\0\0\0\0\0\x01\x2C\0\0\0\xC8"),
        // A tile comes first.
        (
            MediaType::Avif,
            b"\0\0\0\x14ispe\0\0\0\0\0\0\0\x80\0\0\0\x80\0\0\0\x14ispe\0\0\0\0\0\0\x01\x2C\0\0\0\xC8",
        ),
        (MediaType::Webp, b"RIFF\0\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\x2B\x01\0\xC7\0\0\0"),
        // 14 bits each, minus one.
        (MediaType::Webp, b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2F\x2B\xC1\x31\x00\0"),
        // The two bits above are a scaling factor.
        (MediaType::Webp, b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9D\x01\x2A\x2C\x41\xC8\x80"),
        (MediaType::Jpeg, b"\xFF\xD8\xFF\xE0\0\x04\xFF\xC0\xFF\xFF\xC0\0\x11\x08\0\xC8\x01\x2C\x03"),
        (MediaType::Jpeg, b"\xFF\xD8\xFF\xC4\0\x02\xFF\xC2\0\x11\x08\0\xC8\x01\x2C\x03"),
        (MediaType::Bmp, b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x2C\x01\0\0\xC8\0\0\0"),
    ];

    #[test]
    fn sizes_are_read_from_headers() {
        for (media, header) in HEADERS {
            let found = (formats::of(media).expect("a format").size)(header);
            let known = media != MediaType::Bmp;
            let expected = if known { (300, 200) } else { (0, 0) };
            assert_eq!((found.width, found.height), expected, "{media} {header:02X?}");
            assert_eq!(found.progressive, header.starts_with(b"\xFF\xD8\xFF\xC4"), "{media}");
        }
    }

    #[test]
    fn headers_may_end_anywhere() {
        for (media, header) in HEADERS {
            for end in 0..header.len() {
                let found = (formats::of(media).expect("a format").size)(&header[..end]);
                assert!(found.width <= 300 && found.height <= 300, "{media}: {end} bytes");
            }
        }
    }
}
