//! EBML (RFC 8794): the `DocType` of its header tells WebM from Matroska (RFC 9559).

use super::{Sniffed, unsupported};
use crate::media_type::MediaType::{Matroska, Webm};

const HEADER: &[u8] = b"\x1a\x45\xdf\xa3";
const DOC_TYPE: &[u8] = b"\x42\x82";

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    let (length, mut rest) = size(head.strip_prefix(HEADER)?)?;
    rest = &rest[..length.min(rest.len())];
    while let Some(&first) = rest.first() {
        // The number of leading zeros is the length of the element's id, less one.
        let id_length = first.leading_zeros() as usize + 1;
        let Some((id, after_id)) = rest.split_at_checked(id_length) else {
            break;
        };
        let Some((length, body)) = size(after_id) else {
            break;
        };
        let Some((value, next)) = body.split_at_checked(length) else {
            break;
        };
        if id == DOC_TYPE {
            return Some(of_doc_type(value));
        }
        rest = next;
    }
    Some(Sniffed::OneOf(&[Matroska, Webm]))
}

fn of_doc_type(value: &[u8]) -> Sniffed {
    // A value may be padded with zeros (RFC 8794 §7.4).
    let end = value.iter().position(|&byte| byte == 0).unwrap_or(value.len());
    match &value[..end] {
        b"webm" => Sniffed::Known(Webm),
        b"matroska" => Sniffed::Known(Matroska),
        _ => unsupported("EBML document of an unknown kind", "application/x-ebml"),
    }
}

/// A size of 1 to 8 bytes (RFC 8794 §6), saturated, and what follows it.
fn size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let length = bytes.first()?.leading_zeros() as usize + 1;
    if length > 8 {
        return None;
    }
    let (coded, rest) = bytes.split_at_checked(length)?;
    let marked = coded.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
    let value = marked & !(1 << (7 * length));
    Some((usize::try_from(value).unwrap_or(usize::MAX), rest))
}
