//! A picture that is coded again and again, by one encoding at several qualities: what does not depend on the quality is done by
//! the first call.

use image::DynamicImage;

use crate::error::Result;
#[cfg(feature = "full")]
use crate::formats::avif::encode as avif;
use crate::formats::jpeg::encode as jpeg;
use crate::formats::webp::encode as webp;
use crate::image::Warning;
use crate::job::Encoding;

/// What an encoder has made of the picture. Whoever holds it sees to it that the picture is the same at every call.
#[derive(Default)]
pub(crate) enum Prepared {
    #[default]
    Nothing,
    Jpeg(jpeg::Prepared),
    Webp(webp::Prepared),
    #[cfg(feature = "full")]
    Avif(Box<avif::Prepared>),
}

impl Prepared {
    /// As [`encode`](crate::formats::encode::encode), which it leaves the other encodings to.
    pub(crate) fn encode(
        &mut self,
        image: &DynamicImage,
        encoding: Encoding,
        has_profile: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<u8>> {
        // What does not suit goes before its successor comes.
        match encoding {
            Encoding::Jpeg { quality, effort } if jpeg::is_prepared(image, effort) => {
                if !matches!(self, Self::Jpeg(made) if made.suits(quality)) {
                    *self = Self::Nothing;
                    *self = Self::Jpeg(jpeg::Prepared::new(image, quality, effort)?);
                }
            }
            Encoding::WebpLossy { .. } => {
                if !matches!(self, Self::Webp(_)) {
                    *self = Self::Nothing;
                    *self = Self::Webp(webp::Prepared::new(image)?);
                }
            }
            #[cfg(feature = "full")]
            Encoding::Avif { quality, .. } => {
                if !matches!(self, Self::Avif(made) if made.suits(quality)) {
                    *self = Self::Nothing;
                    *self = Self::Avif(Box::new(avif::Prepared::new(image.clone(), quality)));
                }
            }
            _ => *self = Self::Nothing,
        }
        match (&*self, encoding) {
            (Self::Jpeg(made), Encoding::Jpeg { quality, effort }) => made.encode(quality, effort),
            (Self::Webp(made), Encoding::WebpLossy { quality, effort }) => made.encode(quality, effort),
            #[cfg(feature = "full")]
            (Self::Avif(made), Encoding::Avif { quality, effort }) => {
                avif::Prepared::clone(made).encode(quality, effort)
            }
            _ => crate::formats::encode::encode(image.clone(), encoding, has_profile, warnings),
        }
    }
}
