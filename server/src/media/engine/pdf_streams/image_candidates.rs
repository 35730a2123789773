//! Candidate encodings of an image, of which the smallest is used, and their changes to the image dictionary.

use serde_json::{Map, Value, json};

use super::super::jpeg::Jpeg;
use super::sample_layout::SampleLayout;
use super::{bilevel, flate};

/// An encoding of an image.
pub(super) struct Candidate {
    pub(super) data: Vec<u8>,
    size: (u32, u32),
    filter: &'static str,
    parameters: Value,
}

/// All lossless encodings.
pub(super) fn lossless(samples: Vec<u8>, layout: &SampleLayout) -> Vec<Candidate> {
    let size = (layout.width, layout.height);
    let letters = bilevel::encode(&samples, layout);
    let letters = letters.map(|data| Candidate::fax(data, size, bilevel::parameters(layout)));
    let plain = Candidate::flate(flate::deflate(&samples), size, Value::Null);
    let rows = flate::rows(samples, layout);
    let rows = rows.map(|data| Candidate::flate(data, size, flate::parameters(layout)));
    [letters, Some(plain), rows].into_iter().flatten().collect()
}

/// Whether a JPEG has the expected size and number of components.
pub(super) fn fits(jpeg: &[u8], size: (u32, u32), components: u8) -> bool {
    Jpeg::parse(jpeg).is_some_and(|jpeg| {
        (u32::from(jpeg.width), u32::from(jpeg.height)) == size && jpeg.components == components
    })
}

impl Candidate {
    pub(super) fn jpeg(data: Vec<u8>, size: (u32, u32)) -> Self {
        Self { data, size, filter: "/DCTDecode", parameters: Value::Null }
    }

    fn flate(data: Vec<u8>, size: (u32, u32), parameters: Value) -> Self {
        Self { data, size, filter: "/FlateDecode", parameters }
    }

    fn fax(data: Vec<u8>, size: (u32, u32), parameters: Value) -> Self {
        Self { data, size, filter: "/CCITTFaxDecode", parameters }
    }

    /// The updated image dictionary, and the data.
    pub(super) fn apply_to(self, dictionary: &Map<String, Value>) -> (Value, Vec<u8>) {
        let mut dictionary = dictionary.clone();
        dictionary.insert("/Width".to_owned(), json!(self.size.0));
        dictionary.insert("/Height".to_owned(), json!(self.size.1));
        dictionary.insert("/Filter".to_owned(), json!(self.filter));
        dictionary.remove("/DecodeParms");
        if !self.parameters.is_null() {
            dictionary.insert("/DecodeParms".to_owned(), self.parameters);
        }
        (Value::Object(dictionary), self.data)
    }
}
