//! What a file claims to be by the fixed fields of its header, read by hand.
//!
//! Decoders refuse what is too large for their arithmetic, or for the memory of a 32-bit machine, before they tell how large
//! that is. Here nothing is checked but that the fields are there.

use filepress_wire::MediaType;

use crate::formats::decode::{ColorModel, Header};
use crate::formats::frame_count;
use crate::formats::ico::decode as ico;
use crate::formats::pnm::metadata as pnm;

/// From here on a picture is too large for a 32-bit machine, at 16 bytes for a pixel: it may be looked at, not decoded.
const TOO_LARGE: u64 = 1 << 28;

/// Width and height in pixels, as claimed; `None` for other types, whose decoders tell any size.
pub(crate) fn claimed_size(bytes: &[u8], media: MediaType) -> Option<(u32, u32)> {
    claim(bytes, media).map(|claim| (claim.width, claim.height))
}

/// The header of a picture that is too large to be decoded anywhere; `None` for all others.
pub(crate) fn claimed_header(bytes: &[u8], media: MediaType) -> Option<Header> {
    let Claim { width, height, gray, has_alpha, bit_depth } = claim(bytes, media)?;
    (u64::from(width) * u64::from(height) >= TOO_LARGE).then_some(Header {
        width,
        height,
        frames: frame_count::count(bytes, media),
        scalable: false,
        reducible: false,
        has_alpha,
        color_model: if gray { ColorModel::Gray } else { ColorModel::Rgb },
        bit_depth,
        bytes_per_pixel: 8,
        decoder_bytes_per_pixel: 8,
    })
}

struct Claim {
    width: u32,
    height: u32,
    gray: bool,
    has_alpha: bool,
    bit_depth: u8,
}

fn claim(bytes: &[u8], media: MediaType) -> Option<Claim> {
    let big = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    let little = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let short = |at: usize| Some(u32::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let byte = |at: usize| bytes.get(at).copied();
    let claim = |(width, height), gray, has_alpha, bit_depth| {
        Some(Claim { width, height, gray, has_alpha, bit_depth })
    };
    match media {
        // PNG, third edition, 11.2.1: color types have bits for color (2) and alpha (4).
        MediaType::Png => {
            let (depth, kind) = (byte(24)?, byte(25)?);
            let is_header = bytes.get(12..16)? == b"IHDR" && matches!(depth, 1 | 2 | 4 | 8 | 16);
            claim((big(16)?, big(20)?), kind & 2 == 0, kind & 4 != 0, depth).filter(|_| is_header)
        }
        MediaType::Qoi => claim((big(4)?, big(8)?), false, byte(12)? == 4, 8),
        MediaType::Farbfeld => claim((big(8)?, big(12)?), false, true, 16),
        MediaType::Gif => claim((short(6)?, short(8)?), false, true, 8),
        // Types 3 and 11 are gray.
        MediaType::Tga => claim((short(12)?, short(14)?), byte(2)? & 7 == 3, byte(16)? == 32, 8),
        MediaType::Ico => claim(ico::size(bytes)?, false, true, 8),
        // The header that begins at 14 is 12 bytes long where sides have 16 bits; a negative height is that of rows from the top.
        MediaType::Bmp => match little(14)? {
            12 => claim((short(18)?, short(20)?), false, false, 8),
            _ => claim((little(18)?, little(22)?.cast_signed().unsigned_abs()), false, short(28)? == 32, 8),
        },
        // RFC 9649, 2.7: 24 bits less one; 3.4: 14 bits less one; RFC 6386, 9.1: 14 bits below two of scale.
        MediaType::Webp => match bytes.get(12..16)? {
            b"VP8X" => {
                let side = |at: usize| Some((little(at)? & 0xFF_FFFF) + 1);
                claim((side(24)?, little(26)?.wrapping_shr(8) + 1), false, byte(20)? & 0x10 != 0, 8)
            }
            b"VP8L" => {
                let bits = little(21)?;
                claim(((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1), false, bits >> 28 & 1 == 1, 8)
            }
            b"VP8 " => claim((short(26)? & 0x3FFF, short(28)? & 0x3FFF), false, false, 8),
            _ => None,
        },
        MediaType::Pnm => {
            let header = pnm::Header::read(bytes)?;
            let depth = match header.greatest {
                1 => 1,
                2..=255 => 8,
                _ => 16,
            };
            let (gray, has_alpha) = (header.channels < 3, header.channels % 2 == 0);
            claim((header.width, header.height), gray, has_alpha, depth)
        }
        _ => None,
    }
}
