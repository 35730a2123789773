//! Metadata in the segments of a JPEG (ITU-T T.81, annex B; EXIF; XMP part 3; ICC.1, annex B.4).

use crate::formats::jpeg::segments::{EOI, Part, Parts, SOI};
use crate::metadata::{MAX_DECOMPRESSED, Metadata, gain_map, icc, iptc, xmp};

/// The 16-bit length of a segment includes itself.
const MAX_PAYLOAD: usize = 65_533;
/// The maximum EXIF size in a segment.
pub(crate) const MAX_EXIF: usize = MAX_PAYLOAD - EXIF.len();
/// The maximum XMP packet (XMP part 3, 1.1.3).
pub(crate) const MAX_XMP: usize = 65_502;
/// The maximum size of IPTC records: padded to an even length, in a Photoshop resource.
pub(crate) const MAX_IPTC: usize = MAX_PAYLOAD - PHOTOSHOP.len() - iptc::OVERHEAD;

const EXIF: &[u8] = b"Exif\0\0";
pub(crate) const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const EXTENDED_XMP: &[u8] = b"http://ns.adobe.com/xmp/extension/\0";
const ICC: &[u8] = b"ICC_PROFILE\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";
/// The multi-picture index, CIPA DC-007.
pub(crate) const MPF: &[u8] = b"MPF\0";
/// The segment of ISO 21496-1, annex C.
pub(crate) const ISO_GAIN_MAP: &[u8] = b"urn:iso:std:iso:ts:21496:-1\0";
/// The type of Apple's auxiliary picture, in its XMP.
pub(crate) const APPLE_GAIN_MAP: &[u8] = b"urn:com:apple:photo:2020:aux:hdrgainmap";
const JFIF: &[u8] = b"JFIF\0";
const ADOBE: &[u8] = b"Adobe";

const APP0: u8 = 0xE0;
pub(crate) const APP1: u8 = 0xE1;
pub(crate) const APP2: u8 = 0xE2;
const APP13: u8 = 0xED;
const APP14: u8 = 0xEE;
const COM: u8 = 0xFE;

/// The bytes of Adobe's segment: a name, three numbers, and the color transform.
const ADOBE_LENGTH: usize = 12;

/// Reads the segments before the first scan.
pub(crate) fn read(jpeg: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let mut profile = Profile::default();
    let mut resources = Vec::new();
    let mut is_multi_picture = false;
    for part in Parts::new(jpeg) {
        let Part::Segment { marker, payload, .. } = part else { break };
        match marker {
            APP1 if payload.starts_with(EXTENDED_XMP) => found.other = true,
            APP1 => {
                if let Some(exif) = payload.strip_prefix(EXIF) {
                    found.exif.get_or_insert_with(|| exif.to_vec());
                } else if let Some(xmp) = payload.strip_prefix(XMP) {
                    found.xmp.get_or_insert_with(|| xmp.to_vec());
                }
            }
            APP2 => {
                profile.add(payload);
                found.gain_map |= payload.starts_with(ISO_GAIN_MAP);
                is_multi_picture |= payload.starts_with(MPF);
            }
            APP13 => {
                // Resources longer than a segment continue in the next one.
                if let Some(more) = payload.strip_prefix(PHOTOSHOP)
                    && resources.len() + more.len() <= MAX_DECOMPRESSED
                {
                    resources.extend_from_slice(more);
                }
            }
            COM => found.other = true,
            _ => {}
        }
    }
    // Apple describes its map only in the second picture.
    found.gain_map |= found.xmp.as_deref().is_some_and(gain_map::is_named)
        || (is_multi_picture && xmp::find(jpeg, 0, APPLE_GAIN_MAP).is_some());
    found.icc = profile.join();
    found.iptc = iptc::find(&resources);
    found
}

