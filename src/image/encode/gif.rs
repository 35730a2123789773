//! GIF89a, still: at most 256 colours, one of them transparent.

use std::borrow::Cow;

use gif::{Encoder, Frame};
use image::{DynamicImage, RgbaImage};

use super::super::{Warning, palette, pixels};
use crate::error::{Error, ErrorCode, Result};

/// Alpha from here on is opaque; GIF knows nothing between.
const OPAQUE_FROM: u8 = 128;

pub(super) fn encode(image: DynamicImage, quality: u8, warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let mut rgba = pixels::rgba8(image);
    let softened = threshold_alpha(&mut rgba);
    let limit = palette::colours_for(quality);
    let indexed = match palette::exact(&rgba, limit) {
        Some(indexed) => indexed,
        None => {
            warnings.push(Warning::new(
                "colors_reduced",
                format!("GIF holds 256 colours; those of the output were reduced to {limit}."),
            ));
            palette::quantise(&rgba, limit)?
        }
    };
    if softened {
        warnings.push(Warning::new(
            "alpha_flattened",
            "GIF knows no half-transparent pixels; they were made opaque or clear.",
        ));
    }

    let too_large = |_| Error::new(ErrorCode::OutputTooLarge, "GIF holds at most 65535 pixels a side.");
    let width = u16::try_from(rgba.width()).map_err(too_large)?;
    let height = u16::try_from(rgba.height()).map_err(too_large)?;
    let transparent = indexed.colours.iter().position(|colour| colour[3] < OPAQUE_FROM);
    let colours: Vec<u8> = indexed.colours.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    let frame = Frame {
        width,
        height,
        transparent: transparent.map(|index| index as u8),
        buffer: Cow::Owned(indexed.indices),
        ..Frame::default()
    };
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, width, height, &colours).map_err(failed)?;
    encoder.write_frame(&frame).map_err(failed)?;
    drop(encoder);
    Ok(out)
}

/// Makes every pixel opaque or clear, all clear ones alike; tells whether one was neither before.
fn threshold_alpha(image: &mut RgbaImage) -> bool {
    let mut softened = false;
    for pixel in image.pixels_mut() {
        softened |= !matches!(pixel.0[3], 0 | u8::MAX);
        match pixel.0[3] >= OPAQUE_FROM {
            true => pixel.0[3] = u8::MAX,
            false => pixel.0 = [0; 4],
        }
    }
    softened
}

fn failed(cause: gif::EncodingError) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The GIF could not be written: {cause}."))
}
