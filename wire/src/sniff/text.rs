//! Unsupported text formats: HTML, XML, JSON and plain text.

use super::svg::{Markup, markup};
use super::{Sniffed, unsupported};

pub(super) fn parse(head: &[u8]) -> Option<Sniffed> {
    match markup(head) {
        Some(Markup::Html) => return Some(unsupported("HTML", "text/html")),
        Some(Markup::Svg | Markup::Xml) => return Some(unsupported("XML", "application/xml")),
        None => {}
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return is_utf16(head).then_some(PLAIN);
    }
    if !is_text(head) {
        return None;
    }
    Some(if is_json(head) { unsupported("JSON", "application/json") } else { PLAIN })
}

const PLAIN: Sniffed = unsupported("plain text", "text/plain");

/// UTF-8, perhaps cut within a character, without the bytes that occur in no text
/// (<https://mimesniff.spec.whatwg.org/#binary-data-byte>).
fn is_text(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && error.valid_up_to() > 0,
    };
    let is_binary = |byte: u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    is_utf8 && !head.is_empty() && !head.iter().copied().any(is_binary)
}

/// In the byte order of the mark that begins it; sound can begin with the same two bytes, but it has control characters.
fn is_utf16(head: &[u8]) -> bool {
    let units = head.chunks_exact(2).skip(1).map(|unit| match head[0] {
        0xff => u16::from_le_bytes([unit[0], unit[1]]),
        _ => u16::from_be_bytes([unit[0], unit[1]]),
    });
    let is_control = |unit: u16| unit < 0x20 && !matches!(unit, 9 | 10 | 12 | 13);
    units.clone().next().is_some() && !units.clone().any(is_control)
}

/// Begins as an object or an array does.
fn is_json(head: &[u8]) -> bool {
    let mut tokens =
        head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).iter().filter(|byte| !byte.is_ascii_whitespace());
    match tokens.next() {
        Some(b'{') => matches!(tokens.next(), Some(b'"' | b'}')),
        Some(b'[') => matches!(tokens.next(), Some(b'{' | b'[' | b'"' | b']')),
        _ => false,
    }
}
