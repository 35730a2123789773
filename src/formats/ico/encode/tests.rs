//! Icons that other readers understand.

use std::io::Cursor;

use image::codecs::ico::IcoDecoder;
use image::{DynamicImage, RgbImage, RgbaImage};

use crate::error::ErrorCode;
use crate::formats::ico::decode::pictures;
use crate::formats::ico::encode::encode;
use crate::limits::Limits;

fn picture(width: u32, height: u32) -> DynamicImage {
    RgbaImage::from_fn(width, height, |x, y| image::Rgba([x as u8, y as u8, 9, (x ^ y) as u8])).into()
}

#[test]
fn all_sizes_are_read_back() {
    let written = [picture(16, 16), picture(48, 20), picture(256, 256), picture(1, 256)];
    let ico = encode(&written, 2).unwrap();
    assert_eq!(pictures(&ico, &Limits::default()).unwrap().unwrap(), written);
    assert_eq!(ico[..6], [0, 0, 1, 0, 4, 0]);
    assert_eq!(ico[6 + 32..][..2], [0, 0], "256 is written as 0");
}

#[test]
fn few_colors_stay_rgba() {
    // The decoder of `image` holds to the rule that a PNG in an icon has to be RGBA with 8 bits.
    let gray = DynamicImage::ImageLuma8(image::GrayImage::from_pixel(32, 32, image::Luma([7])));
    let white = DynamicImage::ImageRgb8(RgbImage::from_pixel(32, 32, image::Rgb([255; 3])));
    let wide = DynamicImage::ImageRgba16(picture(32, 32).to_rgba16());
    for written in [gray, white, wide] {
        let ico = encode(std::slice::from_ref(&written), 4).unwrap();
        let read = DynamicImage::from_decoder(IcoDecoder::new(Cursor::new(ico)).unwrap()).unwrap();
        assert_eq!(read, written.to_rgba8().into());
    }
}

#[test]
fn what_an_icon_cannot_hold_is_refused() {
    assert_eq!(encode(&[picture(16, 16), picture(257, 1)], 2).unwrap_err().code(), ErrorCode::OutputTooLarge);
    assert_eq!(encode(&[picture(1, 300)], 2).unwrap_err().code(), ErrorCode::OutputTooLarge);
    assert_eq!(encode(&[], 2).unwrap_err().code(), ErrorCode::EncodeFailed);
}
