//! Frames of an APNG (PNG, third edition, 4.9 and 11.3.6). Each frame is decoded as a PNG of its own, at any bit depth.
//!
//! A default image without `fcTL` is not a frame: it is for viewers that do not support animations.

use crate::animation::canvas::{Disposal, Piece};
use crate::animation::clock::Delay;
use crate::animation::reader::FrameReader;
use crate::error::Result;
use crate::formats::png::metadata as png;
use crate::formats::png::metadata::{Chunk, Chunks};

/// How often the animation is played; 0 for ever (PNG, third edition, 11.3.6.1).
pub(crate) fn plays(bytes: &[u8]) -> u32 {
    let control = Chunks::new(bytes).find(|chunk| &chunk.kind == b"acTL");
    let plays = control.as_ref().and_then(|control| control.data.get(4..8)?.try_into().ok());
    plays.map_or(0, u32::from_be_bytes)
}

/// Counts the `fcTL` chunks, up to the number in `acTL` (PNG, third edition, 11.3.6). A truncated file has as many
/// frames as it claims, so that the loss is noticed.
pub(crate) fn frame_count(bytes: &[u8]) -> u32 {
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

/// Whether frames of 8 bits with alpha are all that the file has: no pixel is deeper, and the default image is a frame.
pub(crate) fn is_rewritable(bytes: &[u8]) -> bool {
    let first = Chunks::new(bytes).find(|chunk| matches!(&chunk.kind, b"fcTL" | b"IDAT"));
    first.is_some_and(|chunk| &chunk.kind == b"fcTL") && bytes.get(24).is_some_and(|depth| *depth <= 8)
}

/// What follows the `fcTL` of the first frame, if the default image is no frame. `None` also if that frame does not cover the canvas:
/// then a still output has the default image.
fn behind_default(bytes: &[u8]) -> Option<Chunks<'_>> {
    let mut chunks = Chunks::new(bytes);
    let size = chunks.next()?.data.first_chunk::<8>()?;
    let mut is_animated = false;
    let first = chunks.find(|chunk| {
        is_animated |= &chunk.kind == b"acTL";
        matches!(&chunk.kind, b"fcTL" | b"IDAT")
    })?;
    if !is_animated || &first.kind == b"fcTL" {
        return None;
    }
    let control = chunks.find(|chunk| &chunk.kind == b"fcTL").filter(Chunk::is_intact)?;
    let (covered, place) = (control.data.get(4..12)?, control.data.get(12..20)?);
    (covered == size && place == [0; 8]).then_some(chunks)
}

/// Whether a still picture of the file is not its default image.
pub(crate) fn hides_default(bytes: &[u8]) -> bool {
    behind_default(bytes).is_some()
}

/// The first frame as a file, if the default image is no frame.
pub(crate) fn first_frame(bytes: &[u8]) -> Option<Vec<u8>> {
    let behind = behind_default(bytes)?;
    let (mut header, mut colors) = (None, Vec::new());
    for chunk in Chunks::new(bytes).take_while(|chunk| &chunk.kind != b"IDAT") {
        match &chunk.kind {
            b"IHDR" => header = Some(chunk.data),
            b"PLTE" | b"tRNS" => colors.extend_from_slice(chunk.whole),
            _ => {}
        }
    }
    let is_intact = behind.clone().take_while(|chunk| &chunk.kind != b"fcTL").all(|chunk| chunk.is_intact());
    png::still(header.filter(|_| is_intact)?, &colors, parts(behind))
}

