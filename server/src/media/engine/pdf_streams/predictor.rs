//! Decodes the TIFF and PNG predictors of Flate and LZW streams (ISO 32000-1, 7.4.4.4).

use serde_json::Value;

use super::graph::Graph;

/// The layout of a row.
struct RowLayout {
    /// Bytes per row.
    stride: usize,
    /// Bytes per pixel, rounded up.
    reach: usize,
}

/// Decodes the predictor in the parameters. `None` if it is not supported.
pub(super) fn undo(graph: &Graph, parameters: &Value, data: Vec<u8>) -> Option<Vec<u8>> {
    let number = |name: &str, default| match graph.member(parameters, name) {
        Value::Null => Some(default),
        value => value.as_u64(),
    };
    let predictor = number("/Predictor", 1)?;
    if predictor == 1 {
        return Some(data);
    }
    let (colors, bits) = (number("/Colors", 1)?, number("/BitsPerComponent", 8)?);
    let columns = number("/Columns", 1)?;
    if !(1..=64).contains(&colors) || ![1, 2, 4, 8, 16].contains(&bits) || !(1..=1 << 30).contains(&columns) {
        return None;
    }
    let layout = RowLayout {
        stride: usize::try_from((colors * bits * columns).div_ceil(8)).ok()?,
        reach: usize::try_from((colors * bits).div_ceil(8)).ok()?,
    };
    match predictor {
        2 if bits == 8 => Some(tiff(data, &layout)),
        10..=15 => png(&data, &layout),
        _ => None,
    }
}

fn tiff(mut data: Vec<u8>, layout: &RowLayout) -> Vec<u8> {
    for row in data.chunks_mut(layout.stride) {
        for at in layout.reach..row.len() {
            row[at] = row[at].wrapping_add(row[at - layout.reach]);
        }
    }
    data
}

/// Accepts a truncated last row.
fn png(data: &[u8], layout: &RowLayout) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::with_capacity(data.len());
    for line in data.chunks(layout.stride + 1) {
        let (filter, row) = line.split_first()?;
        let start = out.len();
        for (at, byte) in row.iter().enumerate() {
            let left = if at >= layout.reach { out[start + at - layout.reach] } else { 0 };
            let above =
                |back: usize| (start + at).checked_sub(layout.stride + back).map_or(0, |from| out[from]);
            let up = above(0);
            let predicted = match filter {
                0 => 0,
                1 => left,
                2 => up,
                3 => u16::midpoint(u16::from(left), u16::from(up)) as u8,
                4 => paeth(left, up, if at >= layout.reach { above(layout.reach) } else { 0 }),
                _ => return None,
            };
            out.push(byte.wrapping_add(predicted));
        }
    }
    Some(out)
}

/// PNG (third edition), 9.4.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let (a, b, c) = (i16::from(left), i16::from(up), i16::from(corner));
    let estimate = a + b - c;
    let [to_a, to_b, to_c] = [a, b, c].map(|value| (estimate - value).abs());
    if to_a <= to_b && to_a <= to_c {
        left
    } else if to_b <= to_c {
        up
    } else {
        corner
    }
}
