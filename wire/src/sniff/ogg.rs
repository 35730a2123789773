//! Ogg (RFC 3533): the first page of each stream names its codec (RFC 5334 §10), and they all stand at the beginning.

use super::{Sniffed, unsupported};
use crate::media_type::MediaType::{OggAudio, OggVideo, Opus};

const CAPTURE: &[u8] = b"OggS\0";
const BEGIN_OF_STREAM: u8 = 2;
const SEGMENT_COUNT: usize = 26;

const VIDEO: [&[u8]; 5] = [b"\x80theora", b"BBCD\0", b"OVP80", b"\x01video\0", b"\x80daala"];
const AUDIO: [&[u8]; 6] = [b"\x01vorbis", b"\x7fFLAC", b"fLaC", b"Speex   ", b"PCM     ", b"CELT    "];

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    if !head.starts_with(CAPTURE) {
        return None;
    }
    let (mut opus, mut other_audio) = (false, false);
    let mut page = head;
    while let Some((payload, next)) = first_page(page) {
        if VIDEO.iter().any(|codec| payload.starts_with(codec)) {
            return Some(Sniffed::Known(OggVideo));
        }
        opus |= payload.starts_with(b"OpusHead");
        other_audio |= AUDIO.iter().any(|codec| payload.starts_with(codec));
        page = next;
    }
    Some(match (opus, other_audio) {
        (_, true) => Sniffed::Known(OggAudio),
        // RFC 7845 §9 registers audio/ogg for what the interface calls audio/opus.
        (true, false) => Sniffed::OneOf(&[Opus, OggAudio]),
        (false, false) => unsupported("Ogg with an unknown codec", "application/ogg"),
    })
}

/// The payload (as far as it is there) of a page that begins a stream, and what follows the page.
fn first_page(page: &[u8]) -> Option<(&[u8], &[u8])> {
    if !page.starts_with(CAPTURE) || page.get(5)? & BEGIN_OF_STREAM == 0 {
        return None;
    }
    let segments = usize::from(*page.get(SEGMENT_COUNT)?);
    let (lacing, rest) = page.get(SEGMENT_COUNT + 1..)?.split_at_checked(segments)?;
    let length: usize = lacing.iter().map(|&length| usize::from(length)).sum();
    Some(rest.split_at(length.min(rest.len())))
}
