//! One page of a PDF as an image: pdftoppm rasterizes it, the engine encodes it.

use filepress_wire::{MediaType, TaskErrorCode};

use super::context::Context;
use super::open_pdf;
use crate::media::Failure;
use crate::media::engine::{Conversion, EngineOutput, Request};
use crate::media::pdf_commands;

/// The default resolution in pixels per inch.
const DEFAULT_DPI: u32 = 150;
/// Points per inch.
const POINTS: f64 = 72.0;
/// The name of pdftoppm's output, without extension.
const PAGE: &str = "page";
const PAGE_FILE: &str = "page.png";

/// A page as an image.
pub(super) struct RasterizedPage {
    /// The name of its file.
    pub(super) file: String,
    pub(super) made: EngineOutput,
}

/// Rasterizes a page and encodes it.
pub(super) async fn rasterize(
    context: &Context<'_>,
    file: &str,
    page: u32,
) -> Result<RasterizedPage, Failure> {
    let plan = context.plan;
    let dpi = plan.settings.dpi.unwrap_or(DEFAULT_DPI);
    let (width, height) = open_pdf::info(context, page, file).await?.size.unwrap_or((0.0, 0.0));
    let scale = f64::from(dpi) / POINTS;
    let pixels = (width * scale).ceil() * (height * scale).ceil();
    if pixels > context.job.limits.pixels as f64 {
        return Err(Failure::file(
            TaskErrorCode::TooManyPixels,
            format!(
                "Page {page} has {width} × {height} points, which exceeds the maximum number of pixels at {dpi} dpi."
            ),
        ));
    }
    let program = context.environment.tools.pdftoppm.as_ref();
    let finished = context.tool(program, pdf_commands::pdftoppm(page, dpi, file, PAGE), None).await?;
    if !finished.is_success() || context.size_of(PAGE_FILE).await.is_none() {
        return Err(pdf_commands::failure("pdftoppm", &finished));
    }
    let output = context.output_name();
    let made = context
        .engine(&Request::Convert(Conversion {
            source: context.image(PAGE_FILE, MediaType::Png),
            output: output.clone(),
            options: plan.settings.engine_options(plan.output),
            seconds: context.seconds_left(),
        }))
        .await?;
    let file = if made.unchanged { PAGE_FILE.to_owned() } else { output };
    Ok(RasterizedPage { file, made })
}

/// The tools that rasterized and encoded.
pub(super) fn engine_name(context: &Context<'_>) -> String {
    let program = context.environment.tools.pdftoppm.as_ref();
    format!("{}, {}", context.engine_name(Some(("pdftoppm", program))), context.engine_name(None))
}
