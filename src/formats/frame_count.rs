//! How many pictures a file holds, counted without decoding any of them.

use std::io::Cursor;

use filepress_wire::MediaType;

use crate::formats::png::metadata as png;
use crate::formats::webp::metadata as webp;

/// Frames of an animation; 1 for a still picture, and for what cannot be counted.
pub(crate) fn count(bytes: &[u8], media: MediaType) -> u32 {
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

/// As many `fcTL` as there are, up to the number that `acTL` begins with (PNG, third edition, 11.3.6). A file that
/// breaks off has as many as it claims, so that the loss does not pass unseen.
fn apng(bytes: &[u8]) -> u32 {
    let (mut frames, mut claimed) = (0, 1);
    let mut chunks = png::Chunks::new(bytes);
    for chunk in &mut chunks {
        match (&chunk.kind, chunk.data.first_chunk()) {
            (b"acTL", Some(number)) => claimed = u32::from_be_bytes(*number),
            (b"fcTL", _) => frames += 1,
            _ => {}
        }
    }
    if chunks.ended { claimed.min(frames) } else { claimed }
}

/// Every frame is an `ANMF` chunk (RFC 9649, section 2.7.1.1); one more is missing where the file breaks off.
fn webp(bytes: &[u8]) -> u32 {
    let mut frames = 0;
    let mut moves = false;
    let mut chunks = webp::Chunks::new(bytes);
    for chunk in &mut chunks {
        match &chunk.kind {
            b"VP8X" => moves = chunk.data.first().is_some_and(|flags| flags & webp::ANIMATION_FLAG != 0),
            b"ANMF" => frames += u32::from(moves),
            _ => {}
        }
    }
    frames + u32::from(moves && chunks.broken)
}
