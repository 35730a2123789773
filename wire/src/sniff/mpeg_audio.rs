//! MPEG audio (ISO/IEC 11172-3 §2.4.2.3) and AAC in ADTS (ISO/IEC 13818-7 §6.2), either behind an ID3v2 tag.
//!
//! Eleven bits of sync are too few: a second frame must stand where the first one ends, and be of the same kind.

use super::Sniffed;
use super::bytes::{array, be32};
use crate::media_type::MediaType::{Aac, Flac, Mp3};

/// How far behind a tag the first frame may be: some writers pad.
const PADDING: usize = 4096;

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    let Some(tag_length) = id3_length(head) else {
        return frames(head);
    };
    // A cover picture can push the sound out of the head.
    let Some(sound) = head.get(tag_length..).filter(|sound| !sound.is_empty()) else {
        return Some(Sniffed::OneOf(&[Mp3, Aac, Flac]));
    };
    if sound.starts_with(b"fLaC") {
        return Some(Sniffed::Known(Flac));
    }
    (0..sound.len().min(PADDING)).find_map(|start| frames(&sound[start..]))
}

/// Length of an ID3v2 tag with its header and footer (<https://id3.org/id3v2.4.0-structure> §3.1).
fn id3_length(head: &[u8]) -> Option<usize> {
    let [b'I', b'D', b'3', major, revision, flags, size @ ..] = array::<10>(head, 0)? else {
        return None;
    };
    if major == 0xff || revision == 0xff || size.iter().any(|&byte| byte >= 0x80) {
        return None;
    }
    let size = size.iter().fold(0, |size, &byte| size << 7 | usize::from(byte));
    let footer = if flags & 0x10 == 0 { 0 } else { 10 };
    Some(10 + size + footer)
}

fn frames(head: &[u8]) -> Option<Sniffed> {
    if repeats(head, mp3_frame) {
        Some(Sniffed::Known(Mp3))
    } else if repeats(head, adts_frame) {
        Some(Sniffed::Known(Aac))
    } else {
        None
    }
}

/// What two frames of a stream have in common, and the length of the frame.
struct Frame {
    kind: u32,
    length: usize,
}

fn repeats(head: &[u8], frame: fn(&[u8]) -> Option<Frame>) -> bool {
    let Some(first) = frame(head) else { return false };
    match head.get(first.length..) {
        Some([]) => true,
        Some(rest) => frame(rest).is_some_and(|second| second.kind == first.kind),
        None => false,
    }
}

fn mp3_frame(head: &[u8]) -> Option<Frame> {
    /// Kilobits a second, by bit rate index less one: MPEG-1 layers I, II, III, then MPEG-2 layer I and layers II and III.
    const BIT_RATES: [[u16; 14]; 5] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ];
    const SAMPLE_RATES: [usize; 3] = [44_100, 48_000, 32_000];

    let header = be32(head, 0)?;
    if header >> 21 != 0x7ff {
        return None;
    }
    let field = |shift: u32, bits: u32| (header >> shift) as usize & ((1 << bits) - 1);
    // How often the sample rate is halved, and whether the version is MPEG-1.
    let (halvings, mpeg_1) = match field(19, 2) {
        0 => (2, false),
        2 => (1, false),
        3 => (0, true),
        _ => return None,
    };
    let layer = 4 - field(17, 2);
    let rates = match (mpeg_1, layer) {
        (_, 4) => return None,
        (true, layer) => &BIT_RATES[layer - 1],
        (false, 1) => &BIT_RATES[3],
        (false, _) => &BIT_RATES[4],
    };
    let bit_rate = usize::from(*rates.get(field(12, 4).checked_sub(1)?)?) * 1000;
    let sample_rate = SAMPLE_RATES.get(field(10, 2))? >> halvings;
    let padding = field(9, 1);
    let length = match (layer, mpeg_1) {
        (1, _) => (12 * bit_rate / sample_rate + padding) * 4,
        (3, false) => 72 * bit_rate / sample_rate + padding,
        _ => 144 * bit_rate / sample_rate + padding,
    };
    // Sync, version, layer and sample rate.
    Some(Frame { kind: header & 0xfffe_0c00, length })
}

fn adts_frame(head: &[u8]) -> Option<Frame> {
    const HEADER_LENGTH: usize = 7;
    let [b0, b1, b2, b3, b4, b5, _] = array::<HEADER_LENGTH>(head, 0)?;
    let sample_rate_index = b2 >> 2 & 15;
    if b0 != 0xff || b1 & 0xf6 != 0xf0 || sample_rate_index > 12 {
        return None;
    }
    let length = usize::from(b3 & 3) << 11 | usize::from(b4) << 3 | usize::from(b5) >> 5;
    // Version, and profile and sample rate, which stay; the rest changes from frame to frame.
    let kind = u32::from(b1 & 0xf8) << 8 | u32::from(b2 & 0xfc);
    (length >= HEADER_LENGTH).then_some(Frame { kind, length })
}
