//! Icons of PNGs and of bitmaps, with and without masks, whole and damaged.

use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageDecoder, RgbaImage};

use crate::error::ErrorCode;
use crate::formats::ico::decode::{open, pictures};
use crate::limits::Limits;

/// Bytes and bits a pixel of one picture.
type Picture = (Vec<u8>, u16);

fn picture(side: u32) -> RgbaImage {
    RgbaImage::from_fn(side, side, |x, y| image::Rgba([x as u8, y as u8, side as u8, (x + y) as u8]))
}

fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    let mut png = Vec::new();
    image.into().write_with_encoder(PngEncoder::new(&mut png)).unwrap();
    png
}

/// A bitmap as icons have it: doubled height, rows from the bottom up, then the mask.
fn bitmap(
    side: u32,
    bits: u16,
    pixel: impl Fn(u32, u32) -> Vec<u8>,
    masked: impl Fn(u32, u32) -> bool,
) -> Picture {
    let mut dib = [40, side, side * 2].map(u32::to_le_bytes).concat();
    dib.extend([1, bits].map(u16::to_le_bytes).concat());
    dib.extend([0; 24]);
    for y in (0..side).rev() {
        let row: Vec<u8> = (0..side).flat_map(|x| pixel(x, y)).collect();
        dib.extend_from_slice(&row);
        dib.resize(dib.len() + row.len().next_multiple_of(4) - row.len(), 0);
    }
    for y in (0..side).rev() {
        let mut row = vec![0; side.div_ceil(32) as usize * 4];
        (0..side).filter(|&x| masked(x, y)).for_each(|x| row[x as usize / 8] |= 0x80 >> (x % 8));
        dib.extend(row);
    }
    (dib, bits)
}

/// The directory says 0 × 0 (that is, 256 × 256) and 0 bits of each, since it is not to be trusted.
fn icon(pictures: &[Picture]) -> Vec<u8> {
    let mut ico = vec![0, 0, 1, 0, pictures.len() as u8, 0];
    let mut offset = 6 + 16 * pictures.len();
    for (data, _) in pictures {
        ico.extend([0; 8]);
        ico.extend([data.len() as u32, offset as u32].map(u32::to_le_bytes).concat());
        offset += data.len();
    }
    pictures.iter().for_each(|(data, _)| ico.extend_from_slice(data));
    ico
}

fn best(ico: &[u8]) -> DynamicImage {
    DynamicImage::from_decoder(open(ico).unwrap()).unwrap()
}

#[test]
fn every_size_is_decoded() {
    let sizes = [16, 32, 48, 256];
    let ico = icon(&sizes.map(|side| (png(picture(side)), 32)));
    let decoded = pictures(&ico, &Limits::default()).unwrap().unwrap();
    assert_eq!(decoded, sizes.map(|side| DynamicImage::from(picture(side))));
}

#[test]
fn the_largest_is_the_best_and_then_the_deepest() {
    let gray = DynamicImage::from(picture(32)).to_luma8();
    let pictures = [(png(picture(16)), 32), (png(gray.clone()), 8), (png(picture(32)), 32), (png(gray), 8)];
    assert_eq!(best(&icon(&pictures)), picture(32).into());
    assert_eq!(open(&icon(&pictures)).unwrap().dimensions(), (32, 32));
}

#[test]
fn pngs_of_every_color_type_are_read() {
    let image = DynamicImage::from(picture(20));
    let variants =
        [image.to_luma8().into(), image.to_rgb8().into(), DynamicImage::from(image.to_luma_alpha8())];
    for variant in variants {
        assert_eq!(best(&icon(&[(png(variant.clone()), 0)])), variant);
    }
}

#[test]
fn bitmaps_are_read_with_their_masks() {
    let masked = |x: u32, y: u32| (x + y).is_multiple_of(3);
    let alpha = |x, y| if masked(x, y) { 0 } else { 255 };
    let expected = RgbaImage::from_fn(9, 9, |x, y| image::Rgba([3, y as u8, x as u8, alpha(x, y)]));
    let ico = icon(&[bitmap(9, 24, |x, y| vec![x as u8, y as u8, 3], masked)]);
    assert_eq!(best(&ico), expected.into());
}

