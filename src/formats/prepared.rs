//! A picture that is encoded several times in one format, at different qualities. The first encoding does the work that
//! does not depend on the quality.

use image::DynamicImage;

use crate::error::Result;
use crate::formats::{Encoding, codec_of, encode};
use crate::warning::Warning;

/// The result of that work.
pub(crate) trait PreparedImage {
    /// Whether it can be used for this lossy encoding.
    fn suits(&self, encoding: Encoding) -> bool;
    /// Encodes it.
    fn encode(&self, encoding: Encoding) -> Result<Vec<u8>>;
    /// About how many bytes it takes. Those of similar qualities are off by the same factor. `None` if that cannot be told.
    fn estimate(&mut self, _: Encoding) -> Result<Option<u64>> {
        Ok(None)
    }
}

/// The result of that work, if there is one. The caller must use the same picture and format for every call.
#[derive(Default)]
pub(crate) struct Prepared<'a> {
    /// A file of the format, if the picture is all of what it shows.
    file: Option<&'a [u8]>,
    made: Option<Box<dyn PreparedImage>>,
}

impl<'a> Prepared<'a> {
    /// For the picture of a file of the format that it will be encoded in.
    pub(crate) fn of_file(file: &'a [u8]) -> Self {
        Self { file: Some(file), made: None }
    }

    /// The same as [`encode`](encode::encode), which is used for other encodings; or, of a file, what its coefficients give.
    pub(crate) fn encode(
        &mut self,
        image: &DynamicImage,
        encoding: Encoding,
        has_profile: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<u8>> {
        let suits = self.made.as_ref().is_some_and(|made| made.suits(encoding));
        if !suits || encoding.quality().is_none() {
            self.prepare(image, encoding)?;
        }
        match &self.made {
            Some(made) => made.encode(encoding),
            None => encode::encode(image.clone(), encoding, has_profile, warnings),
        }
    }

    /// About how many bytes [`encode`](Self::encode) makes. `None` if that cannot be told.
    pub(crate) fn estimate(&mut self, image: &DynamicImage, encoding: Encoding) -> Result<Option<u64>> {
        if self.made.is_none() {
            self.prepare(image, encoding)?;
        }
        self.made.as_mut().map_or(Ok(None), |made| made.estimate(encoding))
    }

    /// Does the work that does not depend on the quality, if this encoding has one.
    fn prepare(&mut self, image: &DynamicImage, encoding: Encoding) -> Result<()> {
        // An unusable result is dropped before its successor is made.
        self.made = None;
        let codec = codec_of(encoding.media());
        let (Some(prepare), Some(_)) = (codec.prepare, encoding.quality()) else { return Ok(()) };
        if let (Some(file), Some(prepare)) = (self.file, codec.prepare_file) {
            self.made = prepare(file, encoding)?;
        }
        if self.made.is_none() {
            self.made = prepare(image, encoding)?;
        }
        Ok(())
    }
}
