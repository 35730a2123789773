//! Parses what a PDF needs to know of an embedded JPEG: ITU-T T.81 annex B, the Adobe marker (TN 5116), ICC.1 annex B.4.
//!
//! A file that cannot be parsed is treated as other images are: it is decoded and encoded again.

use filepress::image;
use filepress_wire::MediaType;

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
const APP2: u8 = 0xE2;
const APP14: u8 = 0xEE;
const ICC: &[u8] = b"ICC_PROFILE\0";

impl Jpeg {
    /// `None` if the file is damaged before its first scan, or is not supported in PDF: arithmetic or lossless coding, more than
    /// 8 bits, two components.
    pub(super) fn parse(jpeg: &[u8]) -> Option<Self> {
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
            rest = rest.get(whole.len()..)?;
        }
        let (&[8, h1, h0, w1, w0, components @ (1 | 3 | 4)], parts) = frame?.split_first_chunk()? else {
            return None;
        };
        let named_rgb = parts.chunks(3).filter_map(|part| part.first()).eq(b"RGB");
        let (width, height) = (u16::from_be_bytes([w1, w0]), u16::from_be_bytes([h1, h0]));
        let whole = width > 0 && height > 0;
        let icc = join(profile);
        // Without its end marker, a file has all of its pixels.
        let ended = || image::without_metadata(&[jpeg, &[0xFF, EOI]].concat(), MediaType::Jpeg);
        let bare = image::without_metadata(jpeg, MediaType::Jpeg).or_else(ended)?;
        whole.then_some(Self { width, height, components, adobe, transform, named_rgb, icc, bare })
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
