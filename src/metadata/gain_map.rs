//! Gain-map properties in XMP: Ultra HDR (`hdrgm` and the container directory of Google) and Apple's. They describe a second picture
//! in the same file, so they are removed from XMP that leaves without that picture.

use std::ops::Range;

/// Adobe's gain-map properties, by which Ultra HDR is recognized.
pub(crate) const HDRGM: &str = "http://ns.adobe.com/hdr-gain-map/1.0/";
/// The namespaces of a gain map and of the directory that names it.
pub(crate) const NAMESPACES: [&str; 5] = [
    HDRGM,
    "http://ns.google.com/photos/1.0/container/",
    "http://ns.google.com/photos/1.0/container/item/",
    "http://ns.apple.com/HDRGainMap/1.0/",
    "http://ns.apple.com/pixeldatainfo/1.0/",
];

/// Whether a packet has properties of a gain map.
pub(crate) fn is_named(xmp: &[u8]) -> bool {
    contains(xmp, HDRGM.as_bytes())
}

pub(crate) fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

/// The packet without the properties of a gain map; `None` if its markup is damaged.
pub(crate) fn removed(xmp: Vec<u8>) -> Option<Vec<u8>> {
    let text = String::from_utf8(xmp).ok()?;
    let mut kept = String::with_capacity(text.len());
    let mut end = 0;
    for span in spans(&text)? {
        kept.push_str(text.get(end..span.start)?);
        end = span.end;
    }
    kept.push_str(text.get(end..)?);
    Some(kept.into_bytes())
}

/// The elements, attributes and namespace declarations of a gain map, in the order of the text. `None` if the markup is damaged.
pub(crate) fn spans(xmp: &str) -> Option<Vec<Range<usize>>> {
    let prefixes = prefixes(xmp);
    let is_ours = |name: &str| name.split_once(':').is_some_and(|(prefix, _)| prefixes.contains(&prefix));
    let mut found = Vec::new();
    let mut at = 0;
    while !prefixes.is_empty()
        && let Some(open) = xmp.get(at..)?.find('<')
    {
        let start = at + open;
        let tag = xmp.get(start..start + tag_length(xmp.get(start..)?)?)?;
        at = start + tag.len();
        let name = tag.get(1..)?.split(['/', '>', ' ', '\t', '\r', '\n']).next()?;
        if is_ours(name) {
            if !tag.ends_with("/>") {
                let close = format!("</{name}");
                at += xmp.get(at..)?.find(&close)? + close.len();
                at += xmp.get(at..)?.find('>')? + 1;
            }
            found.push(start..at);
            continue;
        }
        for attribute in attributes(tag) {
            let text = tag.get(attribute.clone())?.trim_start();
            let name = text.split(['=', ' ']).next()?;
            let declared = name.strip_prefix("xmlns:");
            if is_ours(name) || declared.is_some_and(|prefix| prefixes.contains(&prefix)) {
                found.push(start + attribute.start..start + attribute.end);
            }
        }
    }
    Some(found)
}

/// The prefixes that a packet declares for [`NAMESPACES`].
fn prefixes(xmp: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in xmp.match_indices("xmlns:").take(64) {
        let declaration = xmp.get(at + 6..).unwrap_or_default();
        let Some((prefix, value)) = declaration.split_once('=') else { continue };
        let value = value.trim_start();
        let uri = value.get(1..).unwrap_or_default().split(['"', '\'']).next().unwrap_or_default();
        if NAMESPACES.contains(&uri) {
            found.push(prefix.trim_end());
        }
    }
    found
}

/// The length of a tag with both angle brackets; a `>` in quotes does not end it.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote = None;
    text.bytes()
        .position(|byte| match quote {
            Some(open) => {
                quote = quote.filter(|_| byte != open);
                false
            }
            None => {
                quote = Some(byte).filter(|byte| b"\"'".contains(byte));
                byte == b'>'
            }
        })
        .map(|last| last + 1)
}

/// The attributes of a tag, each with the white space before it.
fn attributes(tag: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = tag.find([' ', '\t', '\r', '\n']).unwrap_or(tag.len());
    while let Some(rest) = tag.get(at..)
        && let Some(open) = rest.find(['"', '\''])
        && let Some(close) = rest.get(open + 1..).and_then(|value| value.find(rest.get(open..=open)?))
    {
        let end = at + open + 1 + close + 1;
        found.push(at..end);
        at = end;
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
