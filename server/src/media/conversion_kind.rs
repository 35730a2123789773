//! Which way leads from one type to another: the pairs of the interface.

use filepress::job::{self, Job};
use filepress::options::Options;
use filepress_wire::{MediaClass, MediaType};

/// A kind of conversion; each is a file of [`super::convert`] and has settings of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConversionKind {
    /// Image → image.
    Image,
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
    /// Video or sound → sound.
    Audio,
    /// PDF → PDF.
    Pdf,
    /// A page of a PDF → image.
    PdfToImage,
}

/// The way from `input` to `output`; none where the interface has none, or the engine cannot read or write such an image.
pub(super) fn of_pair(input: MediaType, output: MediaType) -> Option<ConversionKind> {
    use MediaClass::{Audio, Document, Image, Video};
    Some(match (input.class(), output.class()) {
        (Image, Image) if engine_converts(input, output) => ConversionKind::Image,
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

/// Types that move and can become a video, and come from one.
fn is_animation(media: MediaType) -> bool {
    matches!(media, MediaType::Gif | MediaType::Webp)
}

/// The engine itself knows best.
fn engine_converts(input: MediaType, output: MediaType) -> bool {
    let options = Options { to: Some(output.as_str().to_owned()), ..Options::default() };
    matches!(job::plan(input, &options), Ok(Job::Local(_)))
}
