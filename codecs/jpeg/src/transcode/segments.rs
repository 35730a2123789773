//! The segments of a file that say more than its coefficients: what a transcoder carries over.

use crate::decode;
use crate::marker::{APP0, APP14, EOI, SOI, SOS, is_standalone};

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

/// The chosen segments before the first scan of a file, as they are, one after another. Bytes between segments are passed over, as
/// the decoder does. A segment that the end of the file cuts is left out.
pub fn marker_segments(file: &[u8], which: Segments) -> Vec<u8> {
    let mut kept = Vec::new();
    let Ok(mut segments) = decode::Segments::new(file) else { return kept };
    while let Some(marker) = segments.next_marker() {
        match marker {
            SOS | EOI | SOI => break,
            marker if is_standalone(marker) => continue,
            _ => {}
        }
        let start = segments.position() - 2;
        let Ok(parameters) = segments.parameters() else { break };
        let segment = &file[start..segments.position()];
        let is_whole = segment.get(2..4) == Some(&((parameters.len() + 2) as u16).to_be_bytes());
        if is_whole && wanted(marker, parameters, which) {
            kept.extend_from_slice(segment);
        }
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