#[test]
fn bitmaps_without_any_alpha_are_opaque_but_for_their_mask() {
    let masked = |x: u32, _| x == 0;
    let ico = icon(&[bitmap(8, 32, |x, y| vec![x as u8, y as u8, 3, 0], masked)]);
    let expected =
        RgbaImage::from_fn(8, 8, |x, y| image::Rgba([3, y as u8, x as u8, if x == 0 { 0 } else { 255 }]));
    assert_eq!(best(&ico), expected.into());

    let ico = icon(&[bitmap(8, 32, |x, y| vec![1, 2, 3, (x + y) as u8], |_, _| false)]);
    let expected = RgbaImage::from_fn(8, 8, |x, y| image::Rgba([3, 2, 1, (x + y) as u8]));
    assert_eq!(best(&ico), expected.into());
}

#[test]
fn a_mask_that_breaks_off_covers_nothing() {
    let (dib, bits) = bitmap(16, 24, |x, y| vec![x as u8, y as u8, 3], |_, _| false);
    let expected = RgbaImage::from_fn(16, 16, |x, y| image::Rgba([3, y as u8, x as u8, 255]));
    for missing in [0, 1, 32, 64] {
        let ico = icon(&[(dib[..dib.len() - missing].to_vec(), bits)]);
        assert_eq!(best(&ico), expected.clone().into(), "{missing}");
    }
    let cut = icon(&[(dib[..dib.len() - 65].to_vec(), bits)]);
    assert!(pictures(&cut, &Limits::default()).is_err());
}

#[test]
fn entries_beyond_the_file_are_passed_over_but_not_lost() {
    let mut ico = icon(&[(png(picture(16)), 32), (png(picture(64)), 32)]);
    ico.truncate(ico.len() - 1);
    assert_eq!(pictures(&ico, &Limits::default()).unwrap(), None);
    assert_eq!(best(&ico), picture(16).into());
}

#[test]
fn limits_hold_for_each_picture_and_for_all_together() {
    let ico = icon(&[(png(picture(100)), 32), (png(picture(90)), 32)]);
    let code = |limits: Limits| pictures(&ico, &limits).unwrap_err().code();
    assert_eq!(code(Limits { max_pixels: 9_999, ..Limits::default() }), ErrorCode::TooManyPixels);
    assert_eq!(code(Limits { max_pixels: 18_099, ..Limits::default() }), ErrorCode::TooManyPixels);
    assert_eq!(code(Limits { max_memory_bytes: 18_099 * 8, ..Limits::default() }), ErrorCode::TooMuchMemory);
    assert!(pictures(&ico, &Limits { max_memory_bytes: 18_100 * 8, ..Limits::default() }).is_ok());
}

#[test]
fn a_directory_of_thousands_is_refused() {
    let (data, _) = (png(picture(2)), 32);
    let mut ico = vec![0, 0, 1, 0, 0xFF, 0xFF];
    for _ in 0..u16::MAX {
        ico.extend([0; 8]);
        ico.extend([data.len() as u32, 6 + 16 * u32::from(u16::MAX)].map(u32::to_le_bytes).concat());
    }
    ico.extend(data);
    assert_eq!(pictures(&ico, &Limits::default()).unwrap_err().code(), ErrorCode::Corrupt);
}

#[test]
fn damaged_icons_come_back_with_an_error_or_a_picture() {
    let ico = icon(&[
        (png(picture(5)), 32),
        bitmap(4, 32, |x, y| vec![x as u8, y as u8, 0, 0], |_, _| true),
        bitmap(3, 24, |x, y| vec![x as u8, y as u8, 0], |x, _| x == 1),
    ]);
    let limits = Limits { max_pixels: 1_000_000, ..Limits::default() };
    let treat = |ico: &[u8]| {
        let code = pictures(ico, &limits).err().map(|error| error.code());
        let known = [ErrorCode::Corrupt, ErrorCode::TooManyPixels, ErrorCode::TooMuchMemory];
        assert!(code.is_none_or(|code| known.contains(&code)), "{code:?}");
        if let Ok(decoder) = open(ico)
            && decoder.total_bytes() < 1_000_000
        {
            let _ = DynamicImage::from_decoder(decoder);
        }
    };
    let mut treated = 0;
    for at in 0..ico.len() {
        treat(&ico[..at]);
        for flip in [0x01, 0x80, 0xFF] {
            let mut damaged = ico.clone();
            damaged[at] ^= flip;
            treat(&damaged);
        }
        treated += 4;
    }
    assert_eq!(treated, 4 * ico.len());
}
