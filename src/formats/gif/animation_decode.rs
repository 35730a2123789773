//! Decodes the frames of a GIF as browsers show them: the background is transparent, and pixels outside the canvas are
//! ignored.

use std::io::Cursor;

use gif::{DecodeOptions, Decoder, DecodingError, DisposalMethod, Repeat};
use image::RgbaImage;

use crate::animation::canvas::{Disposal, Piece};
use crate::animation::clock::Delay;
use crate::animation::reader::FrameReader;
use crate::error::{Error, Result};
use crate::formats::gif::metadata;

/// The extension says how often the animation is repeated after it was played once.
pub(crate) fn plays(bytes: &[u8]) -> u32 {
    match Decoder::new(Cursor::new(bytes)).map(|decoder| decoder.repeat()) {
        Ok(Repeat::Infinite) => 0,
        Ok(Repeat::Finite(repeats)) => u32::from(repeats) + 1,
        Err(_) => 1,
    }
}

/// A decoder that passes over the pixels.
fn descriptors(bytes: &[u8]) -> Option<Decoder<Cursor<&[u8]>>> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    options.read_info(Cursor::new(bytes)).ok()
}

/// Width and height of the first frame.
pub(crate) fn first_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut decoder = descriptors(bytes)?;
    let frame = decoder.next_frame_info().ok()??;
    Some((u32::from(frame.width), u32::from(frame.height)))
}

/// Counts the frames without decoding them.
pub(crate) fn frame_count(bytes: &[u8]) -> u32 {
    let Some(mut decoder) = descriptors(bytes) else { return 1 };
    let mut frames = 0;
    while let Ok(Some(_)) = decoder.next_frame_info() {
        frames += 1;
    }
    frames
}

pub(crate) fn each(reader: &mut FrameReader<'_>, take: &mut dyn FnMut(&Piece) -> Result<()>) -> Result<()> {
    let mut decoder = Decoder::new(Cursor::new(reader.bytes)).map_err(corrupt)?;
    loop {
        let frame = match decoder.next_frame_info() {
            Ok(Some(frame)) => frame,
            Ok(None) => return Ok(()),
            Err(DecodingError::UnexpectedEof) if ends_behind_a_block(reader.bytes) => return Ok(()),
            Err(cause) => return Err(corrupt(cause)),
        };
        let (width, height) = (u32::from(frame.width), u32::from(frame.height));
        let mut piece = Piece {
            left: u32::from(frame.left),
            top: u32::from(frame.top),
            pixels: RgbaImage::new(0, 0),
            blends: true,
            disposal: match frame.dispose {
                DisposalMethod::Any | DisposalMethod::Keep => Disposal::Keep,
                DisposalMethod::Background => Disposal::Clear,
                DisposalMethod::Previous => Disposal::Restore,
            },
            delay: Delay { numerator: u32::from(frame.delay), denominator: 100 },
        };
        let transparent = frame.transparent.map(usize::from);
        (reader.check_size)(width, height)?;
        (reader.spend)(u64::from(width) * u64::from(height))?;
        if width > 0 && height > 0 {
            let mut indices = vec![0; width as usize * height as usize];
            decoder.read_into_buffer(&mut indices).map_err(corrupt)?;
            let colors = decoder.palette().map_err(corrupt)?.as_chunks::<3>().0;
            piece.pixels = RgbaImage::new(width, height);
            for (index, pixel) in indices.iter().zip(piece.pixels.as_chunks_mut::<4>().0) {
                let index = usize::from(*index);
                // An index without a color is transparent too.
                if let Some([r, g, b]) = colors.get(index).filter(|_| transparent != Some(index)) {
                    *pixel = [*r, *g, *b, u8::MAX];
                }
            }
        }
        take(&piece)?;
    }
}

/// Many files have no trailer. A file that ends within a block is truncated.
fn ends_behind_a_block(gif: &[u8]) -> bool {
    metadata::write(gif).is_some()
}

/// Fails if the file is truncated.
#[cfg(feature = "full")]
pub(crate) fn check_complete(gif: &[u8]) -> Result<()> {
    if ends_behind_a_block(gif) { Ok(()) } else { Err(corrupt(DecodingError::UnexpectedEof)) }
}

fn corrupt(cause: DecodingError) -> Error {
    Error::corrupt("GIF", cause)
}
