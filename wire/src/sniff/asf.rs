//! ASF (Advanced Systems Format specification, §3): its stream properties tell Windows Media Video from Audio.

use super::Sniffed;
use super::bytes::{array, has, le64};
use crate::media_type::MediaType::{Wma, Wmv};

type Guid = [u8; 16];
const HEADER: Guid = *b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c";
const STREAM_PROPERTIES: Guid = *b"\x91\x07\xdc\xb7\xb7\xa9\xcf\x11\x8e\xe6\x00\xc0\x0c\x20\x53\x65";
const AUDIO: Guid = *b"\x40\x9e\x69\xf8\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b";
const VIDEO: Guid = *b"\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b";

const HEADER_LENGTH: usize = 30;
const OBJECT_LENGTH: usize = 24;

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    if !head.starts_with(&HEADER) {
        return None;
    }
    let end = length_at(head, HEADER.len()).unwrap_or(usize::MAX);
    let mut audio = false;
    let mut object = HEADER_LENGTH;
    while object < end {
        let length = length_at(head, object.saturating_add(HEADER.len()));
        let stream: Option<Guid> = array(head, object.saturating_add(OBJECT_LENGTH));
        match (length, has(head, object, &STREAM_PROPERTIES), stream) {
            (_, true, Some(VIDEO)) => return Some(Sniffed::Known(Wmv)),
            // A cover picture can push the streams out of the head.
            (None, _, _) | (_, true, None) => return Some(EITHER),
            (_, is_stream, stream) => audio |= is_stream && stream == Some(AUDIO),
        }
        object = object.saturating_add(length.unwrap_or(0).max(OBJECT_LENGTH));
    }
    Some(if audio { Sniffed::Known(Wma) } else { EITHER })
}

const EITHER: Sniffed = Sniffed::OneOf(&[Wmv, Wma]);

fn length_at(head: &[u8], offset: usize) -> Option<usize> {
    le64(head, offset).map(|length| usize::try_from(length).unwrap_or(usize::MAX))
}
