//! Pixels that are stored each by itself: fields of bits.

use crate::float;
use crate::sample::{Depth, Pixel};
use crate::yuv;

/// What the bits of a field mean ("Data Conversion Rules" of Direct3D 11, Microsoft).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 0 to 1.
    Unorm,
    /// −1 to 1, which are decoded to 0 to 1.
    Snorm,
    /// Floating point: 32, 16, 11 or 10 bits, the last two without a sign.
    Float,
    /// Numbers with the exponent that the fourth field has (`R9G9B9E5_SHAREDEXP`).
    SharedExponent,
    /// 0 to 1 is 384 to 894 (`R10G10B10_XR_BIAS_A2_UNORM`).
    XrBias,
    /// Y, U, V, and alpha as 0 to 1.
    Yuv,
}

/// Bits of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// The lowest bit.
    pub(crate) shift: u8,
    /// Their number. If it is 0, the channel is missing. With more than 24, `shift` is a multiple of 8.
    pub(crate) bits: u8,
}

/// How a pixel is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    /// 1 to 16.
    pub(crate) bytes: u8,
    pub(crate) kind: Kind,
    /// Red, green, blue, alpha.
    pub(crate) fields: [Field; 4],
}

impl Packed {
    /// Fields one after another, from the lowest bit.
    pub(crate) const fn in_order(kind: Kind, widths: [u8; 4]) -> Self {
        let mut fields = [Field { shift: 0, bits: 0 }; 4];
        let (mut at, mut shift) = (0, 0);
        while at < 4 {
            fields[at] = Field { shift, bits: widths[at] };
            shift += widths[at];
            at += 1;
        }
        Self { bytes: shift.div_ceil(8), kind, fields }
    }

    /// Decodes pixels that follow one another.
    pub(crate) fn decode(&self, stored: &[u8], depth: Depth, pixels: &mut [Pixel]) {
        let bytes = usize::from(self.bytes);
        for (stored, pixel) in stored.chunks_exact(bytes).zip(pixels) {
            let mut padded = [0; 20];
            padded[..bytes].copy_from_slice(stored);
            *pixel = self.pixel(&padded, depth);
        }
    }

    fn pixel(&self, stored: &[u8; 20], depth: Depth) -> Pixel {
        let raw = self.fields.map(|field| read(stored, field));
        match self.kind {
            Kind::SharedExponent => {
                let unit = f32::from_bits((raw[3] + 127 - 24) << 23);
                [raw[0], raw[1], raw[2], 0].map(|number| (number as f32 * unit).to_bits())
            }
            Kind::Yuv => {
                let bits = self.fields[0].bits;
                let [red, green, blue] = yuv::to_rgb([raw[0], raw[1], raw[2]], bits, depth.full());
                [red, green, blue, unorm(raw[3], self.fields[3].bits, depth.full())]
            }
            kind => {
                let mut pixel = raw;
                for (channel, (sample, field)) in pixel.iter_mut().zip(self.fields).enumerate() {
                    *sample = sample_of(kind, *sample, field.bits, channel == 3, depth);
                }
                pixel
            }
        }
    }
}

/// The bits of a field.
fn read(stored: &[u8; 20], field: Field) -> u32 {
    if field.bits == 0 {
        return 0;
    }
    let from = usize::from(field.shift / 8);
    let Some(&word) = stored[from..].first_chunk() else { return 0 };
    (u32::from_le_bytes(word) >> (field.shift % 8)) & (u32::MAX >> (32 - field.bits))
}

fn sample_of(kind: Kind, raw: u32, bits: u8, is_alpha: bool, depth: Depth) -> u32 {
    let full = depth.full();
    match kind {
        Kind::Float if bits == 0 => (if is_alpha { 1.0_f32 } else { 0.0 }).to_bits(),
        Kind::Float => float::widen(raw, bits),
        Kind::XrBias if is_alpha => (raw as f32 / 3.0).to_bits(),
        Kind::XrBias => ((raw as f32 - 384.0) / 510.0).to_bits(),
        _ if bits == 0 && is_alpha => full,
        Kind::Snorm => snorm(raw, bits, full),
        _ => unorm(raw, bits, full),
    }
}

/// A number of 0 to 1 at another depth.
fn unorm(raw: u32, bits: u8, full: u32) -> u32 {
    let highest = (1 << bits) - 1;
    if highest == full || highest == 0 { raw } else { (raw * full + highest / 2) / highest }
}

/// A number of −1 to 1, of 8 or 16 bits, or missing, as 0 to 1. The lowest number is −1 too.
fn snorm(raw: u32, bits: u8, full: u32) -> u32 {
    let half = full / 2;
    let signed = if bits == 8 { i32::from(raw as u8 as i8) } else { i32::from(raw as u16 as i16) };
    let from_lowest = (signed + half as i32).max(0) as u32;
    (from_lowest * full + half) / (2 * half)
}
