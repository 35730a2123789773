//! How many pictures a file holds, counted without decoding any of them.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::{png, webp};

/// Frames of an animation; 1 for a still picture, and for what can not be counted.
pub(super) fn count(bytes: &[u8], media: MediaType) -> u32 {
    match media {
        MediaType::Gif => gif(bytes),
        MediaType::Png => apng(bytes),
        MediaType::Webp => webp(bytes),
        _ => 1,
    }
    .max(1)
}

fn gif(bytes: &[u8]) -> u32 {
    let mut options = gif::DecodeOptions::new();
    options.skip_frame_decoding(true);
    let Ok(mut decoder) = options.read_info(Cursor::new(bytes)) else { return 1 };
    let mut frames = 0;
    while let Ok(Some(_)) = decoder.next_frame_info() {
        frames += 1;
    }
    frames
}

fn apng(bytes: &[u8]) -> u32 {
    let Ok(decoder) = png::PngDecoder::new(Cursor::new(bytes)) else { return 1 };
    if !decoder.is_apng().unwrap_or(false) {
        return 1;
    }
    // acTL (PNG, third edition, 11.3.6.1) begins with the number of frames and stands before the image data.
    let header = &bytes[..bytes.len().min(64 << 10)];
    let Some(at) = header.windows(4).position(|window| window == b"acTL") else { return 1 };
    header.get(at + 4..at + 8).and_then(|n| n.try_into().ok()).map_or(1, u32::from_be_bytes)
}

fn webp(bytes: &[u8]) -> u32 {
    let Ok(decoder) = webp::WebPDecoder::new(Cursor::new(bytes)) else { return 1 };
    if !decoder.has_animation() {
        return 1;
    }
    // Every frame is an ANMF chunk (RFC 9649, section 2.7.1.1); the walk goes from header to header.
    let mut at = 12;
    let mut frames = 0;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let length = u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]) as usize;
        frames += u32::from(chunk.starts_with(b"ANMF"));
        let Some(next) = at.checked_add(8 + length + (length & 1)) else { break };
        at = next;
    }
    frames
}
