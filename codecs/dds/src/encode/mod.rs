//! Encodes a picture: one surface without mipmaps.

mod bc1;
mod bc4;
mod bc7;
mod fit;
mod header;

use crate::error::Error;

/// Samples of a picture, row by row, the channels of a pixel side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels<'a> {
    /// One channel.
    Gray8(&'a [u8]),
    /// One channel.
    Gray16(&'a [u16]),
    /// Red, green, blue.
    Rgb8(&'a [u8]),
    /// Red, green, blue, alpha.
    Rgba8(&'a [u8]),
    /// Red, green, blue, alpha.
    Rgba16(&'a [u16]),
}

/// A block compression, and the samples that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// 4 bits per pixel. Takes red, green, blue and alpha, which is not kept: everything is opaque.
    Bc1,
    /// 8 bits per pixel, as BC1 with alpha. Takes red, green, blue and alpha.
    Bc3,
    /// 4 bits per pixel. Takes gray.
    Bc4,
    /// 8 bits per pixel. Takes red, green, blue and alpha.
    Bc7 {
        /// Whether more forms of each block are tried.
        search: bool,
    },
}

/// Writes a picture with every bit of its samples.
///
/// # Errors
///
/// [`Error::Samples`] if there are more or fewer samples than the size says.
pub fn encode(pixels: Pixels<'_>, width: u32, height: u32) -> Result<Vec<u8>, Error> {
    let (given, channels) = match pixels {
        Pixels::Gray8(samples) => (samples.len(), 1),
        Pixels::Rgb8(samples) => (samples.len(), 3),
        Pixels::Rgba8(samples) => (samples.len(), 4),
        Pixels::Gray16(samples) => (samples.len(), 1),
        Pixels::Rgba16(samples) => (samples.len(), 4),
    };
    check(given, channels, width, height)?;
    let (form, bytes) = match pixels {
        Pixels::Gray8(_) => (header::Form::gray(8), 1),
        Pixels::Gray16(_) => (header::Form::gray(16), 2),
        Pixels::Rgb8(_) => (header::Form::bgr(false), 1),
        Pixels::Rgba8(_) => (header::Form::bgr(true), 1),
        Pixels::Rgba16(_) => (header::Form::rgba16(), 2),
    };
    let mut file = header::write(form, width, height, given * bytes);
    match pixels {
        Pixels::Gray8(samples) => file.extend_from_slice(samples),
        Pixels::Gray16(samples) | Pixels::Rgba16(samples) => {
            samples.iter().for_each(|sample| file.extend_from_slice(&sample.to_le_bytes()));
        }
        // Blue comes first.
        Pixels::Rgb8(samples) | Pixels::Rgba8(samples) => {
            let from = file.len();
            file.extend_from_slice(samples);
            file[from..].chunks_exact_mut(channels).for_each(|pixel| pixel.swap(0, 2));
        }
    }
    Ok(file)
}

/// Writes a picture in blocks of 4 × 4 pixels. At the right and at the bottom, the last pixels fill the blocks.
///
/// # Errors
///
/// [`Error::Samples`] if there are more or fewer samples than the size says.
pub fn encode_blocks(blocks: Blocks, width: u32, height: u32, samples: &[u8]) -> Result<Vec<u8>, Error> {
    let channels = if blocks == Blocks::Bc4 { 1 } else { 4 };
    check(samples.len(), channels, width, height)?;
    let (form, bytes) = match blocks {
        Blocks::Bc1 => (header::Form::code(*b"DXT1"), 8),
        Blocks::Bc3 => (header::Form::code(*b"DXT5"), 16),
        Blocks::Bc4 => (header::Form::code(*b"BC4U"), 8),
        Blocks::Bc7 { .. } => (header::Form::bc7(), 16),
    };
    let [across, down] = [width, height].map(|side| side.div_ceil(4) as usize);
    let mut file = header::write(form, width, height, across * down * bytes);
    // Pictures with flat parts have the same block many times in a row.
    let (mut before, mut coded) = (None, 0_u128);
    for top in (0..height as usize).step_by(4) {
        for left in (0..width as usize).step_by(4) {
            let texels = block_at(samples, channels, [width, height].map(|side| side as usize), [left, top]);
            if before != Some(texels) {
                coded = encode_block(blocks, &texels);
                before = Some(texels);
            }
            file.extend_from_slice(&coded.to_le_bytes()[..bytes]);
        }
    }
    Ok(file)
}

/// The pixels of a block. Gray is red.
fn block_at(samples: &[u8], channels: usize, [width, height]: [usize; 2], [left, top]: [usize; 2]) -> Block {
    std::array::from_fn(|pixel| {
        let x = (left + pixel % 4).min(width - 1);
        let y = (top + pixel / 4).min(height - 1);
        let at = (y * width + x) * channels;
        if channels == 1 {
            [samples[at], 0, 0, 255]
        } else {
            [samples[at], samples[at + 1], samples[at + 2], samples[at + 3]]
        }
    })
}

fn encode_block(blocks: Blocks, texels: &Block) -> u128 {
    match blocks {
        Blocks::Bc1 => bc1::encode(texels).into(),
        Blocks::Bc3 => {
            let alpha = bc4::encode(&texels.map(|texel| texel[3]));
            u128::from(alpha) | u128::from(bc1::encode(texels)) << 64
        }
        Blocks::Bc4 => bc4::encode(&texels.map(|texel| texel[0])).into(),
        Blocks::Bc7 { search } => bc7::encode(texels, search),
    }
}

/// The pixels of a block, row by row.
type Block = [[u8; 4]; 16];

fn check(given: usize, channels: usize, width: u32, height: u32) -> Result<(), Error> {
    let expected = u64::from(width) * u64::from(height);
    let expected = expected.checked_mul(channels as u64).and_then(|count| usize::try_from(count).ok());
    match expected.unwrap_or(usize::MAX) {
        expected if expected == given && given > 0 => Ok(()),
        expected => Err(Error::Samples { expected, given }),
    }
}
