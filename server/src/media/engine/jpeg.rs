//! Parses what a PDF needs to know of an embedded JPEG: ITU-T T.81 annex B, the Adobe marker (TN 5116), ICC.1 annex B.4.
//!
//! A file that cannot be parsed is treated as other images are: it is decoded and encoded again.

use filepress_jpeg::{DecodeOptions, Decoder};

/// A JPEG that PDF readers can decode.
pub(super) struct Jpeg {
    /// As stored, without EXIF orientation.
    pub(super) width: u16,
    pub(super) height: u16,
    /// 1, 3 or 4.
    pub(super) components: u8,
    /// It has an Adobe marker; CMYK samples are then inverted.
    pub(super) adobe: bool,
    /// The color transform of the Adobe marker.
    transform: Option<u8>,
    /// The component ids are R, G and B, which only some readers interpret as RGB.
    named_rgb: bool,
    pub(super) icc: Option<Vec<u8>>,
    /// The file without metadata: EXIF, comments, previews.
    pub(super) bare: Vec<u8>,
}

const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;
const COM: u8 = 0xFE;
const APP0: u8 = 0xE0;
const APP2: u8 = 0xE2;
const APP14: u8 = 0xEE;
const ICC: &[u8] = b"ICC_PROFILE\0";

/// Appends the scans and what they need, up to the first EOI: no metadata between them, and nothing that follows.
fn push_scans(bare: &mut Vec<u8>, mut rest: &[u8]) {
    while let Some(&marker) = rest.get(1) {
        let segment = match rest[0] {
            0xFF if marker == EOI => break,
            // A fill byte.
            0xFF if marker == 0xFF => {
                rest = &rest[1..];
                continue;
            }
            0xFF if !matches!(marker, 0 | 0x01 | 0xD0..=0xD8) => {
                let length =
                    rest.get(2..4).map_or(0, |length| usize::from(length[0]) << 8 | usize::from(length[1]));
                rest.get(..2 + length).unwrap_or(rest)
            }
            _ => {
                let coded = rest
                    .windows(2)
                    .skip(1)
                    .position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0 | 0x01 | 0xD0..=0xD8));
                &rest[..coded.map_or(rest.len(), |at| at + 1)]
            }
        };
        let is_metadata = rest[0] == 0xFF && ((APP0..=0xEF).contains(&marker) || marker == COM);
        if !is_metadata {
            bare.extend_from_slice(segment);
        }
        rest = &rest[segment.len()..];
    }
    bare.extend([0xFF, EOI]);
}

impl Jpeg {
    /// `None` if the file is damaged before its first scan, or is not supported in PDF: arithmetic or lossless coding, more than
    /// 8 bits, two components.
    pub(super) fn parse(jpeg: &[u8]) -> Option<Self> {
        let mut bare = vec![0xFF, SOI];
        let mut frame = None;
        let mut adobe = false;
        let mut transform = None;
        let mut profile = Vec::new();
        let mut rest = jpeg.strip_prefix(&[0xFF, SOI])?;
        loop {
            let [0xFF, marker, after @ ..] = rest else { return None };
            // A marker may be preceded by fill bytes.
            if *marker == 0xFF {
                rest = &rest[1..];
                continue;
            }
            let length = usize::from(u16::from_be_bytes(*after.first_chunk()?));
            let payload = after.get(2..length)?;
            match *marker {
                SOS => break,
                EOI => return None,
                APP2 if payload.starts_with(ICC) => profile.push(payload.get(ICC.len()..)?),
                APP14 if payload.starts_with(b"Adobe") => {
                    adobe = true;
                    transform = payload.get(11).copied();
                }
                0xC0..=0xC2 => frame = Some(payload),
                0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => return None,
                _ => {}
            }
            let whole = rest.get(..2 + length)?;
            let is_application = (APP0..=0xEF).contains(marker) || *marker == COM;
            if !is_application || matches!(*marker, APP0 | APP14) {
                bare.extend_from_slice(whole);
            }
            rest = rest.get(whole.len()..)?;
        }
        push_scans(&mut bare, rest);
        let (&[8, h1, h0, w1, w0, components @ (1 | 3 | 4)], parts) = frame?.split_first_chunk()? else {
            return None;
        };
        let named_rgb = parts.chunks(3).filter_map(|part| part.first()).eq(b"RGB");
        let (width, height) = (u16::from_be_bytes([w1, w0]), u16::from_be_bytes([h1, h0]));
        let whole = width > 0 && height > 0;
        let icc = join(profile);
        whole.then_some(Self { width, height, components, adobe, transform, named_rgb, icc, bare })
    }

    /// Whether all of the picture can be decoded.
    pub(super) fn is_whole(jpeg: &[u8]) -> bool {
        let Ok(mut decoder) = Decoder::new(jpeg, DecodeOptions::default()) else { return false };
        // Nothing of the entropy-coded data is passed over at an eighth of the size.
        if decoder.set_scale(1).is_err() {
            return false;
        }
        let mut rows = vec![0; decoder.size().0 as usize * decoder.samples_per_pixel()];
        loop {
            match decoder.read_rows(&mut rows) {
                Ok(0) => return decoder.damage().is_none_or(|damage| damage.share == 0.0),
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }

    /// Whether another JPEG has the same size, components and color coding.
    pub(super) fn has_shape_of(&self, other: &Self) -> bool {
        let shape = |jpeg: &Self| {
            (jpeg.width, jpeg.height, jpeg.components, jpeg.adobe, jpeg.transform, jpeg.named_rgb)
        };
        shape(self) == shape(other)
    }

    /// Whether readers interpret its colors differently.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.named_rgb && !self.adobe
    }
}

/// Joins the numbered parts of an ICC profile; `None` if one is missing.
fn join(mut parts: Vec<&[u8]>) -> Option<Vec<u8>> {
    parts.sort_unstable_by_key(|part| part.first().copied());
    let count = u8::try_from(parts.len()).ok()?;
    let complete = (1..=count)
        .zip(&parts)
        .all(|(expected, part)| part.first() == Some(&expected) && part.get(1) == Some(&count));
    let joined: Vec<u8> = parts.iter().flat_map(|part| part.iter().skip(2)).copied().collect();
    (complete && !joined.is_empty()).then_some(joined)
}
