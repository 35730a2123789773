//! The sequence header among the OBUs of an AV1 stream (AV1 specification, 5.3 and 5.5), read in bitstream order.

use crate::containers::isobmff::{CodePoints, Reader};

/// The sample format of the coded picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coding {
    /// Bits per channel: 8, 10 or 12.
    pub(crate) depth: u8,
    /// Whether there is only luma.
    pub(crate) gray: bool,
    /// Whether chroma has half the width.
    pub(crate) half_width: bool,
    /// Whether chroma has half the height.
    pub(crate) half_height: bool,
}

/// The sequence header, as far as it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) coding: Coding,
    pub(crate) colors: CodePoints,
    /// The largest width and height of a frame.
    pub(crate) size: (u32, u32),
}

impl Sequence {
    /// The first sequence header among the OBUs, 5.3.
    pub(crate) fn find(units: &[u8]) -> Option<Self> {
        let mut reader = Reader(units);
        loop {
            let head = reader.u8()?;
            if head >> 2 & 1 == 1 {
                reader.u8()?;
            }
            let length = match head >> 1 & 1 {
                1 => leb128(&mut reader)?,
                _ => reader.0.len(),
            };
            let unit = reader.take(length)?;
            if head >> 3 & 15 == 1 {
                return parse(unit);
            }
        }
    }
}

/// A `leb128` number, 4.10.5.
fn leb128(reader: &mut Reader<'_>) -> Option<usize> {
    let mut value = 0u64;
    for group in 0..8 {
        let byte = reader.u8()?;
        value |= u64::from(byte & 0x7F) << (7 * group);
        if byte & 0x80 == 0 {
            return usize::try_from(value).ok();
        }
    }
    None
}

/// Returns `None` if the header is truncated.
fn parse(unit: &[u8]) -> Option<Sequence> {
    let mut bits = Bits { bytes: unit, at: 0 };
    let profile = bits.take(3)?;
    bits.take(1)?; // still_picture
    let reduced = bits.flag()?;
    operating_points(&mut bits, reduced)?;
    let (width_bits, height_bits) = (bits.take(4)? + 1, bits.take(4)? + 1);
    let size = (bits.take(width_bits)? + 1, bits.take(height_bits)? + 1);
    if !reduced && bits.flag()? {
        bits.take(4 + 3)?; // the lengths of frame ids
    }
    bits.take(3)?; // superblocks of 128, filter_intra, intra_edge_filter
    if !reduced {
        tools(&mut bits)?;
    }
    bits.take(3)?; // superres, cdef, restoration
    let (coding, colors) = color_config(&mut bits, profile)?;
    Some(Sequence { coding, colors, size })
}

/// From timing_info_present_flag to the last operating point.
fn operating_points(bits: &mut Bits<'_>, reduced: bool) -> Option<()> {
    if reduced {
        bits.take(5)?; // seq_level_idx
        return Some(());
    }
    let mut delay_bits = None;
    if bits.flag()? {
        bits.take(32)?; // num_units_in_display_tick
        bits.take(32)?; // time_scale
        if bits.flag()? {
            bits.skip_uvlc()?;
        }
        if bits.flag()? {
            delay_bits = Some(bits.take(5)? + 1);
            bits.take(32)?; // num_units_in_decoding_tick
            bits.take(5 + 5)?;
        }
    }
    let has_display_delay = bits.flag()?;
    for _ in 0..=bits.take(5)? {
        bits.take(12)?; // operating_point_idc
        if bits.take(5)? > 7 {
            bits.take(1)?; // seq_tier
        }
        if let Some(delay_bits) = delay_bits
            && bits.flag()?
        {
            bits.take(delay_bits)?;
            bits.take(delay_bits)?;
            bits.take(1)?;
        }
        if has_display_delay && bits.flag()? {
            bits.take(4)?;
        }
    }
    Some(())
}

/// From enable_interintra_compound to order_hint_bits.
fn tools(bits: &mut Bits<'_>) -> Option<()> {
    bits.take(4)?;
    let order_hint = bits.flag()?;
    if order_hint {
        bits.take(2)?;
    }
    // Whether screen content tools are selected per frame; otherwise, whether they are on.
    let screen_content = bits.flag()? || bits.flag()?;
    if screen_content && !bits.flag()? {
        bits.take(1)?;
    }
    if order_hint {
        bits.take(3)?;
    }
    Some(())
}

fn color_config(bits: &mut Bits<'_>, profile: u32) -> Option<(Coding, CodePoints)> {
    let high = bits.flag()?;
    let depth = match high {
        false => 8,
        true if profile == 2 && bits.flag()? => 12,
        true => 10,
    };
    let gray = profile != 1 && bits.flag()?;
    let mut colors = CodePoints::default();
    if bits.flag()? {
        for number in [&mut colors.primaries, &mut colors.transfer, &mut colors.matrix] {
            *number = bits.take(8)? as u16;
        }
    }
    let mut coding = Coding { depth, gray, half_width: true, half_height: true };
    if gray {
        colors.full_range = bits.flag()?;
    } else if (colors.primaries, colors.transfer, colors.matrix) == (1, 13, 0) {
        (coding.half_width, coding.half_height) = (false, false);
    } else {
        colors.full_range = bits.flag()?;
        (coding.half_width, coding.half_height) = match profile {
            0 => (true, true),
            1 => (false, false),
            _ if depth < 12 => (true, false),
            _ => {
                let half_width = bits.flag()?;
                (half_width, half_width && bits.flag()?)
            }
        };
    }
    Some((coding, colors))
}

struct Bits<'a> {
    bytes: &'a [u8],
    /// The position in bits.
    at: usize,
}

impl Bits<'_> {
    /// The next `count` bits, at most 32.
    fn take(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(value)
    }

    fn flag(&mut self) -> Option<bool> {
        Some(self.take(1)? == 1)
    }

    /// A `uvlc` number, 4.10.3.
    fn skip_uvlc(&mut self) -> Option<()> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
        }
        if zeros < 32 {
            self.take(zeros)?;
        }
        Some(())
    }
}
