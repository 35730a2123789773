//! Encodes bilevel images as CCITT Group 4 (ISO 32000-1, 7.4.6; ITU-T T.6) with the `fax` crate.

use fax::decoder::{decode_g4, pels};
use fax::encoder::Encoder;
use fax::{Color, VecWriter};
use serde_json::{Value, json};

use super::sample_layout::SampleLayout;

/// Encodes rows of bits, 0 is black. `None` for other layouts, and if decoding the result gives different samples.
pub(super) fn encode(samples: &[u8], layout: &SampleLayout) -> Option<Vec<u8>> {
    let width = u16::try_from(layout.width).ok().filter(|_| (layout.bits, layout.channels) == (1, 1))?;
    let height = u16::try_from(layout.height).ok()?;
    let stride = usize::try_from(layout.stride()).ok()?;
    let rows = || samples.chunks_exact(stride).map(|row| colors(row, width));
    let mut encoder = Encoder::new(VecWriter::new());
    for row in rows() {
        encoder.encode_line(row, width).ok()?;
    }
    let coded = encoder.finish().ok()?.finish();
    let mut expected = rows();
    let mut is_same = true;
    decode_g4(coded.iter().copied(), width, Some(height), |transitions| {
        is_same &= expected.next().is_some_and(|row| row.eq(pels(transitions, width)));
    })?;
    (is_same && expected.next().is_none()).then_some(coded)
}

fn colors(row: &[u8], width: u16) -> impl Iterator<Item = Color> {
    let bit = |at: u16| row[usize::from(at / 8)] >> (7 - at % 8) & 1;
    (0..width).map(move |at| if bit(at) == 0 { Color::Black } else { Color::White })
}

/// The decode parameters of the result.
pub(super) fn parameters(layout: &SampleLayout) -> Value {
    json!({ "/K": -1, "/Columns": layout.width, "/Rows": layout.height })
}
