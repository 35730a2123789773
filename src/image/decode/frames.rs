//! How many pictures a file holds, counted without decoding any of them.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::webp;

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

/// The number of frames that acTL begins with (PNG, third edition, 11.3.6.1); it stands before the image data.
fn apng(bytes: &[u8]) -> u32 {
    let mut at = 8;
    while let Some((length, rest)) = bytes.get(at..).and_then(|chunk| chunk.split_first_chunk()) {
        let length = u32::from_be_bytes(*length) as usize;
        match rest.get(..4) {
            Some(b"acTL") => {
                let frames = bytes.get(at + 8..at + 12).and_then(|frames| frames.try_into().ok());
                return frames.map_or(1, u32::from_be_bytes);
            }
            Some(b"IDAT") | None => return 1,
            _ => {}
        }
        let Some(next) = at.checked_add(length).and_then(|end| end.checked_add(12)) else { return 1 };
        at = next;
    }
    1
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
