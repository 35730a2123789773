//! A picture that is encoded several times in one format, at different qualities. The first encoding does the work that
//! does not depend on the quality.

use image::DynamicImage;

use crate::error::Result;
use crate::formats::{Encoding, codec_of, encode};
use crate::warning::Warning;

/// The result of that work.
pub(crate) trait PreparedImage {
    /// Whether it can be used for this quality.
    fn suits(&self, quality: u8) -> bool;
    /// Encodes at a quality and an effort.
    fn encode(&self, quality: u8, effort: u8) -> Result<Vec<u8>>;
}

/// The result of that work, if there is one. The caller must use the same picture and format for every call.
#[derive(Default)]
pub(crate) struct Prepared(Option<Box<dyn PreparedImage>>);

impl Prepared {
    /// The same as [`encode`](encode::encode), which is used for other encodings.
    pub(crate) fn encode(
        &mut self,
        image: &DynamicImage,
        encoding: Encoding,
        has_profile: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<u8>> {
        if let (Some(prepare), Some(quality)) = (codec_of(encoding.media()).prepare, encoding.quality()) {
            if !self.0.as_ref().is_some_and(|made| made.suits(quality)) {
                // An unusable result is dropped before its successor is made.
                self.0 = None;
                self.0 = prepare(image, quality, encoding.effort())?;
            }
            if let Some(made) = &self.0 {
                return made.encode(quality, encoding.effort());
            }
        }
        encode::encode(image.clone(), encoding, has_profile, warnings)
    }
}
