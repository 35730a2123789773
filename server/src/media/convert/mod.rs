//! Carries plans out, a file a kind of conversion. Each is a list of steps: look at the input, refuse what is over a bound, run
//! the tools, look at the result.

mod animation;
mod audio;
mod context;
mod document;
mod facts;
mod frame;
mod image;
mod into_pdf;
mod losses;
mod outcome;
mod page;
mod page_archive;
mod pdf;
mod plot;
mod source;
mod target;
mod tracks;
mod video;

use super::route::Route;
use super::{Done, Failure};
pub(super) use context::Context;

/// Carries a plan out.
pub(super) async fn run(context: &Context<'_>) -> Result<Done, Failure> {
    match context.plan.route {
        Route::Image => image::run(context).await,
        Route::ImageToPdf => into_pdf::run(context).await,
        Route::Video => video::run(context).await,
        Route::AnimationToVideo => video::of_animation(context).await,
        Route::Animation => animation::run(context).await,
        Route::Frame => frame::run(context).await,
        Route::Audio => audio::run(context).await,
        Route::Pdf => pdf::run(context).await,
        Route::PdfToImage => page::run(context).await,
    }
}
