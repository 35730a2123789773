//! The segments of a file that say more than its coefficients: what a transcoder carries over.

use crate::marker::{APP0, APP14, SOI, SOS, is_standalone};

/// COM: a comment.
const COM: u8 = 0xFE;
const APP15: u8 = 0xEF;

/// Which segments to carry over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// All of APPn and COM.
    All,
    /// Those that decide what colors the components mean: the JFIF header (ITU-T T.871, 10.1) and Adobe's APP14.
    Color,
}

/// The chosen segments before the first scan of a file, as they are, one after another. Damaged ones and what follows them are
/// left out.
pub fn marker_segments(file: &[u8], which: Segments) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut rest = file.strip_prefix(&[0xFF, SOI]).unwrap_or_default();
    while let [0xFF, marker, after @ ..] = rest {
        match *marker {
            0xFF => {
                rest = &rest[1..];
                continue;
            }
            SOS => break,
            marker if is_standalone(marker) => {
                rest = after;
                continue;
            }
            _ => {}
        }
        let &[high, low, ..] = after else { break };
        let len = usize::from(u16::from_be_bytes([high, low]));
        let Some(payload) = after.get(2..len) else { break };
        if wanted(*marker, payload, which) {
            kept.extend_from_slice(&rest[..2 + len]);
        }
        rest = &after[len..];
    }
    kept
}

fn wanted(marker: u8, payload: &[u8], which: Segments) -> bool {
    match which {
        Segments::All => matches!(marker, APP0..=APP15 | COM),
        Segments::Color => match marker {
            APP0 => payload.starts_with(b"JFIF\0"),
            APP14 => payload.starts_with(b"Adobe"),
            _ => false,
        },
    }
}
