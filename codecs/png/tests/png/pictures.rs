//! Pictures to write, and how others read them.

use filepress_png::{Color, Picture, Prepared, Settings};

/// A pixel as red, green, blue and alpha in 16 bits.
pub(crate) type Pixel = [u16; 4];

pub(crate) fn encode(picture: Picture, effort: u8) -> Vec<u8> {
    let settings = Settings { effort, reduce: true, gray: true };
    Prepared::new(picture, settings).expect("as many bytes as the size says").encode()
}

/// The color type and the depth in `IHDR`.
pub(crate) fn kind(file: &[u8]) -> (u8, u8) {
    (file[25], file[24])
}

/// The pixels of a file, by the crate `png`.
pub(crate) fn pixels(file: &[u8]) -> Vec<Pixel> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut samples = vec![0; reader.output_buffer_size().expect("a small picture")];
    let info = reader.next_frame(&mut samples).expect("pixels");
    let values: Vec<u16> = match info.bit_depth {
        png::BitDepth::Sixteen => {
            samples.as_chunks().0.iter().map(|bytes| u16::from_be_bytes(*bytes)).collect()
        }
        _ => samples.iter().map(|byte| u16::from(*byte) * 257).collect(),
    };
    match info.color_type {
        png::ColorType::GrayscaleAlpha => {
            values.as_chunks().0.iter().map(|[y, a]| [*y, *y, *y, *a]).collect()
        }
        png::ColorType::Rgba => values.as_chunks().0.to_vec(),
        other => panic!("{other:?}"),
    }
}

/// The pixels of a picture with 8 or 16 bits, without a palette or a key.
pub(crate) fn plain(picture: &Picture) -> Vec<Pixel> {
    let values: Vec<u16> = match picture.depth {
        16 => picture.rows.as_chunks().0.iter().map(|bytes| u16::from_be_bytes(*bytes)).collect(),
        _ => picture.rows.iter().map(|byte| u16::from(*byte) * 257).collect(),
    };
    let pixel = |pixel: &[u16]| match *pixel {
        [y] => [y, y, y, u16::MAX],
        [y, a] => [y, y, y, a],
        [r, g, b] => [r, g, b, u16::MAX],
        _ => [pixel[0], pixel[1], pixel[2], pixel[3]],
    };
    values.chunks(picture.color.channels()).map(pixel).collect()
}

/// A picture of pixels in 8 bits.
pub(crate) fn rgba(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    let rows =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
    Picture { width, height, color: Color::Rgba, depth: 8, rows }
}
