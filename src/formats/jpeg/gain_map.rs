//! Finds the HDR gain map of a JPEG and writes it beside another picture. The map is a second JPEG after the picture (ISO 21496-1; Ultra
//! HDR Image Format 1.1; Apple's HDR gain map), and the multi-picture index contains its offset.
//!
//! What describes how to apply the map stays in the form that the source has: XMP, the segments of ISO 21496-1, or both. None of it
//! depends on the size of the map or on how it is turned. The other metadata follows the policy of the call.

mod apple;
#[cfg(feature = "full")]
mod description;

use crate::formats::jpeg::metadata::{
    APP1, APP2, APPLE_GAIN_MAP, ISO_GAIN_MAP, MAX_XMP, MPF, XMP, push, read, segments, write,
};
use crate::formats::jpeg::multi_picture;
use crate::formats::jpeg::segments::{EOI, Part, Parts, SOI, SOS};
use crate::metadata::Metadata;
use crate::metadata::gain_map::{is_named, spans};
use crate::metadata::xmp::find as find_text;
#[cfg(feature = "full")]
pub(crate) use description::describe;

/// The gain map of a JPEG, a JPEG itself.
pub(crate) fn find(jpeg: &[u8]) -> Option<&[u8]> {
    multi_picture::others(jpeg)?.into_iter().find(|picture| is_gain_map(picture))
}

/// `picture`, a file with its final metadata, with the gain map that it gets from `source`: `coded`, which is coded again, or the
/// map as it is in `source`. With `everything`, the map keeps all of its XMP. `None` if `source` has no map, if something is
/// damaged, or if its description does not fit into the metadata of the picture.
pub(crate) fn attach(
    picture: &[u8],
    source: &[u8],
    coded: Option<&[u8]>,
    everything: bool,
) -> Option<Vec<u8>> {
    let own = find(source)?;
    let map = match coded {
        None if everything => own.to_vec(),
        coded => described(coded.unwrap_or(own), own, source, everything)?,
    };
    let xmp = read(picture).xmp;
    let xmp = match read(own).xmp.as_deref().is_some_and(is_named) {
        true => Some(with_directory(xmp.as_deref(), map.len())?),
        false => xmp,
    };
    let bare = without_gain_map(picture, xmp.as_deref(), iso_segment(source))?;
    multi_picture::join(&bare, &map)
}

/// The segments and scans of the first picture, with its XMP packet replaced by `xmp` and its ISO 21496-1 segment by `iso`. `None` if
/// the file is damaged, or if the packet is too long for a segment.
pub(crate) fn without_gain_map(jpeg: &[u8], xmp: Option<&[u8]>, iso: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut out = vec![0xFF, SOI];
    let mut parts = Parts::new(jpeg);
    let fits = xmp.is_none_or(|xmp| xmp.len() <= MAX_XMP);
    let mut pending = Some((xmp, iso));
    for part in &mut parts {
        if !matches!(part, Part::Segment { marker: 0xE0..=0xEF, .. })
            && let Some((xmp, iso)) = pending.take()
        {
            xmp.into_iter().for_each(|xmp| push(&mut out, APP1, &[XMP, xmp]));
            iso.into_iter().for_each(|iso| push(&mut out, APP2, &[iso]));
        }
        match part {
            Part::Segment { marker: APP1, payload, .. } if payload.starts_with(XMP) => {}
            Part::Segment { marker: APP2, payload, .. }
                if payload.starts_with(MPF) || payload.starts_with(ISO_GAIN_MAP) => {}
            Part::Segment { whole, .. } | Part::Coded(whole) => out.extend_from_slice(whole),
        }
    }
    out.extend([0xFF, EOI]);
    (fits && parts.intact()).then_some(out)
}

/// Whether a file has segments that refer to further pictures.
#[cfg(feature = "full")]
pub(crate) fn refers_to_others(jpeg: &[u8]) -> bool {
    segments(jpeg).any(|(_, payload)| payload.starts_with(MPF) || payload.starts_with(ISO_GAIN_MAP))
}

