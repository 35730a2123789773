//! Runs plans; each kind of conversion has its own file. The steps are the same: probe the input, check the limits, run the tools,
//! check the result.

mod animation;
mod audio;
mod child_failure;
mod context;
mod heic;
mod image;
mod image_to_pdf;
mod input_probe;
mod loss_warnings;
mod open_pdf;
mod outcome;
mod output_limits;
mod page_raster;
mod pages_zip;
mod pdf;
mod pdf_to_images;
mod processing_metadata;
mod signature_scan;
mod size_search;
mod tracks;
mod truncation;
mod video;
mod video_encode;
mod video_frame;

use super::conversion_kind::ConversionKind;
use super::{ConversionResult, Failure};
pub(super) use context::Context;

/// Runs a plan.
pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    match context.plan.kind {
        ConversionKind::Image => image::run(context).await,
        ConversionKind::HeicToImage => heic::run(context).await,
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
