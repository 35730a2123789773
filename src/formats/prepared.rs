//! A picture that is coded again and again, by one encoding at several qualities: what does not depend on the quality is done by
//! the first call.

use image::DynamicImage;

use crate::error::Result;
use crate::formats::{Encoding, codec_of, encode};
use crate::warning::Warning;

/// What an encoder has made of a picture.
pub(crate) trait PreparedImage {
    /// Whether it can be encoded at this quality.
    fn suits(&self, quality: u8) -> bool;
    /// The file at a quality and an effort.
    fn encode(&self, quality: u8, effort: u8) -> Result<Vec<u8>>;
}

/// What an encoder has made of the picture. Whoever holds it sees to it that picture and type are the same at every call.
#[derive(Default)]
pub(crate) struct Prepared(Option<Box<dyn PreparedImage>>);

impl Prepared {
    /// As [`encode`](encode::encode), which it leaves other encodings to.
    pub(crate) fn encode(
        &mut self,
        image: &DynamicImage,
        encoding: Encoding,
        has_profile: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<u8>> {
        if let (Some(prepare), Some(quality)) = (codec_of(encoding.media()).prepare, encoding.quality()) {
            if !self.0.as_ref().is_some_and(|made| made.suits(quality)) {
                // What does not suit goes before its successor comes.
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
