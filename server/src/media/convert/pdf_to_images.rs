//! Pages of a PDF → images: pdftoppm rasterizes them, the engine encodes them. Several pages give a ZIP archive of images.

use filepress_wire::TaskErrorCode;

use super::context::{Context, INPUT_FILE};
use super::open_pdf::{self, CLEAN};
use super::page_raster::{RasterizedPage, engine_name, rasterize};
use super::pages_zip;
use super::processing_metadata::FileProperties;
use crate::media::engine::Warning;
use crate::media::pdf_commands::Document;
use crate::media::{ConversionResult, Failure};

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let settings = &context.plan.settings;
    let (file, document) = open(context).await?;
    open_pdf::check_pages(context, u64::from(document.pages))?;
    let pages = match &settings.pages {
        Some(pages) => open_pdf::check_requested(context, pages, document.pages)?.numbers(document.pages),
        None => vec![settings.page.unwrap_or(1)],
    };
    if let Some(page) = pages.iter().find(|page| **page > document.pages) {
        return Err(open_pdf::no_such_page(*page, document.pages));
    }
    let [page] = pages[..] else {
        return pages_zip::run(context, file, &pages, document.pages).await;
    };
    let RasterizedPage { file, made } = rasterize(context, file, page).await?;
    let mut warnings = made.warnings.clone();
    if document.pages > 1 && settings.page.is_none() && settings.pages.is_none() {
        let message =
            format!("The document has {} pages; the output contains only the first.", document.pages);
        warnings.push(Warning::new("pages_dropped", message));
    }
    let info = (FileProperties::of_document(document.pages), FileProperties::of_output(&made));
    context.finish(&file, engine_name(context), info, warnings).await
}

/// The file to rasterize and its pdfinfo: the input, or qpdf's copy of it if the input is encrypted or cannot be read.
async fn open(context: &Context<'_>) -> Result<(&'static str, Document), Failure> {
    if context.plan.settings.password.is_none() {
        match open_pdf::info(context, 1, INPUT_FILE).await {
            Ok(document) => return Ok((INPUT_FILE, document)),
            Err(Failure::File { code: TaskErrorCode::CorruptFile, .. }) => {}
            Err(failure) => return Err(failure),
        }
    }
    open_pdf::clean_all_pages(context).await?;
    Ok((CLEAN, open_pdf::info(context, 1, CLEAN).await?))
}
