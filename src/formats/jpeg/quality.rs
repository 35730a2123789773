//! Estimates the quality of a JPEG from its quantization table for luma: the setting of the scale that most encoders share, whose
//! tables are closest.

use crate::formats::jpeg::segments::{Part, Parts};

/// DQT: quantization tables (ITU-T T.81, B.2.4.1).
const DQT: u8 = 0xDB;

/// The example table for luma, row by row (ITU-T T.81, table K.1).
#[rustfmt::skip]
const LUMA: [u32; 64] = [
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
];

/// The sum of the table at each quality from 1 to 100.
const SUMS: [u16; 100] = {
    let mut sums = [0; 100];
    let mut quality = 1;
    while quality <= 100 {
        let percent = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
        let mut at = 0;
        while at < LUMA.len() {
            let step = (LUMA[at] * percent + 50) / 100;
            sums[quality as usize - 1] += if step < 1 {
                1
            } else if step > 255 {
                255
            } else {
                step as u16
            };
            at += 1;
        }
        quality += 1;
    }
    sums
};

/// 1 to 100 on the scale of the Independent JPEG Group. `None` without a table.
pub(crate) fn estimate(jpeg: &[u8]) -> Option<u8> {
    let sum = Parts::new(jpeg).find_map(|part| match part {
        Part::Segment { marker: DQT, payload, .. } => first_table(payload),
        _ => None,
    })?;
    let off = |quality: &usize| u32::from(SUMS[*quality - 1]).abs_diff(sum);
    (1..=SUMS.len()).min_by_key(off).map(|quality| quality as u8)
}

/// The sum of table 0, which luma uses, in the payload of a segment.
fn first_table(mut payload: &[u8]) -> Option<u32> {
    while let [kind, rest @ ..] = payload {
        let size = if kind >> 4 == 0 { 64 } else { 128 };
        let (table, behind) = rest.split_at_checked(size)?;
        if kind & 15 == 0 {
            return Some(match size {
                64 => table.iter().map(|&step| u32::from(step)).sum(),
                _ => table.as_chunks().0.iter().map(|&step| u32::from(u16::from_be_bytes(step))).sum(),
            });
        }
        payload = behind;
    }
    None
}
