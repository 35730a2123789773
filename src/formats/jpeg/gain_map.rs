//! Keeps the HDR gain map in lossless transcoding. The map is a second JPEG after the picture (ISO 21496-1; Ultra HDR Image Format
//! 1.1; Apple's HDR gain map), and the multi-picture index (CIPA DC-007) contains its offset.
//!
//! The entropy-coded data of the map is copied. The metadata of both pictures follows the policy of the call, except for the
//! metadata that describes how to apply the map: that is kept.

use crate::containers::tiff_ifd::File;
use crate::formats::jpeg::metadata::{
    APP1, APP2, APPLE_GAIN_MAP, ISO_GAIN_MAP, MPF, XMP, push, read, segments, write,
};
use crate::formats::jpeg::segments::{EOI, Part, Parts, SOI};
use crate::metadata::Metadata;
use crate::metadata::gain_map::{is_named, spans};
use crate::metadata::xmp::find as find_text;

/// The index of two pictures: TIFF header, three fields, two entries.
const INDEX_LENGTH: usize = 8 + 2 + 3 * 12 + 4 + 2 * 16;
/// The bytes of the segment before the index: marker, length, `MPF\0`. Offsets of pictures are relative to its end.
const INDEX_HEADER: usize = 8;
/// The field `MPEntry`: attributes, size, offset and two numbers of dependent pictures, for each picture.
const MP_ENTRY: u16 = 0xB002;

/// Appends the gain map of `source` to `picture`, a file with the same coefficients and its final metadata. With `everything`, the
/// map keeps its metadata. `None` if `source` has no map, or a damaged one.
pub(crate) fn carry_over(
    picture: &[u8],
    source: &[u8],
    metadata: &Metadata,
    everything: bool,
) -> Option<Vec<u8>> {
    let map = find(source)?;
    let is_ultra_hdr = read(map).xmp.as_deref().is_some_and(is_named);
    let map = if everything { map.to_vec() } else { filtered(map)? };
    let xmp = match is_ultra_hdr {
        true => Some(with_directory(metadata.xmp.as_deref(), map.len())?),
        false => metadata.xmp.clone(),
    };
    let picture = without_gain_map(picture, xmp.as_deref(), iso_segment(source))?;
    let (head, body) = picture.split_at_checked(head_length(&picture)?)?;
    let size = picture.len() + INDEX_HEADER + INDEX_LENGTH;
    let mut out = head.to_vec();
    push(&mut out, APP2, &[MPF, &index(size, map.len(), size - head.len() - INDEX_HEADER)?]);
    Some([&out, body, &map].concat())
}

/// The segments and scans of the first picture, with its XMP packet replaced by `xmp` and its ISO 21496-1 segment by `iso`. `None` if
/// the file is damaged.
pub(crate) fn without_gain_map(jpeg: &[u8], xmp: Option<&[u8]>, iso: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut out = vec![0xFF, SOI];
    let mut parts = Parts::new(jpeg);
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
    parts.intact().then_some(out)
}

/// Whether a file has segments that refer to further pictures.
pub(crate) fn refers_to_others(jpeg: &[u8]) -> bool {
    segments(jpeg).any(|(_, payload)| payload.starts_with(MPF) || payload.starts_with(ISO_GAIN_MAP))
}

/// The gain map of a JPEG, a JPEG itself.
fn find(jpeg: &[u8]) -> Option<&[u8]> {
    let mut parts = Parts::new(jpeg);
    let (base, index) = loop {
        if let Part::Segment { payload, .. } = parts.next()?
            && let Some(index) = payload.strip_prefix(MPF)
        {
            break (parts.offset() - index.len(), index);
        }
    };
    let file = File::open(index)?;
    let entries = file.first()?.bytes(MP_ENTRY)?;
    entries.as_chunks::<16>().0.iter().skip(1).find_map(|entry| {
        let [size, offset] = [&entry[4..8], &entry[8..12]].map(|number| file.endian.number(number) as usize);
        let start = base.checked_add(offset)?;
        jpeg.get(start..start.checked_add(size)?).filter(|picture| is_gain_map(picture))
    })
}

fn is_gain_map(jpeg: &[u8]) -> bool {
    segments(jpeg).any(|(_, payload)| {
        payload.starts_with(ISO_GAIN_MAP)
            || (payload.starts_with(XMP)
                && (is_named(payload) || find_text(payload, 0, APPLE_GAIN_MAP).is_some()))
    })
}

/// The map with only its profile and the metadata that describes how to apply it.
fn filtered(map: &[u8]) -> Option<Vec<u8>> {
    let own = read(map);
    let xmp = own.xmp.and_then(|xmp| gain_map_properties(std::str::from_utf8(&xmp).ok()?));
    let written = write(map, &Metadata { icc: own.icc, ..Metadata::default() })?;
    without_gain_map(&written, xmp.as_deref().map(str::as_bytes), iso_segment(map))
}

/// A packet with only the gain-map properties of another; `None` if there are none.
fn gain_map_properties(xmp: &str) -> Option<String> {
    let mut attributes: Vec<&str> = Vec::new();
    let mut elements = String::new();
    for span in spans(xmp.as_bytes())? {
        let text = xmp.get(span)?.trim_start();
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
        packet(&format!("<rdf:Description rdf:about=\"\" {attributes}>{elements}</rdf:Description>"))
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
    let merged = match xmp.rfind("</rdf:RDF>") {
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

/// The length of a file up to the end of its leading application segments.
fn head_length(jpeg: &[u8]) -> Option<usize> {
    let mut parts = Parts::new(jpeg);
    let mut head = parts.offset();
    while let Part::Segment { marker: 0xE0..=0xEF, .. } = parts.next()? {
        head = parts.offset();
    }
    Some(head)
}

/// The index of a file of two pictures: the first of `size` bytes, the second of `map_size` bytes at `offset` (CIPA DC-007, 5.2).
fn index(size: usize, map_size: usize, offset: usize) -> Option<Vec<u8>> {
    let [size, map_size, offset] =
        [size, map_size, offset].map(|number| u32::try_from(number).ok().map(u32::to_be_bytes));
    let (size, map_size, offset) = (size?, map_size?, offset?);
    let field = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value].concat()
    };
    let entries_at = (INDEX_LENGTH as u32 - 32).to_be_bytes();
    Some(
        [
            &b"MM\0\x2A\0\0\0\x08\0\x03"[..],
            &field(0xB000, 7, 4, *b"0100"),
            &field(0xB001, 4, 1, 2_u32.to_be_bytes()),
            &field(MP_ENTRY, 7, 32, entries_at),
            &[0; 4],
            // "Baseline MP primary image"; of the other, the type is undefined.
            &[0x00, 0x03, 0x00, 0x00],
            &size,
            &[0; 8],
            &[0; 4],
            &map_size,
            &offset,
            &[0; 4],
        ]
        .concat(),
    )
}
