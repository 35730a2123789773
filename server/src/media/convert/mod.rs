//! Carries plans out, a file a kind of conversion. Each is a list of steps: look at the input, refuse what is over a bound, run
//! the tools, look at the result.

mod animation;
mod audio;
mod child_failure;
mod context;
mod document;
mod image;
mod image_to_pdf;
mod input_probe;
mod loss_warnings;
mod outcome;
mod page_raster;
mod pages_zip;
mod pdf;
mod pdf_to_images;
mod processing_metadata;
mod size_search;
mod tracks;
mod video;
mod video_encode;
mod video_frame;

use super::conversion_kind::ConversionKind;
use super::{ConversionResult, Failure};
pub(super) use context::Context;

/// Carries a plan out.
pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    match context.plan.kind {
        ConversionKind::Image => image::run(context).await,
        ConversionKind::ImageToPdf => image_to_pdf::run(context).await,
        ConversionKind::Video => video::run(context).await,
        ConversionKind::AnimationToVideo => video::of_animation(context).await,
        ConversionKind::Animation => animation::run(context).await,
        ConversionKind::Frame => video_frame::run(context).await,
        ConversionKind::Audio => audio::run(context).await,
        ConversionKind::Pdf => pdf::run(context).await,
        ConversionKind::PdfToImage => pdf_to_images::run(context).await,
    }
}
