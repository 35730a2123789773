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

/// The file with these compressed rows, a part of the stream after the other.
pub(crate) fn file(picture: &Picture, rows: &[Vec<u8>]) -> Vec<u8> {
    let size: usize = rows.iter().map(Vec::len).sum();
    let mut out = Vec::with_capacity(overhead(&picture.color) + size);
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
    let (mut first, mut size) = (0, 0);
    for (at, piece) in rows.iter().enumerate() {
        if size + piece.len() > MOST {
            push_pieces(&mut out, b"IDAT", &rows[first..at], size);
            (first, size) = (at, 0);
        }
        size += piece.len();
    }
    push_pieces(&mut out, b"IDAT", &rows[first..], size);
    push(&mut out, b"IEND", &[]);
    out
}

/// The alpha of the colors up to the last that is not opaque.
fn alphas(palette: &[[u8; 4]]) -> impl Iterator<Item = u8> {
    let count = palette.iter().rposition(|[.., alpha]| *alpha != u8::MAX).map_or(0, |last| last + 1);
    palette.iter().take(count).map(|[.., alpha]| *alpha)
}

fn push(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    push_pieces(out, kind, &[data], data.len());
}

/// Writes one chunk of `size` bytes.
fn push_pieces(out: &mut Vec<u8>, kind: &[u8; 4], pieces: &[impl AsRef<[u8]>], size: usize) {
    out.extend((size as u32).to_be_bytes());
    let start = out.len();
    out.extend_from_slice(kind);
    pieces.iter().for_each(|piece| out.extend_from_slice(piece.as_ref()));
    let checksum = Crc32::of(&out[start..]);
    out.extend(checksum.to_be_bytes());
}
