//! Markup: what its first element is. SVG 2 is ours; HTML and other XML are only named.

use super::Sniffed;
use super::bytes::find;
use crate::media_type::MediaType::Svg;

/// What a document is by its first element or its document type.
#[derive(PartialEq)]
pub(super) enum Markup {
    Svg,
    Html,
    Xml,
}

/// SVG is text in UTF-8 (XML allows other encodings, our readers do not).
pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    (markup(head)? == Markup::Svg).then_some(Sniffed::Known(Svg))
}

/// Skips what XML allows before the first element (XML 1.0 §2.8).
pub(super) fn markup(head: &[u8]) -> Option<Markup> {
    let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let mut is_xml = false;
    loop {
        rest = match rest {
            [b'<', b'?', b'x', b'm', b'l', ..] => {
                is_xml = true;
                after(rest, b"?>")
            }
            [b'<', b'!', b'-', b'-', ..] => after(&rest[4..], b"-->"),
            [b'<', b'!', declaration @ ..] if begins_with(declaration, b"doctype") => {
                let name = declaration[b"doctype".len()..].trim_ascii_start();
                if begins_with(name, b"html") {
                    return Some(Markup::Html);
                }
                is_xml = true;
                after_doctype(declaration)
            }
            [b'<', element @ ..] => return of_element(element, is_xml),
            _ => return is_xml.then_some(Markup::Xml),
        }
        .trim_ascii_start();
    }
}

fn of_element(element: &[u8], is_xml: bool) -> Option<Markup> {
    const HTML: [&[u8]; 12] = [
        b"html", b"head", b"body", b"title", b"meta", b"script", b"style", b"div", b"p", b"h1", b"table",
        b"a",
    ];
    let is_name =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b':' | b'_' | b'-' | b'.' | 0x80..);
    let name = &element[..element.iter().take_while(is_name).count()];
    let local = name.rsplit(|&byte| byte == b':').next().unwrap_or(name);
    let ends = matches!(element.get(name.len()), Some(b'>' | b'/'))
        || element.get(name.len())?.is_ascii_whitespace();
    if !ends || !name.first()?.is_ascii_alphabetic() {
        return is_xml.then_some(Markup::Xml);
    }
    if local == b"svg" {
        Some(Markup::Svg)
    } else if HTML.iter().any(|html| local.eq_ignore_ascii_case(html)) {
        Some(Markup::Html)
    } else {
        Some(Markup::Xml)
    }
}

fn begins_with(text: &[u8], lower_case: &[u8]) -> bool {
    text.get(..lower_case.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lower_case))
}

/// What follows `end`; nothing where it is not in the head.
fn after<'a>(text: &'a [u8], end: &[u8]) -> &'a [u8] {
    find(text, end).map_or(&[], |position| &text[position + end.len()..])
}

/// A document type ends at a `>` outside of quotes and of its internal subset, in which drawing programs declare entities.
fn after_doctype(declaration: &[u8]) -> &[u8] {
    let (mut quote, mut in_subset) = (None, false);
    for (index, &byte) in declaration.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => in_subset = true,
            (None, b']') => in_subset = false,
            (None, b'>') if !in_subset => return &declaration[index + 1..],
            (None, _) => {}
        }
    }
    &[]
}
