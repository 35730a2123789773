//! The kinds of conversion, and which kind converts a pair of types.

use filepress::job::{self, Job};
use filepress::options::Options;
use filepress_wire::{MediaClass, MediaType};

/// A kind of conversion. Each has a file in [`super::convert`] and its own settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConversionKind {
    /// Image → image.
    Image,
    /// HEIC → image.
    HeicToImage,
    /// Image → PDF.
    ImageToPdf,
    /// Video → video.
    Video,
    /// Video → animated GIF or WebP.
    Animation,
    /// Video → one of its frames.
    Frame,
    /// Animated GIF or WebP → video.
    AnimationToVideo,
    /// Video or audio → audio.
    Audio,
    /// PDF → PDF.
    Pdf,
    /// Pages of a PDF → images.
    PdfToImage,
}

/// The kind that converts `input` to `output`; `None` if the API has no such pair, or the engine cannot convert such images.
pub(super) fn of_pair(input: MediaType, output: MediaType) -> Option<ConversionKind> {
    use MediaClass::{Audio, Document, Image, Video};
    Some(match (input.class(), output.class()) {
        (Image, Image) if engine_converts(input, output) => ConversionKind::Image,
        (Image, Image) if input == MediaType::Heic && engine_converts(MediaType::Png, output) => {
            ConversionKind::HeicToImage
        }
        (Image, Document) if engine_converts(input, MediaType::Png) => ConversionKind::ImageToPdf,
        (Image, Video) if is_animation(input) => ConversionKind::AnimationToVideo,
        (Video, Video) => ConversionKind::Video,
        (Video, Image) if is_animation(output) => ConversionKind::Animation,
        (Video, Image) if engine_converts(MediaType::Png, output) => ConversionKind::Frame,
        (Video | Audio, Audio) => ConversionKind::Audio,
        (Document, Document) => ConversionKind::Pdf,
        (Document, Image) if engine_converts(MediaType::Png, output) => ConversionKind::PdfToImage,
        _ => return None,
    })
}

/// Whether the type can hold an animation that is converted from or to video.
fn is_animation(media: MediaType) -> bool {
    matches!(media, MediaType::Gif | MediaType::Webp)
}

/// Asks the engine whether it converts this pair.
fn engine_converts(input: MediaType, output: MediaType) -> bool {
    let options = Options { to: Some(output.as_str().to_owned()), ..Options::default() };
    matches!(job::plan(input, &options), Ok(Job::Local(_)))
}
