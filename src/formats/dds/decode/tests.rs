//! Light, which every output but those of light itself shows through a curve.

use ::dds::header::Header as DdsHeader;

use super::*;

/// A block of BC6H whose two colors are the same: mode 11, ten bits a channel, no indices (BC6H format, "Mode 11").
fn block(color: [u128; 3]) -> [u8; 16] {
    let fields = [0b00011, color[0], color[1], color[2], color[0], color[1], color[2]];
    let widths = [5, 10, 10, 10, 10, 10, 10];
    let (mut bits, mut at) = (0_u128, 0);
    for (field, width) in fields.into_iter().zip(widths) {
        bits |= field << at;
        at += width;
    }
    bits.to_le_bytes()
}

#[test]
fn bc6h_is_linear_light() {
    let header = DdsHeader::new_image(8, 4, ::dds::Format::BC6H_UF16);
    let mut file = Vec::new();
    header.write(&mut file).expect("a header");
    // Ten bits x stand for the half-precision number of the bits (64 x + 32) × 31 / 64: 495 is 1, 561 almost 4.
    file.extend(block([495, 0, 561]));
    file.extend(block([0, 495, 0]));
    assert_eq!(super::header(&file).expect("a header").bit_depth, 32);
    let DynamicImage::ImageRgb32F(light) = pixels(&file, &Limits::default()).expect("pixels") else {
        panic!("floating point is decoded as such")
    };
    let [red, green, blue] = light.get_pixel(3, 3).0;
    assert!(red == 1.0 && green == 0.0 && (blue - 4.0).abs() < 0.01, "{red} {green} {blue}");
    assert_eq!(light.get_pixel(4, 0).0, [0.0, 1.0, 0.0]);
}

#[test]
fn light_is_finite_and_alpha_is_0_to_1() {
    let header = DdsHeader::new_image(2, 1, ::dds::Format::R32G32B32A32_FLOAT);
    let mut file = Vec::new();
    header.write(&mut file).expect("a header");
    let stored = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::INFINITY, -1.0, 2.0, 0.5, -0.5];
    file.extend(stored.into_iter().flat_map(f32::to_le_bytes));
    let DynamicImage::ImageRgba32F(light) = pixels(&file, &Limits::default()).expect("pixels") else {
        panic!("floating point is decoded as such")
    };
    assert_eq!(light.into_raw(), [65_504.0, -65_504.0, 0.0, 1.0, -1.0, 2.0, 0.5, 0.0]);
}
