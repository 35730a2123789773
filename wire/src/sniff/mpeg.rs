//! MPEG program and transport streams (ISO/IEC 13818-1) and bare MPEG video (ISO/IEC 13818-2).

use super::Sniffed;
use super::bytes::{be16, has};
use crate::media_type::MediaType::{Dvd, Mpeg, MpegTs};

const PACK: u8 = 0xba;
const SEQUENCE_HEADER: u8 = 0xb3;
const PRIVATE_STREAM_1: u8 = 0xbd;
const PRIVATE_STREAM_2: u8 = 0xbf;
/// Length of the presentation control packet that begins a DVD's navigation pack.
const NAVIGATION_LENGTH: u16 = 0x3d4;

/// A DVD is a program stream with navigation packs. One without them that has a DVD's sound or subtitles is likely a part of
/// a DVD, but other recorders write such streams too.
pub(crate) fn program_stream(head: &[u8]) -> Option<Sniffed> {
    match start_code(head, 0)? {
        PACK => {}
        SEQUENCE_HEADER => return Some(Sniffed::Known(Mpeg)),
        _ => return None,
    }
    let mut dvd_stream = false;
    let mut offset = 0;
    while let Some(packet) = packet(head, offset) {
        if packet.code == PRIVATE_STREAM_2 && packet.length == NAVIGATION_LENGTH {
            return Some(Sniffed::Known(Dvd));
        }
        dvd_stream |= packet.code == PRIVATE_STREAM_1 && is_dvd_stream(head, offset);
        offset = packet.end;
    }
    Some(if dvd_stream { Sniffed::OneOf(&[Dvd, Mpeg]) } else { Sniffed::OneOf(&[Mpeg, Dvd]) })
}

struct Packet {
    code: u8,
    length: u16,
    end: usize,
}

fn packet(head: &[u8], offset: usize) -> Option<Packet> {
    let code = start_code(head, offset)?;
    let (length, end) = match code {
        PACK => (0, offset + pack_length(head, offset)?),
        0xbb.. => {
            let length = be16(head, offset + 4)?;
            (length, offset + 6 + usize::from(length))
        }
        _ => return None,
    };
    Some(Packet { code, length, end })
}

fn start_code(head: &[u8], offset: usize) -> Option<u8> {
    if has(head, offset, b"\0\0\x01") { head.get(offset + 3).copied() } else { None }
}

/// MPEG-2 packs may be stuffed; the shape of the clock after the start code tells them from MPEG-1.
fn pack_length(head: &[u8], offset: usize) -> Option<usize> {
    match head.get(offset + 4)? >> 4 {
        0b0010 => Some(12),
        0b0100..=0b0111 => Some(14 + usize::from(head.get(offset + 13)? & 7)),
        _ => None,
    }
}

/// DVDs number subtitles, AC-3, DTS and PCM in the first byte of the payload.
fn is_dvd_stream(head: &[u8], offset: usize) -> bool {
    let header_length = head.get(offset + 8).copied().unwrap_or(0);
    let stream = head.get(offset + 9 + usize::from(header_length));
    matches!(stream, Some(0x20..=0x3f | 0x80..=0x8f | 0xa0..=0xa7))
}

/// Packets of 188 bytes, each beginning with the sync byte; on Blu-ray and in cameras each after four bytes of time stamp.
/// Three in a row are asked for, all of the first eight where the head has them.
pub(crate) fn transport_stream(head: &[u8]) -> Option<Sniffed> {
    const SYNC: u8 = 0x47;
    let in_step = |first: usize, stride: usize| {
        let mut packets = head.iter().skip(first).step_by(stride).take(8);
        packets.len() >= 3 && packets.all(|&byte| byte == SYNC)
    };
    (in_step(0, 188) || in_step(4, 192)).then_some(Sniffed::Known(MpegTs))
}
