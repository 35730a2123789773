//! Frames of an animated WebP (RFC 9649, section 2.7.1.1). Each is decoded as a still file, because image-webp composes
//! animations itself and does not clear disposed areas.

use crate::animation::canvas::{Disposal, Piece};
use crate::animation::clock::Delay;
use crate::animation::reader::FrameReader;
use crate::error::Result;
use crate::formats::webp::metadata as webp;
use crate::formats::webp::metadata::{ALPHA_FLAG, Chunk, Chunks};

const NO_BLENDING: u8 = 0b10;
const DISPOSE_TO_BACKGROUND: u8 = 0b01;

pub(crate) fn plays(bytes: &[u8]) -> u32 {
    let anim = Chunks::new(bytes).find(|chunk| &chunk.kind == b"ANIM");
    // After the background color, which browsers ignore.
    match anim.as_ref().and_then(|anim| anim.data.get(4..6)) {
        Some(&[low, high]) => u32::from(u16::from_le_bytes([low, high])),
        _ => 1,
    }
}

/// Every frame is an `ANMF` chunk (RFC 9649, section 2.7.1.1). A truncated file counts one more, which is missing.
pub(crate) fn frame_count(bytes: &[u8]) -> u32 {
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

pub(crate) fn each(reader: &mut FrameReader<'_>, take: &mut dyn FnMut(&Piece) -> Result<()>) -> Result<()> {
    let mut chunks = Chunks::new(reader.bytes);
    for chunk in &mut chunks {
        if &chunk.kind != b"ANMF" {
            continue;
        }
        let Some((head, data)) = chunk.data.split_first_chunk::<16>() else {
            return Err(reader.corrupt("a frame is too short"));
        };
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], 0]);
        let (left, top) = (number(0) * 2, number(3) * 2);
        let (width, height) = (number(6) + 1, number(9) + 1);
        reader.check_place((left, top), (width, height))?;
        (reader.check_file)(data.len() as u64)?;
        let file = still(data, width, height);
        let pixels = reader.decode(&file.unwrap_or_default(), width, height)?;
        take(&Piece {
            left,
            top,
            pixels,
            blends: head[15] & NO_BLENDING == 0,
            disposal: if head[15] & DISPOSE_TO_BACKGROUND == 0 { Disposal::Keep } else { Disposal::Clear },
            delay: Delay { numerator: number(12), denominator: 1000 },
        })?;
    }
    match chunks.broken {
        true => Err(reader.corrupt("it ends too soon")),
        false => Ok(()),
    }
}

/// The data of a frame as a file.
fn still(frame: &[u8], width: u32, height: u32) -> Option<Vec<u8>> {
    let chunks = || Chunks::within(frame);
    let pixels = chunks().find(|chunk| matches!(&chunk.kind, b"VP8 " | b"VP8L"))?;
    // Lossless data includes alpha.
    let alpha = chunks().find(|chunk| &chunk.kind == b"ALPH" && &pixels.kind == b"VP8 ");
    let mut out = webp::HEADER.to_vec();
    if let Some(Chunk { data, .. }) = alpha {
        let mut description = [ALPHA_FLAG, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        description[4..7].copy_from_slice(&(width - 1).to_le_bytes()[..3]);
        description[7..].copy_from_slice(&(height - 1).to_le_bytes()[..3]);
        webp::push(&mut out, b"VP8X", &description)?;
        webp::push(&mut out, b"ALPH", data)?;
    }
    webp::push(&mut out, &pixels.kind, pixels.data)?;
    webp::close(out)
}
