//! Bitmaps in every form: the smallest is chosen, and another reader gets the same pixels back.

use std::io::Cursor;

use image::codecs::bmp::BmpDecoder;
use image::{DynamicImage, GrayImage, RgbImage, RgbaImage};

use crate::error::ErrorCode;
use crate::formats::bmp::encode::{Coding, Indexed, Pixels, encode, row_size};

/// Bits a pixel, compression and colors of the palette of what is written.
fn form(image: &DynamicImage) -> (u16, u32, u32) {
    compare(&encode(image).unwrap(), image)
}

/// The same of a file that holds the same pixels.
fn compare(bmp: &[u8], image: &DynamicImage) -> (u16, u32, u32) {
    let decoded = DynamicImage::from_decoder(BmpDecoder::new(Cursor::new(bmp)).unwrap()).unwrap();
    assert_eq!(decoded.to_rgba8(), image.to_rgba8());
    let word = |at: usize| u32::from_le_bytes(*bmp[at..].first_chunk().unwrap());
    assert_eq!(word(2) as usize, bmp.len());
    assert_eq!((word(10) + word(34)) as usize, bmp.len());
    (u16::from_le_bytes([bmp[28], bmp[29]]), word(30), word(46))
}

/// Pixels without any order, so that runs do not pay; `count` different colors.
fn noise(width: u32, height: u32, count: u32) -> DynamicImage {
    let mut state = crate::seed::seed(1) as u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % count
    };
    let color = |index: u32| image::Rgb([(index * 7) as u8, (index >> 5) as u8, (index * 3) as u8]);
    let mut image = RgbImage::from_fn(width, height, |_, _| color(next()));
    // Every color is there.
    for (index, pixel) in (0..count).zip(image.pixels_mut()) {
        *pixel = color(index);
    }
    image.into()
}

#[test]
fn the_palette_is_as_small_as_the_colors_allow() {
    assert_eq!(form(&noise(61, 50, 2)), (1, 0, 2));
    assert_eq!(form(&noise(61, 50, 3)), (4, 0, 3));
    assert_eq!(form(&noise(62, 50, 16)), (4, 0, 16));
    assert_eq!(form(&noise(63, 50, 17)), (8, 0, 17));
    assert_eq!(form(&noise(64, 50, 256)), (8, 0, 256));
    assert_eq!(form(&noise(65, 50, 257)), (24, 0, 0));
}

#[test]
fn a_palette_has_to_pay() {
    assert_eq!(form(&noise(1, 1, 1)), (24, 0, 0));
    assert_eq!(form(&noise(10, 10, 100)), (24, 0, 0));
}

#[test]
fn runs_are_taken_where_they_are_smaller() {
    let bars = RgbImage::from_fn(600, 40, |x, y| image::Rgb([(x / 100) as u8, (y / 10) as u8, 0]));
    assert_eq!(form(&bars.into()), (8, 1, 24));
    let one = RgbImage::from_pixel(1000, 30, image::Rgb([1, 2, 3]));
    assert_eq!(form(&one.into()), (8, 1, 2));
}

#[test]
fn runs_and_literals_of_every_length_are_read_back() {
    // Runs of 1 to 300 between stretches of 0 to 8 single pixels, then 600 single ones.
    let mut pixels = Vec::new();
    for length in 1..=300u32 {
        pixels.extend(std::iter::repeat_n((length % 5) as u8, length as usize));
        pixels.extend((0..length % 9).map(|index| 10 + (index * 37 % 19) as u8));
    }
    pixels.extend((0..600u32).map(|index| index as u8));
    for width in [1, 2, 3, 4, 5, 7, 254, 255, 256, 257, 258, 511, 1000] {
        let height = pixels.len() as u32 / width;
        let samples = pixels[pixels.len() - (width * height) as usize..].to_vec();
        let gray = DynamicImage::from(GrayImage::from_raw(width, height, samples).unwrap());
        let runs = Coding::runs(&Indexed::of(&Pixels::of(&gray)).unwrap());
        assert_eq!(compare(&runs.write(width, height), &gray), (8, 1, 256), "{width}");
    }
}

#[test]
fn transparency_takes_32_bits_and_opacity_does_not() {
    let rgba = |alpha: u8| {
        let mut image =
            RgbaImage::from_fn(33, 21, |x, y| image::Rgba([x as u8, y as u8, (x * y) as u8, 255]));
        image.get_pixel_mut(3, 4).0[3] = alpha;
        DynamicImage::from(image)
    };
    assert_eq!(form(&rgba(254)), (32, 3, 0));
    assert_eq!(form(&rgba(255)), (24, 0, 0));
    let gray = DynamicImage::ImageLumaA8(rgba(0).to_luma_alpha8());
    assert_eq!(form(&gray), (32, 3, 0));
}

#[test]
fn other_depths_become_8_bits() {
    let wide = DynamicImage::ImageRgb16(noise(40, 40, 400).to_rgb16());
    assert_eq!(form(&wide), (24, 0, 0));
    let gray = DynamicImage::from(GrayImage::from_fn(256, 8, |x, _| image::Luma([x as u8])));
    assert_eq!(form(&gray), (8, 0, 256));
}

#[test]
fn rows_are_whole_words() {
    assert_eq!([1, 31, 32, 33].map(|width| row_size(width, 1)), [4, 4, 4, 8]);
    assert_eq!([1, 2, 3, 4, 5].map(|width| row_size(width, 24)), [4, 8, 12, 12, 16]);
    assert_eq!(row_size(1 << 27, 24), 3 << 27);
}

#[test]
fn nothing_is_no_bitmap() {
    let empty = DynamicImage::from(RgbImage::new(0, 3));
    assert_eq!(encode(&empty).unwrap_err().code(), ErrorCode::EncodeFailed);
}
