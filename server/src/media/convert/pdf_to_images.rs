//! Pages of a PDF → images: pdftoppm paints them, the engine codes them. One page is an image, several are a ZIP of images.

use filepress_wire::{MediaType, TaskErrorCode};

use super::context::{Context, SOURCE};
use super::document::{self, CLEAN};
use super::pages_zip;
use super::processing_metadata::Facts;
use crate::media::engine::{Conversion, Made, Request, Warning};
use crate::media::pdf_commands::{self, Document};
use crate::media::{Done, Failure};

/// Pixels to an inch where none are asked for.
const DEFAULT_DPI: u32 = 150;
/// Points to an inch.
const POINTS: f64 = 72.0;
/// What pdftoppm writes, without its extension.
const PAGE: &str = "page";
const PAGE_FILE: &str = "page.png";

/// A page as an image.
pub(super) struct Painted {
    /// The name of its file.
    pub(super) file: String,
    pub(super) made: Made,
}

pub(super) async fn run(context: &Context<'_>) -> Result<Done, Failure> {
    let settings = &context.plan.settings;
    let (file, document) = open(context).await?;
    document::check_pages(context, u64::from(document.pages))?;
    let pages = match &settings.pages {
        Some(pages) => document::asked(context, pages, document.pages)?.numbers(document.pages),
        None => vec![settings.page.unwrap_or(1)],
    };
    if let Some(page) = pages.iter().find(|page| **page > document.pages) {
        return Err(document::no_such_page(*page, document.pages));
    }
    let [page] = pages[..] else {
        return pages_zip::run(context, file, &pages, document.pages).await;
    };
    let Painted { file, made } = paint(context, file, page).await?;
    let mut warnings = made.warnings.clone();
    if document.pages > 1 && settings.page.is_none() && settings.pages.is_none() {
        let message = format!("The document has {} pages; the output shows the first.", document.pages);
        warnings.push(Warning::new("pages_dropped", message));
    }
    let facts = (Facts::of_document(document.pages), Facts::of_output(&made));
    context.finish(&file, engine_name(context), facts, warnings).await
}

/// The file to paint from, and what pdfinfo tells of it: the input, or where it cannot be read what qpdf makes of it.
async fn open(context: &Context<'_>) -> Result<(&'static str, Document), Failure> {
    if context.plan.settings.password.is_none() {
        match document::info(context, 1, SOURCE).await {
            Ok(document) => return Ok((SOURCE, document)),
            Err(Failure::File { code: TaskErrorCode::CorruptFile, .. }) => {}
            Err(failure) => return Err(failure),
        }
    }
    document::whole(context).await?;
    Ok((CLEAN, document::info(context, 1, CLEAN).await?))
}

/// Paints a page and codes it.
pub(super) async fn paint(context: &Context<'_>, file: &str, page: u32) -> Result<Painted, Failure> {
    let plan = context.plan;
    let dpi = plan.settings.dpi.unwrap_or(DEFAULT_DPI);
    let (width, height) = document::info(context, page, file).await?.size.unwrap_or((0.0, 0.0));
    let scale = f64::from(dpi) / POINTS;
    let pixels = (width * scale).ceil() * (height * scale).ceil();
    if pixels > context.work.caps.pixels as f64 {
        return Err(Failure::file(
            TaskErrorCode::TooManyPixels,
            format!("Page {page} is {width} × {height} points, which at {dpi} dpi is too many pixels."),
        ));
    }
    let program = context.found.tools.pdftoppm.as_ref();
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
    Ok(Painted { file, made })
}

/// Who painted and coded.
pub(super) fn engine_name(context: &Context<'_>) -> String {
    let program = context.found.tools.pdftoppm.as_ref();
    format!("{}, {}", context.engine_name(Some(("pdftoppm", program))), context.engine_name(None))
}
