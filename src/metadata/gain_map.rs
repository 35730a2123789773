//! Gain-map properties in XMP: Ultra HDR (`hdrgm` and the container directory of Google) and Apple's. They describe a second picture
//! in the same file, so they are removed from XMP that leaves without that picture.

use std::ops::Range;

use crate::metadata::xmp::{find, without};

/// Adobe's gain-map properties, by which Ultra HDR is recognized.
pub(crate) const HDRGM: &[u8] = b"http://ns.adobe.com/hdr-gain-map/1.0/";
/// The namespaces of a gain map and of the directory that names it.
const NAMESPACES: [&[u8]; 5] = [
    HDRGM,
    b"http://ns.google.com/photos/1.0/container/",
    b"http://ns.google.com/photos/1.0/container/item/",
    b"http://ns.apple.com/HDRGainMap/1.0/",
    b"http://ns.apple.com/pixeldatainfo/1.0/",
];

/// Whether a packet has properties of a gain map.
pub(crate) fn is_named(xmp: &[u8]) -> bool {
    find(xmp, 0, HDRGM).is_some()
}

/// The packet without the properties of a gain map; `None` if its markup is damaged.
pub(crate) fn removed(xmp: Vec<u8>) -> Option<Vec<u8>> {
    spans(&xmp).map(|spans| without(&xmp, spans))
}

/// The elements, attributes and namespace declarations of a gain map, in the order of the text. `None` if the markup is damaged.
///
/// Bytes are scanned by hand: the searches of `str` would be a kilobyte of the module.
pub(crate) fn spans(xmp: &[u8]) -> Option<Vec<Range<usize>>> {
    let prefixes = prefixes(xmp);
    let mut found = Vec::new();
    let mut at = 0;
    while !prefixes.is_empty()
        && let Some(start) = find(xmp, at, b"<")
    {
        let name = name(xmp, start + 1);
        let is_element = is_ours(name, &prefixes);
        let mut attribute = start + 1 + name.len();
        at = attribute;
        // Up to the end of the tag; a `>` in quotes does not end it.
        loop {
            match *xmp.get(at)? {
                b'>' => break,
                quote @ (b'"' | b'\'') => {
                    at = find(xmp, at + 1, &[quote])?;
                    if !is_element && is_ours(self::name(xmp, attribute), &prefixes) {
                        found.push(attribute..at + 1);
                    }
                    attribute = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        if is_element {
            if xmp[at - 1] != b'/' {
                at = find(xmp, at, &[b"</", name].concat())?;
                at = find(xmp, at, b">")?;
            }
            found.push(start..at + 1);
        }
        at += 1;
    }
    Some(found)
}

/// The name of an element or attribute, with the white space before it.
fn name(xmp: &[u8], start: usize) -> &[u8] {
    let rest = xmp.get(start..).unwrap_or_default();
    let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_name = |byte: &u8| !byte.is_ascii_whitespace() && !b"=/>".contains(byte);
    let length = rest[space..].iter().take_while(|byte| is_name(byte)).count();
    &rest[..space + length]
}

/// Whether a name has one of the prefixes, or declares it.
fn is_ours(name: &[u8], prefixes: &[&[u8]]) -> bool {
    let name = name.trim_ascii_start();
    let declared = name.strip_prefix(b"xmlns:");
    let prefix = name.split(|byte| *byte == b':').next();
    prefixes.iter().any(|ours| declared == Some(*ours) || (prefix == Some(*ours) && name.len() > ours.len()))
}

/// The prefixes that a packet declares for [`NAMESPACES`].
fn prefixes(xmp: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    for namespace in NAMESPACES {
        let mut at = 0;
        while let Some(start) = find(xmp, at, namespace) {
            at = start + namespace.len();
            let is_whole = xmp.get(at).is_some_and(|next| b"\"'".contains(next));
            let declaration =
                xmp[..start].trim_ascii_end().strip_suffix(b"\"").or(xmp[..start].strip_suffix(b"'"));
            let name = declaration.and_then(|text| text.trim_ascii_end().strip_suffix(b"="));
            let prefix = name.and_then(|text| text.trim_ascii_end().rsplit(|byte| *byte == b':').next());
            if let Some(prefix) = prefix.filter(|prefix| is_whole && found.len() < 16 && prefix.len() < 64) {
                found.push(prefix);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: &str = r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description rdf:about=""
 xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:dc='http://purl.org/dc/elements/1.1/'
 hdrgm:Version="1.0" dc:title="a > b" xmlns:C="http://ns.google.com/photos/1.0/container/"
 xmlns:I='http://ns.google.com/photos/1.0/container/item/'><C:Directory><rdf:Seq><rdf:li><C:Item
 I:Semantic="GainMap" I:Length="77"/></rdf:li></rdf:Seq></C:Directory><dc:creator>me</dc:creator><hdrgm:GainMapMax/>
</rdf:Description></rdf:RDF></x:xmpmeta>"#;

    #[test]
    fn the_rest_of_a_packet_stays() {
        let rest = String::from_utf8(removed(PACKET.into()).unwrap()).unwrap();
        let expected = r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description rdf:about="" xmlns:dc='http://purl.org/dc/elements/1.1/' dc:title="a > b"><dc:creator>me</dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta>"#;
        assert_eq!(rest, expected);
        assert!(is_named(PACKET.as_bytes()) && !is_named(rest.as_bytes()));
    }

    #[test]
    fn a_packet_without_gain_map_stays_as_it_is() {
        let plain = b"<rdf:RDF xmlns:dc='x'><dc:title a='<'/></rdf:RDF>".to_vec();
        assert_eq!(removed(plain.clone()), Some(plain));
    }

    #[test]
    fn damaged_markup_is_refused() {
        let declared = "xmlns:h='http://ns.adobe.com/hdr-gain-map/1.0/'";
        for damaged in
            [format!("<a {declared}><h:x>"), format!("<a {declared}><h:x"), format!("<a {declared}><b c='")]
        {
            assert_eq!(removed(damaged.clone().into_bytes()), None, "{damaged}");
        }
    }
}