/// The encoded pixels with exactly this metadata. `None` if the file is malformed.
pub(crate) fn write(jpeg: &[u8], metadata: &Metadata) -> Option<Vec<u8>> {
    let mut parts = Parts::new(jpeg);
    let mut out = Vec::with_capacity(jpeg.len());
    out.extend([0xFF, SOI]);
    // Both must be first by their specifications. Readers expect JFIF before EXIF.
    if let Some(jfif) = Parts::new(jpeg).find_map(jfif) {
        push(&mut out, APP0, &[&jfif]);
    }
    push_metadata(&mut out, metadata);
    for part in &mut parts {
        match part {
            Part::Segment { marker: APP14, payload, .. } if payload.starts_with(ADOBE) => {
                push(&mut out, APP14, &[payload.get(..ADOBE_LENGTH)?]);
            }
            // Frames, tables and scans. The others are for applications, or reserved.
            Part::Segment { marker: 0xC0..=0xC7 | 0xC9..=0xCF | 0xDA..=0xDF, whole, .. }
            | Part::Coded(whole) => out.extend_from_slice(whole),
            Part::Segment { .. } => {}
        }
    }
    out.extend([0xFF, EOI]);
    parts.intact().then_some(out)
}

/// The segments of a JPEG: markers with their payload.
#[cfg(feature = "core")]
pub(crate) fn segments(jpeg: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    Parts::new(jpeg).filter_map(|part| match part {
        Part::Segment { marker, payload, .. } => Some((marker, payload)),
        Part::Coded(_) => None,
    })
}

/// The JFIF header without its optional thumbnail: version, density, and a thumbnail of 0 × 0.
fn jfif(part: Part) -> Option<[u8; 14]> {
    let Part::Segment { marker: APP0, payload, .. } = part else { return None };
    let mut header: [u8; 14] = *payload.first_chunk().filter(|header| header.starts_with(JFIF))?;
    header[12..].fill(0);
    Some(header)
}

fn push_metadata(out: &mut Vec<u8>, metadata: &Metadata) {
    if let Some(exif) = metadata.exif.as_deref().filter(|exif| exif.len() <= MAX_EXIF) {
        push(out, APP1, &[EXIF, exif]);
    }
    if let Some(xmp) = metadata.xmp.as_deref().filter(|xmp| xmp.len() <= MAX_XMP) {
        push(out, APP1, &[XMP, xmp]);
    }
    if let Some(iptc) = metadata.iptc.as_deref().filter(|iptc| iptc.len() <= MAX_IPTC) {
        push(out, APP13, &[PHOTOSHOP, &iptc::wrap(iptc)]);
    }
    if let Some(icc) = metadata.icc.as_deref().filter(|icc| icc.len() <= icc::MAX_LENGTH) {
        let chunks = icc.chunks(MAX_PAYLOAD - ICC.len() - 2);
        let count = chunks.len() as u8;
        for (number, chunk) in (1..=count).zip(chunks) {
            push(out, APP2, &[ICC, &[number, count], chunk]);
        }
    }
}

pub(crate) fn push(out: &mut Vec<u8>, marker: u8, payload: &[&[u8]]) {
    let length: usize = payload.iter().map(|part| part.len()).sum();
    out.extend([0xFF, marker]);
    out.extend((length as u16 + 2).to_be_bytes());
    payload.iter().for_each(|part| out.extend_from_slice(part));
}

/// A profile in several segments, which may be in any order.
#[derive(Default)]
struct Profile<'a> {
    /// Number, count, bytes.
    chunks: Vec<(u8, u8, &'a [u8])>,
}

impl<'a> Profile<'a> {
    fn add(&mut self, payload: &'a [u8]) {
        if let Some([number, count, chunk @ ..]) = payload.strip_prefix(ICC)
            && self.chunks.len() <= 255
        {
            self.chunks.push((*number, *count, chunk));
        }
    }

    /// The whole profile, if every chunk exists once.
    fn join(self) -> Option<Vec<u8>> {
        let count = self.chunks.len();
        let mut profile = Vec::new();
        for number in 1..=count {
            let is_it = |chunk: &&(u8, u8, &[u8])| (chunk.0.into(), chunk.1.into()) == (number, count);
            profile.extend_from_slice(self.chunks.iter().find(is_it)?.2);
        }
        (count > 0).then_some(profile)
    }
}
