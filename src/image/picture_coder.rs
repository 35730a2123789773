//! Encodes one picture in the qualities and sizes that a search asks for.

use image::DynamicImage;

use crate::error::Result;
use crate::formats::Encoding;
use crate::formats::prepared::Prepared;
use crate::image::Encoded;
use crate::image::progress::Reporter;
use crate::image::request::Request;
use crate::image::resize;
use crate::image::search::bytes::Coder;
use crate::warning::Warning;

/// A picture that has gone through all stages.
pub(super) struct PictureCoder<'a, 'p> {
    request: &'a Request<'a>,
    picture: &'a DynamicImage,
    /// Those of the stages.
    warnings: Vec<Warning>,
    has_profile: bool,
    progress: &'a mut Reporter<'p>,
    /// The size that was asked for last.
    size: (u32, u32),
    /// The picture in that size (`None` for its own), and its prepared form.
    scaled: Option<DynamicImage>,
    prepared: Prepared<'a>,
    /// The bytes of the last file that are not of the encoded picture; before the first, those of its metadata.
    added: u64,
}

impl<'a, 'p> PictureCoder<'a, 'p> {
    pub(super) fn new(
        request: &'a Request<'a>,
        picture: &'a DynamicImage,
        warnings: Vec<Warning>,
        progress: &'a mut Reporter<'p>,
    ) -> Self {
        let prepared = match request.source.keeps_pixels(request.output()) {
            true => Prepared::of_file(request.source.bytes),
            false => Prepared::default(),
        };
        let kept = request.kept();
        let blocks = [&kept.icc, &kept.exif, &kept.xmp, &kept.iptc];
        Self {
            request,
            picture,
            warnings,
            has_profile: kept.icc.is_some(),
            progress,
            size: request.source.size(),
            scaled: None,
            prepared,
            added: blocks.into_iter().flatten().map(|block| block.len() as u64).sum(),
        }
    }

    /// Scales the picture.
    fn scale(&mut self, size: (u32, u32)) -> Result<()> {
        if size != self.size {
            (self.scaled, self.prepared, self.size) = (None, Prepared::default(), size);
            if size != self.request.source.size() {
                self.scaled = Some(resize::apply(self.picture, size)?);
            }
        }
        Ok(())
    }
}

impl Coder for PictureCoder<'_, '_> {
    fn code(&mut self, encoding: Encoding, size: (u32, u32)) -> Result<Encoded> {
        self.progress.encode();
        self.scale(size)?;
        let pixels = self.scaled.as_ref().unwrap_or(self.picture);
        let mut warnings = self.warnings.clone();
        let encoded = self.prepared.encode(pixels, encoding, self.has_profile, &mut warnings)?;
        let bytes = encoded.len();
        let made = self.request.finish(encoded, encoding, size, warnings);
        self.added = made.bytes.len().saturating_sub(bytes) as u64;
        Ok(made)
    }

    fn estimate(&mut self, encoding: Encoding, size: (u32, u32)) -> Option<u64> {
        // What fails here fails again when the picture is encoded.
        self.scale(size).ok()?;
        let pixels = self.scaled.as_ref().unwrap_or(self.picture);
        let bytes = self.prepared.estimate(pixels, encoding).ok().flatten()?;
        Some(bytes + self.added)
    }
}
