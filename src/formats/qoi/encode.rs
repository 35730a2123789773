//! QOI (The Quite OK Image Format, specification version 1.0).

use image::DynamicImage;

use crate::pixels;

const OP_INDEX: u8 = 0x00;
const OP_DIFF: u8 = 0x40;
const OP_LUMA: u8 = 0x80;
const OP_RUN: u8 = 0xC0;
const OP_RGB: u8 = 0xFE;
const OP_RGBA: u8 = 0xFF;

/// The longest run: the values above are the tags of full pixels.
const MAX_RUN: u8 = 62;
const END: [u8; 8] = [0, 0, 0, 0, 0, 0, 0, 1];

/// RGB if the image is opaque. QOI has no gray.
pub(crate) fn encode(image: DynamicImage) -> Vec<u8> {
    let (width, height) = (image.width(), image.height());
    if image.color().has_alpha() {
        let pixels = pixels::rgba8(image).into_raw();
        write(width, height, 4, pixels.as_chunks().0.iter().copied())
    } else {
        let pixels = pixels::rgb8(image).into_raw();
        write(width, height, 3, pixels.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, u8::MAX]))
    }
}

fn write(width: u32, height: u32, channels: u8, pixels: impl ExactSizeIterator<Item = [u8; 4]>) -> Vec<u8> {
    // The maximum length: a growing buffer would be in memory twice.
    let longest = pixels.len() * (usize::from(channels) + 1);
    let mut out = Vec::with_capacity(14 + longest + END.len());
    out.extend(b"qoif");
    out.extend([width, height].into_iter().flat_map(u32::to_be_bytes));
    // 0: sRGB with linear alpha.
    out.extend([channels, 0]);
    let mut seen = [[0; 4]; 64];
    let mut previous = [0, 0, 0, u8::MAX];
    let mut run = 0;
    for pixel in pixels {
        if pixel == previous {
            run += 1;
            if run == MAX_RUN {
                end_run(&mut run, &mut out);
            }
            continue;
        }
        end_run(&mut run, &mut out);
        let place = index_of(pixel);
        if seen[place] == pixel {
            out.push(OP_INDEX | place as u8);
        } else {
            seen[place] = pixel;
            write_pixel(pixel, previous, &mut out);
        }
        previous = pixel;
    }
    end_run(&mut run, &mut out);
    out.extend(END);
    out
}

fn end_run(run: &mut u8, out: &mut Vec<u8>) {
    if *run > 0 {
        out.push(OP_RUN | (*run - 1));
        *run = 0;
    }
}

/// The position of a pixel in the array of recently seen pixels.
fn index_of([r, g, b, a]: [u8; 4]) -> usize {
    (usize::from(r) * 3 + usize::from(g) * 5 + usize::from(b) * 7 + usize::from(a) * 11) % 64
}

/// Writes the difference from the previous pixel if it is small, otherwise the full pixel.
fn write_pixel(pixel: [u8; 4], previous: [u8; 4], out: &mut Vec<u8>) {
    let [r, g, b, a] = pixel;
    if a != previous[3] {
        out.extend([OP_RGBA, r, g, b, a]);
        return;
    }
    let [dr, dg, db] = [0, 1, 2].map(|channel| pixel[channel].wrapping_sub(previous[channel]));
    // With their biases, differences within range are small unsigned numbers.
    let small = [dr, dg, db].map(|difference| difference.wrapping_add(2));
    if small.iter().all(|&difference| difference < 4) {
        out.push(OP_DIFF | small[0] << 4 | small[1] << 2 | small[2]);
        return;
    }
    let green = dg.wrapping_add(32);
    let [red, blue] = [dr, db].map(|difference| difference.wrapping_sub(dg).wrapping_add(8));
    if green < 64 && red < 16 && blue < 16 {
        out.extend([OP_LUMA | green, red << 4 | blue]);
    } else {
        out.extend([OP_RGB, r, g, b]);
    }
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, ImageFormat, Rgb, RgbImage, RgbaImage};

    use super::{MAX_RUN, encode};

    fn read(file: &[u8]) -> DynamicImage {
        image::load_from_memory_with_format(file, ImageFormat::Qoi).expect("a QOI")
    }

    #[test]
    fn what_is_written_is_read_again() {
        // Smooth, steep, repeated and known colors, and steps over the ends of the range.
        let color = |x: u32, y: u32| match (x / 16 + y / 16) % 4 {
            0 => [(x * 2) as u8, (y * 3) as u8, (x + y) as u8],
            1 => [(x * 91) as u8, (y * 57) as u8, (x * y) as u8],
            2 => [7, 80, 200],
            _ => [254_u8.wrapping_add((x % 4) as u8), 255, (x % 3) as u8],
        };
        let rgb = RgbImage::from_fn(160, 120, |x, y| color(x, y).into());
        let rgba = RgbaImage::from_fn(160, 120, |x, y| {
            let [r, g, b] = color(x, y);
            [r, g, b, if y % 5 == 0 { (x * 9) as u8 } else { 255 }].into()
        });
        for image in [DynamicImage::from(rgb), DynamicImage::from(rgba)] {
            assert_eq!(read(&encode(image.clone())), image);
        }
    }

    #[test]
    fn runs_have_one_byte_for_62_pixels() {
        for length in [1, 61, 62, 63, 124, 125] {
            // The first pixel repeats what stands before the picture.
            let flat = RgbImage::from_pixel(length, 1, Rgb([0, 0, 0]));
            let file = encode(flat.clone().into());
            assert_eq!(file.len(), 14 + length.div_ceil(u32::from(MAX_RUN)) as usize + 8);
            assert_eq!(read(&file), DynamicImage::from(flat));
        }
    }
}
