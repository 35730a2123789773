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

use super::conversion_kind::Route;
use super::{Done, Failure};
pub(super) use context::Context;

/// Carries a plan out.
pub(super) async fn run(context: &Context<'_>) -> Result<Done, Failure> {
    match context.plan.route {
        Route::Image => image::run(context).await,
        Route::ImageToPdf => image_to_pdf::run(context).await,
        Route::Video => video::run(context).await,
        Route::AnimationToVideo => video::of_animation(context).await,
        Route::Animation => animation::run(context).await,
        Route::Frame => video_frame::run(context).await,
        Route::Audio => audio::run(context).await,
        Route::Pdf => pdf::run(context).await,
        Route::PdfToImage => pdf_to_images::run(context).await,
    }
}
