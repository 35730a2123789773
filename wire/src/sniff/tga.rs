//! TGA (Truevision TGA File Format Specification 2.0), which has no fixed bytes: its header must make sense as a whole.

use super::Sniffed;
use super::bytes::{array, le16};
use crate::media_type::MediaType::Tga;

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    let header: [u8; 18] = array(head, 0)?;
    let (color_map, image_type) = (header[1], header[2]);
    let (map_origin_and_length, map_length, map_depth) = (&header[3..7], &header[5..7], header[7]);
    let (depth, descriptor) = (header[16], header[17]);

    let has_map = match color_map {
        0 => false,
        1 => true,
        _ => return None,
    };
    let map_fits = match has_map {
        true => map_length != [0, 0] && matches!(map_depth, 15 | 16 | 24 | 32),
        false => map_origin_and_length == [0; 4],
    };
    let pixels_fit = match image_type {
        1 | 9 => has_map && matches!(depth, 8 | 15 | 16),
        2 | 10 => matches!(depth, 15 | 16 | 24 | 32),
        3 | 11 => !has_map && matches!(depth, 8 | 16),
        _ => false,
    };
    // The two high bits meant interleaving, which nothing reads; the low four count bits of alpha.
    let descriptor_fits = descriptor >> 6 == 0 && descriptor & 15 <= 8;
    let has_pixels = le16(head, 12)? > 0 && le16(head, 14)? > 0;
    (map_fits && pixels_fit && descriptor_fits && has_pixels).then_some(Sniffed::Known(Tga))
}
