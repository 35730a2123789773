//! PNM: PGM or PPM.

use image::DynamicImage;

use crate::pixels;

/// Binary PGM for gray, PPM for colors; 16 bits if the pixels have them.
pub(crate) fn encode(image: DynamicImage) -> Vec<u8> {
    let (width, height) = (image.width(), image.height());
    let wide = image.color().bytes_per_pixel() > image.color().channel_count();
    let big_endian = |samples: Vec<u16>| samples.into_iter().flat_map(u16::to_be_bytes).collect();
    let (magic, samples): (_, Vec<u8>) = match (image.color().has_color(), wide) {
        (true, true) => ("P6", big_endian(pixels::rgb16(image).into_raw())),
        (true, false) => ("P6", pixels::rgb8(image).into_raw()),
        (false, true) => ("P5", big_endian(pixels::gray16(image).into_raw())),
        (false, false) => ("P5", pixels::gray8(image).into_raw()),
    };
    let greatest = if wide { "65535" } else { "255" };
    let mut out = format!("{magic}\n{width} {height}\n{greatest}\n").into_bytes();
    out.extend(samples);
    out
}
