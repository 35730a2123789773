//! Flash Video (Adobe Flash Video File Format 10.1, annex E); Flash programs are only named.

use super::bytes::be32;
use super::{Sniffed, unsupported};
use crate::media_type::MediaType::Flv;

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    match head {
        [b'F', b'L', b'V', 1, ..] if be32(head, 5)? >= 9 => Some(Sniffed::Known(Flv)),
        [b'F' | b'C' | b'Z', b'W', b'S', 1..=60, ..] => {
            Some(unsupported("Flash program", "application/vnd.adobe.flash.movie"))
        }
        _ => None,
    }
}
