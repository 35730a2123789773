//! PXR24: Deflate of the differences between neighbors, the highest bytes of a line first; 32-bit floats without their
//! lowest byte ("Technical Introduction to OpenEXR", openexr.com).

use crate::channel::Kind;
use crate::compression::bytes::inflate;
use crate::error::Result;
use crate::shape::Shape;

pub(crate) fn decode(compressed: &[u8], shape: &Shape<'_>, block: &mut [u8]) -> Result<()> {
    let stored = |kind| {
        if kind == Kind::Half {
            2
        } else if kind == Kind::Float {
            3
        } else {
            4
        }
    };
    let pixel: usize = shape.channels.iter().map(|channel| stored(channel.kind)).sum();
    let bytes = inflate(compressed, pixel * shape.pixels())?;
    let mut rest = &bytes[..];
    for line in block.chunks_exact_mut(shape.line_size()) {
        for channel in shape.channels {
            let (planes, behind) = rest.split_at(stored(channel.kind) * shape.width);
            rest = behind;
            let samples = &mut line[channel.offset * shape.width..][..channel.kind.size() * shape.width];
            undo_differences(planes, channel.kind, shape.width, samples);
        }
    }
    Ok(())
}

/// Sums up a line of a channel, whose bytes of the same weight are together, the highest first.
fn undo_differences(planes: &[u8], kind: Kind, width: usize, samples: &mut [u8]) {
    let (first, rest) = planes.split_at(width);
    let (second, rest) = rest.split_at(width);
    if kind == Kind::Half {
        let mut sum = 0_u16;
        for (sample, (&high, &low)) in samples.as_chunks_mut().0.iter_mut().zip(first.iter().zip(second)) {
            sum = sum.wrapping_add(u16::from_be_bytes([high, low]));
            *sample = sum.to_le_bytes();
        }
        return;
    }
    // Floats have no fourth.
    let (third, fourth) = rest.split_at(width);
    let mut sum = 0_u32;
    for (x, sample) in samples.as_chunks_mut().0.iter_mut().enumerate() {
        let lowest = fourth.get(x).copied().unwrap_or_default();
        sum = sum.wrapping_add(u32::from_be_bytes([first[x], second[x], third[x], lowest]));
        *sample = sum.to_le_bytes();
    }
}
