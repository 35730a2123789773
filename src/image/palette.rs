//! At most 256 colours: found where an image has no more, chosen where it has.

use std::collections::HashMap;

use image::RgbaImage;

use crate::error::{Error, ErrorCode, Result};

/// An image as indices of colours.
pub(super) struct Indexed {
    /// Red, green, blue and alpha; at most 256.
    pub(super) colours: Vec<[u8; 4]>,
    /// One index a pixel, row by row.
    pub(super) indices: Vec<u8>,
}

/// The colours of an image that has no more than `limit` (at most 256), in the order of their appearance.
pub(super) fn exact(image: &RgbaImage, limit: usize) -> Option<Indexed> {
    let mut seen: HashMap<[u8; 4], u8> = HashMap::with_capacity(256);
    let mut colours = Vec::with_capacity(256);
    let mut indices = Vec::with_capacity(image.len() / 4);
    let mut last = None;
    for pixel in image.pixels() {
        let index = match last {
            Some((colour, index)) if colour == pixel.0 => index,
            _ => match seen.get(&pixel.0) {
                Some(&index) => index,
                None if colours.len() >= limit.min(256) => return None,
                None => {
                    let index = colours.len() as u8;
                    seen.insert(pixel.0, index);
                    colours.push(pixel.0);
                    index
                }
            },
        };
        last = Some((pixel.0, index));
        indices.push(index);
    }
    Some(Indexed { colours, indices })
}

/// Chooses `limit` colours (2 to 256) that serve the image best, with error diffusion.
pub(super) fn quantise(image: &RgbaImage, limit: usize) -> Result<Indexed> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let view = quantizr::Image::new(image.as_raw(), width, height).map_err(failed)?;
    let mut options = quantizr::Options::default();
    options.set_max_colors(limit.clamp(2, 256) as i32).map_err(failed)?;
    let mut result = quantizr::QuantizeResult::quantize(&view, &options);
    result.set_dithering_level(1.0).map_err(failed)?;
    let mut indices = vec![0; width * height];
    result.remap_image(&view, &mut indices).map_err(failed)?;
    let palette = result.get_palette();
    let colours = palette.entries.iter().take(palette.count as usize).map(|c| [c.r, c.g, c.b, c.a]).collect();
    Ok(Indexed { colours, indices })
}

/// Colours that a quality of 1 to 100 is worth: all 256 from 80 on, and fewer below.
pub(super) fn colours_for(quality: u8) -> usize {
    (usize::from(quality) * 256 / 80).clamp(4, 256)
}

fn failed(cause: quantizr::Error) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The colours could not be reduced: {cause:?}."))
}
