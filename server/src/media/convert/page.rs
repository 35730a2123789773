//! A page of a PDF → image: pdftoppm paints it, the engine codes it.

use filepress_wire::{MediaType, TaskErrorCode};

use super::context::{Context, SOURCE};
use super::document::{self, CLEAN};
use super::facts::Facts;
use crate::media::engine::{Conversion, Request, Warning};
use crate::media::pdf_tools::{self, Document};
use crate::media::{Done, Failure};

/// Pixels to an inch where none are asked for.
const DEFAULT_DPI: u32 = 150;
/// Points to an inch.
const POINTS: f64 = 72.0;
/// What pdftoppm writes, without its extension.
const PAGE: &str = "page";
const PAGE_FILE: &str = "page.png";

pub(super) async fn run(context: &Context<'_>) -> Result<Done, Failure> {
    let plan = context.plan;
    let settings = &plan.settings;
    let page = settings.page.unwrap_or(1);
    let dpi = settings.dpi.unwrap_or(DEFAULT_DPI);
    let (file, document) = read(context, page).await?;
    document::check_pages(context, u64::from(document.pages))?;
    if page > document.pages {
        return Err(document::no_such_page(page, document.pages));
    }
    let (width, height) = document.size.unwrap_or((0.0, 0.0));
    let scale = f64::from(dpi) / POINTS;
    let pixels = (width * scale).ceil() * (height * scale).ceil();
    if pixels > context.work.caps.pixels as f64 {
        return Err(Failure::file(
            TaskErrorCode::TooManyPixels,
            format!("The page is {width} × {height} points, which at {dpi} dpi is too many pixels."),
        ));
    }
    let program = context.found.tools.pdftoppm.as_ref();
    let finished = context.tool(program, pdf_tools::pdftoppm(page, dpi, file, PAGE), None).await?;
    if !finished.is_success() || context.size_of(PAGE_FILE).await.is_none() {
        return Err(pdf_tools::failure("pdftoppm", &finished));
    }
    context.progress(0.6);
    let output = context.output_name();
    let made = context
        .engine(&Request::Convert(Conversion {
            source: context.image(PAGE_FILE, MediaType::Png),
            output: output.clone(),
            options: settings.engine_options(plan.output),
        }))
        .await?;
    let file = if made.unchanged { PAGE_FILE } else { &output };
    let engine =
        format!("{}, {}", context.engine_name(Some(("pdftoppm", program))), context.engine_name(None));
    let mut warnings = made.warnings.clone();
    if document.pages > 1 && settings.page.is_none() {
        let message = format!("The document has {} pages; the output shows the first.", document.pages);
        warnings.push(Warning::new("pages_dropped", message));
    }
    let facts = (Facts::of_document(document.pages), Facts::of_output(&made));
    context.finish(file, engine, facts, warnings).await
}

/// The file to paint from, and what pdfinfo tells of it: the input, or where it cannot be read what qpdf makes of it.
async fn read(context: &Context<'_>, page: u32) -> Result<(&'static str, Document), Failure> {
    let (file, first) = match document::info(context, 1, SOURCE).await {
        Ok(first) => (SOURCE, first),
        Err(Failure::File { code: TaskErrorCode::CorruptFile, .. }) => {
            document::clean(context, SOURCE).await?;
            (CLEAN, document::info(context, 1, CLEAN).await?)
        }
        Err(failure) => return Err(failure),
    };
    match page {
        2.. if page <= first.pages => Ok((file, document::info(context, page, file).await?)),
        _ => Ok((file, first)),
    }
}