pub(crate) fn each(reader: &mut FrameReader<'_>, take: &mut dyn FnMut(&Piece) -> Result<()>) -> Result<()> {
    // What every frame needs before its pixels: the header and the color chunks of the file.
    let mut header = [0; 13];
    let mut colors = Vec::new();
    let mut frame: Option<Frame<'_>> = None;
    let mut left = reader.frames;
    let mut chunks = Chunks::new(reader.bytes);
    while let Some(chunk) = chunks.next() {
        match &chunk.kind {
            // A second header could give the frames a format that the limits were not checked for.
            b"IHDR" if header != [0; 13] => return Err(reader.corrupt("it has two headers")),
            b"IHDR" => header = *chunk.data.first_chunk().unwrap_or(&header),
            // One of each kind, no longer than it can be, because they are copied for every frame.
            b"PLTE" | b"tRNS" if chunk.data.len() <= 768 && colors.len() <= 780 => {
                colors.extend_from_slice(chunk.whole);
            }
            b"fcTL" => {
                if let Some(frame) = frame.take() {
                    take(&frame.decode(reader, header, &colors)?)?;
                }
                if left == 0 {
                    break;
                }
                left -= 1;
                frame = Some(Frame::open(reader, &chunk, chunks.clone())?);
            }
            b"IDAT" | b"fdAT" => {
                let is_default = frame.is_none() && &chunk.kind == b"IDAT";
                if !is_default && (frame.is_none() || data(&chunk).is_none() || !chunk.is_intact()) {
                    return Err(reader.corrupt("the pixels of a frame are damaged"));
                }
            }
            _ => {}
        }
    }
    if let Some(frame) = frame {
        take(&frame.decode(reader, header, &colors)?)?;
    }
    match left == 0 || chunks.ended {
        true => Ok(()),
        false => Err(reader.corrupt("it ends too soon")),
    }
}

/// The part of a frame's zlib stream that a chunk has. `fdAT` chunks begin with a sequence number.
fn data<'a>(chunk: &Chunk<'a>) -> Option<&'a [u8]> {
    match &chunk.kind {
        b"IDAT" => Some(chunk.data),
        b"fdAT" => chunk.data.get(4..),
        _ => None,
    }
}

/// The parts of the zlib stream of a frame, of the chunks behind its `fcTL`.
fn parts<'a>(behind: Chunks<'a>) -> impl Iterator<Item = &'a [u8]> + Clone {
    let own = behind.take_while(|chunk| &chunk.kind != b"fcTL");
    own.filter_map(|chunk| data(&chunk)).filter(|data| !data.is_empty())
}

/// A frame.
struct Frame<'a> {
    place: (u32, u32),
    size: (u32, u32),
    delay: Delay,
    disposal: Disposal,
    blends: bool,
    /// What follows its `fcTL`.
    behind: Chunks<'a>,
}

impl<'a> Frame<'a> {
    fn open(reader: &FrameReader<'_>, chunk: &Chunk<'_>, behind: Chunks<'a>) -> Result<Self> {
        let control = chunk.data.first_chunk::<26>().filter(|_| chunk.is_intact());
        let control = control.ok_or_else(|| reader.corrupt("the description of a frame is damaged"))?;
        let long =
            |at: usize| u32::from_be_bytes([control[at], control[at + 1], control[at + 2], control[at + 3]]);
        let short = |at: usize| u32::from(u16::from_be_bytes([control[at], control[at + 1]]));
        let (size, place) = ((long(4), long(8)), (long(12), long(16)));
        reader.check_place(place, size)?;
        let disposal = match control[24] {
            0 => Disposal::Keep,
            1 => Disposal::Clear,
            2 => Disposal::Restore,
            _ => return Err(reader.corrupt("the disposal of a frame is unknown")),
        };
        let denominator = if short(22) == 0 { 100 } else { short(22) };
        let delay = Delay { numerator: short(20), denominator };
        Ok(Self { place, size, delay, disposal, blends: control[25] == 1, behind })
    }

    fn decode(self, reader: &mut FrameReader<'_>, mut header: [u8; 13], colors: &[u8]) -> Result<Piece> {
        let (width, height) = self.size;
        header[..4].copy_from_slice(&width.to_be_bytes());
        header[4..8].copy_from_slice(&height.to_be_bytes());
        let parts = parts(self.behind);
        (reader.check_file)(png::still_size(colors, parts.clone()) as u64)?;
        let file = png::still(&header, colors, parts).unwrap_or_default();
        let (left, top) = self.place;
        Ok(Piece {
            left,
            top,
            pixels: reader.decode(&file, width, height)?,
            blends: self.blends,
            disposal: self.disposal,
            delay: self.delay,
        })
    }
}
