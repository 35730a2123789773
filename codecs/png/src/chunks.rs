//! The file around the compressed rows (PNG, third edition, 5 and 11).

use filepress_deflate::Crc32;

use crate::picture::{Color, Picture};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The longest data of a chunk (5.3).
const MOST: usize = i32::MAX as usize;

/// The number of bytes beside the compressed rows.
pub(crate) fn overhead(color: &Color) -> usize {
    let transparency = match color {
        Color::Gray { key } => 14 * usize::from(key.is_some()),
        Color::Rgb { key } => 18 * usize::from(key.is_some()),
        Color::Indexed { palette } => {
            let alphas = alphas(palette).count();
            12 + 3 * palette.len() + if alphas > 0 { 12 + alphas } else { 0 }
        }
        _ => 0,
    };
    57 + transparency
}

/// The file with these compressed rows.
pub(crate) fn file(picture: &Picture, rows: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(overhead(&picture.color) + rows.len() + 12 * (rows.len() / MOST));
    out.extend_from_slice(SIGNATURE);
    let mut header = [0; 13];
    header[..4].copy_from_slice(&picture.width.to_be_bytes());
    header[4..8].copy_from_slice(&picture.height.to_be_bytes());
    header[8] = picture.depth;
    header[9] = picture.color.number();
    push(&mut out, b"IHDR", &header);
    match &picture.color {
        Color::Gray { key: Some(shade) } => push(&mut out, b"tRNS", &shade.to_be_bytes()),
        Color::Rgb { key: Some(color) } => {
            push(&mut out, b"tRNS", &color.map(u16::to_be_bytes).concat());
        }
        Color::Indexed { palette } => {
            let colors: Vec<u8> = palette.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
            push(&mut out, b"PLTE", &colors);
            let alphas: Vec<u8> = alphas(palette).collect();
            if !alphas.is_empty() {
                push(&mut out, b"tRNS", &alphas);
            }
        }
        _ => {}
    }
    rows.chunks(MOST).for_each(|part| push(&mut out, b"IDAT", part));
    push(&mut out, b"IEND", &[]);
    out
}

/// The alpha of the colors up to the last that is not opaque.
fn alphas(palette: &[[u8; 4]]) -> impl Iterator<Item = u8> {
    let count = palette.iter().rposition(|[.., alpha]| *alpha != u8::MAX).map_or(0, |last| last + 1);
    palette.iter().take(count).map(|[.., alpha]| *alpha)
}

fn push(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend_from_slice(kind);
    out.extend_from_slice(data);
    let checksum = Crc32::of(&out[start..]);
    out.extend(checksum.to_be_bytes());
}