/// By the metadata, which are before the first scan.
fn is_gain_map(jpeg: &[u8]) -> bool {
    segments(jpeg).take_while(|(marker, _)| *marker != SOS).any(|(_, payload)| {
        payload.starts_with(ISO_GAIN_MAP) || (payload.starts_with(XMP) && is_description(payload))
    })
}

/// Whether XMP describes a map.
fn is_description(xmp: &[u8]) -> bool {
    is_named(xmp) || find_text(xmp, 0, APPLE_GAIN_MAP).is_some()
}

/// The map as it is coded in `coded`, with its own profile and the metadata that describes how to apply it; with `everything`, with
/// all of its XMP. A file can describe Apple's map in EXIF, which the output need not have: then this becomes XMP.
fn described(coded: &[u8], own: &[u8], source: &[u8], everything: bool) -> Option<Vec<u8>> {
    let Metadata { icc, xmp, .. } = read(own);
    let xmp = match xmp {
        Some(xmp) if !everything => {
            let headroom = apple::headroom(&xmp, source).map(apple::attribute).unwrap_or_default();
            let kept = gain_map_properties(std::str::from_utf8(&xmp).ok()?, &headroom);
            // Without its description, a map is worse than none.
            if kept.is_none() && is_description(&xmp) {
                return None;
            }
            kept
        }
        xmp => xmp,
    };
    let written = write(coded, &Metadata { icc, ..Metadata::default() })?;
    without_gain_map(&written, xmp.as_deref(), iso_segment(own))
}

/// A packet with only the gain-map properties of another, and `more`, an attribute; `None` if there are none.
fn gain_map_properties(xmp: &str, more: &str) -> Option<Vec<u8>> {
    let mut attributes: Vec<&str> = Vec::new();
    let mut elements = String::new();
    for span in spans(xmp.as_bytes())? {
        let text = xmp.get(span)?.trim_ascii_start();
        let name = text.split('=').next();
        if text.starts_with('<') {
            elements.push_str(text);
        } else if attributes.iter().all(|other| other.split('=').next() != name) {
            attributes.push(text);
        }
    }
    let is_empty = attributes.is_empty() && elements.is_empty();
    let attributes = attributes.join(" ");
    (!is_empty).then(|| {
        packet(&format!("<rdf:Description rdf:about=\"\" {attributes}{more}>{elements}</rdf:Description>"))
            .into_bytes()
    })
}

/// A packet that lists a map of `length` bytes after the picture (Ultra HDR Image Format 1.1, "XMP attributes"), with the
/// properties of `xmp`.
fn with_directory(xmp: Option<&[u8]>, length: usize) -> Option<Vec<u8>> {
    let directory = format!(
        "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" \
         xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" \
         xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\" hdrgm:Version=\"1.0\"><Container:Directory><rdf:Seq>\
         <rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"Primary\" Item:Mime=\"image/jpeg\"/></rdf:li>\
         <rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" \
         Item:Length=\"{length}\"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>"
    );
    let xmp = std::str::from_utf8(xmp.unwrap_or_default()).ok()?;
    // The first one: a packet has one, and a search from the end would be a kilobyte of the module.
    let merged = match find_text(xmp.as_bytes(), 0, b"</rdf:RDF>") {
        Some(end) => format!("{}{directory}{}", xmp.get(..end)?, xmp.get(end..)?),
        None => packet(&directory),
    };
    Some(merged.into_bytes())
}

fn packet(description: &str) -> String {
    format!(
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         {description}</rdf:RDF></x:xmpmeta>"
    )
}

fn iso_segment(jpeg: &[u8]) -> Option<&[u8]> {
    segments(jpeg).map(|(_, payload)| payload).find(|payload| payload.starts_with(ISO_GAIN_MAP))
}
