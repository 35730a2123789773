//! Operations on 8-bit samples: counting colors, downsampling, and conversion for the image engine.

use std::collections::HashSet;

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use super::sample_layout::SampleLayout;

/// Whether there are more than `most` different colors.
pub(super) fn has_more_colors(samples: &[u8], channels: u8, most: usize) -> bool {
    let mut colors = HashSet::with_capacity(most + 1);
    let mut last: &[u8] = &[];
    samples.chunks_exact(usize::from(channels)).any(|pixel| {
        if pixel != last {
            colors.insert(pixel);
            last = pixel;
        }
        colors.len() > most
    })
}

/// Downsamples by averaging raw values, which is correct for inks, masks and unknown profiles too.
pub(super) fn resize(samples: &[u8], layout: &SampleLayout, (width, height): (u32, u32)) -> Option<Vec<u8>> {
    let kind = match layout.channels {
        1 => PixelType::U8,
        3 => PixelType::U8x3,
        4 => PixelType::U8x4,
        _ => return None,
    };
    let source = ImageRef::new(layout.width, layout.height, samples, kind).ok()?;
    let mut target = Image::new(width, height, kind);
    let filter = ResizeAlg::Convolution(FilterType::CatmullRom);
    let options = ResizeOptions::new().resize_alg(filter).use_alpha(false);
    Resizer::new().resize(&source, &mut target, &options).ok()?;
    Some(target.into_vec())
}

/// Converts gray (one channel) or RGB (three) to PNM.
pub(super) fn pnm(samples: &[u8], (width, height): (u32, u32), channels: u8) -> Vec<u8> {
    let kind = if channels == 1 { 5 } else { 6 };
    let mut pnm = format!("P{kind}\n{width} {height}\n255\n").into_bytes();
    pnm.extend_from_slice(samples);
    pnm
}
