//! Every format, with random pixels in pictures of odd sizes.

use dds::{Format, Size};

use crate::support::{Random, difference, file, ours, theirs};

/// Formats, and how many steps of a sample may lie between both decoders. Where numbers of 8 bits are converted, that is
/// how they are rounded. Of 10 and 16 bits, this decoder takes 4 and 256 times the limits of 8 bits, as specified, and
/// the other 1023 / 255 and 257 times: a step of 8 bits at most.
const FORMATS: &[(Format, u32)] = &[
    (Format::R8G8B8_UNORM, 0),
    (Format::B8G8R8_UNORM, 0),
    (Format::R8G8B8A8_UNORM, 0),
    (Format::R8G8B8A8_SNORM, 0),
    (Format::B8G8R8A8_UNORM, 0),
    (Format::B8G8R8X8_UNORM, 0),
    (Format::B5G6R5_UNORM, 0),
    (Format::B5G5R5A1_UNORM, 0),
    (Format::B4G4R4A4_UNORM, 0),
    (Format::A4B4G4R4_UNORM, 0),
    (Format::R8_SNORM, 0),
    (Format::R8_UNORM, 0),
    (Format::R8G8_UNORM, 0),
    (Format::R8G8_SNORM, 0),
    (Format::A8_UNORM, 0),
    (Format::R16_UNORM, 0),
    (Format::R16_SNORM, 0),
    (Format::R16G16_UNORM, 0),
    (Format::R16G16_SNORM, 0),
    (Format::R16G16B16A16_UNORM, 0),
    (Format::R16G16B16A16_SNORM, 0),
    (Format::R10G10B10A2_UNORM, 0),
    (Format::R11G11B10_FLOAT, 0),
    (Format::R9G9B9E5_SHAREDEXP, 0),
    (Format::R16_FLOAT, 0),
    (Format::R16G16_FLOAT, 0),
    (Format::R16G16B16A16_FLOAT, 0),
    (Format::R32_FLOAT, 0),
    (Format::R32G32_FLOAT, 0),
    (Format::R32G32B32_FLOAT, 0),
    (Format::R32G32B32A32_FLOAT, 0),
    (Format::R10G10B10_XR_BIAS_A2_UNORM, 1),
    (Format::AYUV, 1),
    (Format::Y410, 257),
    (Format::Y416, 257),
    (Format::R1_UNORM, 0),
    (Format::R8G8_B8G8_UNORM, 0),
    (Format::G8R8_G8B8_UNORM, 0),
    (Format::UYVY, 1),
    (Format::YUY2, 1),
    (Format::Y210, 257),
    (Format::Y216, 257),
    (Format::NV12, 1),
    (Format::P010, 257),
    (Format::P016, 257),
    (Format::BC1_UNORM, 0),
    (Format::BC2_UNORM, 0),
    (Format::BC2_UNORM_PREMULTIPLIED_ALPHA, 1),
    (Format::BC3_UNORM, 0),
    (Format::BC3_UNORM_PREMULTIPLIED_ALPHA, 1),
    (Format::BC4_UNORM, 0),
    (Format::BC4_SNORM, 0),
    (Format::BC5_UNORM, 0),
    (Format::BC5_SNORM, 0),
    (Format::BC6H_UF16, 0),
    (Format::BC6H_SF16, 0),
    (Format::BC7_UNORM, 0),
    (Format::ASTC_4X4_UNORM, 0),
    (Format::ASTC_5X4_UNORM, 0),
    (Format::ASTC_5X5_UNORM, 0),
    (Format::ASTC_6X5_UNORM, 0),
    (Format::ASTC_6X6_UNORM, 0),
    (Format::ASTC_8X5_UNORM, 0),
    (Format::ASTC_8X6_UNORM, 0),
    (Format::ASTC_8X8_UNORM, 0),
    (Format::ASTC_10X5_UNORM, 0),
    (Format::ASTC_10X6_UNORM, 0),
    (Format::ASTC_10X8_UNORM, 0),
    (Format::ASTC_10X10_UNORM, 0),
    (Format::ASTC_12X10_UNORM, 0),
    (Format::ASTC_12X12_UNORM, 0),
    (Format::BC3_UNORM_RXGB, 0),
];

/// Random bytes as a writer of the format leaves them.
fn stored(format: Format, mut bytes: Vec<u8>) -> Vec<u8> {
    match format {
        // The lowest six bits are 0.
        Format::Y210 | Format::P010 => bytes.iter_mut().step_by(2).for_each(|low| *low &= 0xc0),
        // The first color is the greater one: otherwise the other decoder has three colors, as only BC1 may.
        Format::BC3_UNORM | Format::BC3_UNORM_PREMULTIPLIED_ALPHA | Format::BC3_UNORM_RXGB => {
            for block in bytes.chunks_exact_mut(16) {
                block[9] |= 0x80;
                block[11] &= 0x7f;
            }
        }
        _ => (),
    }
    bytes
}

#[test]
fn every_format_decodes_to_the_same_samples() {
    let mut random = Random(1);
    let mut wrong = Vec::new();
    for &(format, most) in FORMATS {
        for (width, height) in [(1, 1), (3, 2), (64, 4), (67, 13), (130, 9), (256, 256)] {
            let file = file(format, Size::new(width, height), |bytes| stored(format, random.bytes(bytes)));
            let apart = difference(&ours(&file), &theirs(&file));
            if apart > most {
                wrong.push(format!("{format:?} of {width} × {height}: {apart}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
