//! PDF → PDF. qpdf comes first whatever is asked for: what it writes is a sound PDF and nothing else, of the asked pages. Then
//! Ghostscript writes it anew with smaller images, unless nothing may be lost; the smallest wins.

use filepress_wire::TaskErrorCode;
use serde_json::{Map, Value, json};

use super::context::{Context, SOURCE};
use super::facts::Facts;
use super::target;
use crate::media::pdf_tools::{self, Document, Squeeze};
use crate::media::sandbox::Finished;
use crate::media::{Done, Failure};

/// Images where nothing is asked for.
const DEFAULT: Squeeze = Squeeze { dpi: 150, quality: 80, recode: false };
/// What is tried for a number of bytes, from the best to the smallest.
const LADDER: [(u32, u8); 7] = [(200, 85), (150, 75), (120, 60), (96, 45), (72, 35), (50, 25), (36, 15)];

/// The asked pages of the input, by qpdf.
const CLEAN: &str = "clean.pdf";
/// What Ghostscript made of them.
const SMALLER: &str = "smaller.pdf";
/// The members of objects to be written anew.
const UPDATE: &str = "update.json";

pub(super) async fn run(context: &Context<'_>) -> Result<Done, Failure> {
    let settings = &context.plan.settings;
    let document = document(context, 1).await?;
    let pages = match &settings.pages {
        Some(pages) => {
            if let Some(page) = pages.beyond(document.pages) {
                return Err(no_such_page(page, document.pages));
            }
            pages.count(document.pages)
        }
        None => u64::from(document.pages),
    };
    check_pages(context, pages)?;
    let engine = |tools: &[&str]| engine_name(context, tools);
    let facts = Facts::of_document(document.pages);
    let within = |size: u64| settings.target_size.is_none_or(|target| size <= target);
    if context.is_small_enough() {
        return Ok(context.keep_original(engine(&["qpdf"]), facts, Vec::new()));
    }

    qpdf(context, pdf_tools::qpdf(settings.pages.as_ref(), None, SOURCE, CLEAN)).await?;
    let lossless = "lossless.pdf";
    let smallest = pack(context, CLEAN, lossless).await?;
    context.progress(0.1);
    let mut best = (lossless.to_owned(), smallest, &["qpdf"][..]);
    if settings.lossless != Some(true) && !(settings.target_size.is_some() && within(smallest)) {
        let both = &["ghostscript", "qpdf"][..];
        let output = context.output_name();
        for (step, squeeze) in squeezes(context).into_iter().enumerate() {
            let share = |step: usize| 0.95 - 0.85 * 0.5_f64.powi(step as i32);
            let from = if step == 0 { 0.1 } else { share(step) };
            ghostscript(context, squeeze, pages, (from, share(step + 1))).await?;
            let size = pack(context, SMALLER, &output).await?;
            if size < best.1 {
                best = (output.clone(), size, both);
            }
            if settings.target_size.is_some() && within(best.1) {
                break;
            }
        }
    }
    let (file, size, tools) = best;
    if let Some(target) = settings.target_size.filter(|target| size > *target) {
        return Err(target::unreachable(target, size));
    }
    if context.may_keep() && size >= context.input_size {
        return Ok(context.keep_original(engine(tools), facts, Vec::new()));
    }
    let made = Facts::of_document(u32::try_from(pages).unwrap_or(u32::MAX));
    context.finish(&file, engine(tools), (facts, made), Vec::new()).await
}

/// What pdfinfo tells of the input, with the size of a page if there is one of that number.
pub(super) async fn document(context: &Context<'_>, page: u32) -> Result<Document, Failure> {
    let first = info(context, 1).await?;
    check_pages(context, u64::from(first.pages))?;
    match page {
        2.. if page <= first.pages => info(context, page).await,
        _ => Ok(first),
    }
}

async fn info(context: &Context<'_>, page: u32) -> Result<Document, Failure> {
    let program = context.found.tools.pdfinfo.as_ref();
    let finished = context.tool(program, pdf_tools::pdfinfo(page, SOURCE), None).await?;
    let document = Document::read(&String::from_utf8_lossy(&finished.stdout));
    document
        .filter(|document| finished.is_success() && document.pages > 0)
        .ok_or_else(|| pdf_tools::failure("pdfinfo", &finished))
}

fn check_pages(context: &Context<'_>, pages: u64) -> Result<(), Failure> {
    let most = context.work.caps.pages;
    if pages > u64::from(most) {
        let detail = format!("There are {pages} pages; at most {most} are taken.");
        return Err(Failure::file(TaskErrorCode::TooManyPages, detail));
    }
    Ok(())
}

/// A page that was asked for is not there.
pub(super) fn no_such_page(page: u32, pages: u32) -> Failure {
    let detail = format!("Page {page} was asked for; the document has {pages}.");
    Failure::file(TaskErrorCode::PageOutOfRange, detail)
}

fn squeezes(context: &Context<'_>) -> Vec<Squeeze> {
    let settings = &context.plan.settings;
    let given = Squeeze {
        dpi: settings.dpi.unwrap_or(DEFAULT.dpi),
        quality: settings.quality.unwrap_or(DEFAULT.quality),
        recode: settings.quality.is_some(),
    };
    if settings.target_size.is_none() {
        return vec![given];
    }
    let most = (settings.dpi.unwrap_or(u32::MAX), settings.quality.unwrap_or(100));
    let bounded = LADDER.iter().map(|(dpi, quality)| Squeeze {
        dpi: (*dpi).min(most.0),
        quality: (*quality).min(most.1),
        recode: true,
    });
    bounded.collect()
}

async fn ghostscript(
    context: &Context<'_>,
    squeeze: Squeeze,
    pages: u64,
    (from, to): (f64, f64),
) -> Result<(), Failure> {
    let mut read = |line: &str| {
        if let Some(page) = pdf_tools::page_begun(line) {
            let share = f64::from(page.saturating_sub(1)) / pages.max(1) as f64;
            context.progress(from + (to - from) * share);
        }
    };
    let program = context.found.tools.ghostscript.as_ref();
    let arguments = pdf_tools::ghostscript(squeeze, CLEAN, SMALLER);
    let finished = context.tool(program, arguments, Some(&mut read)).await?;
    if !finished.is_success() || context.size_of(SMALLER).await.is_none() {
        return Err(pdf_tools::failure("ghostscript", &finished));
    }
    context.progress(to);
    Ok(())
}

async fn qpdf(context: &Context<'_>, arguments: Vec<String>) -> Result<Finished, Failure> {
    let finished = context.tool(context.found.tools.qpdf.as_ref(), arguments, None).await?;
    match pdf_tools::qpdf_is_done(&finished) {
        true => Ok(finished),
        false => Err(pdf_tools::failure("qpdf", &finished)),
    }
}

/// Packs a document tightly, without what says who made it with what where that is not wanted. Its bytes.
async fn pack(context: &Context<'_>, input: &str, output: &str) -> Result<u64, Failure> {
    let update = match context.plan.settings.strip_metadata {
        true => without_metadata(context, input).await?,
        false => None,
    };
    let name = update.as_ref().map(|_| UPDATE);
    if let Some(update) = update {
        let written = tokio::fs::write(context.path(UPDATE), update.to_string()).await;
        written.map_err(|error| Failure::Infrastructure(format!("writing an update: {error}")))?;
    }
    qpdf(context, pdf_tools::qpdf(None, name, input, output)).await?;
    context
        .size_of(output)
        .await
        .ok_or_else(|| Failure::file(TaskErrorCode::ConversionFailed, "Nothing came out of the conversion."))
}

/// The trailer without the document information and the catalog without XMP, as an update for qpdf (its manual, "qpdf JSON").
/// None where there is nothing to take out, or where the document is too odd for it.
async fn without_metadata(context: &Context<'_>, file: &str) -> Result<Option<Value>, Failure> {
    let Some((header, mut trailer)) = object(context, "trailer", "trailer", file).await? else {
        return Ok(None);
    };
    let root = trailer.get("/Root").and_then(Value::as_str).map(str::to_owned);
    let Some(root) = root else { return Ok(None) };
    let asked = root.trim_end_matches(" R").replace(' ', ",");
    let Some((_, mut catalog)) = object(context, &asked, &format!("obj:{root}"), file).await? else {
        return Ok(None);
    };
    let mut taken = trailer.remove("/Info").is_some();
    for name in ["/Metadata", "/PieceInfo"] {
        taken |= catalog.remove(name).is_some();
    }
    if !taken {
        return Ok(None);
    }
    let objects = json!({ "trailer": { "value": trailer }, format!("obj:{root}"): { "value": catalog } });
    Ok(Some(json!({ "qpdf": [header, objects] })))
}

/// The header of qpdf's JSON, and the dictionary of an object.
async fn object(
    context: &Context<'_>,
    asked: &str,
    key: &str,
    file: &str,
) -> Result<Option<(Value, Map<String, Value>)>, Failure> {
    let finished = qpdf(context, pdf_tools::qpdf_object(asked, file)).await?;
    let Ok(mut json) = serde_json::from_slice::<Value>(&finished.stdout) else { return Ok(None) };
    let header = json["qpdf"][0].take();
    match json["qpdf"][1][key]["value"].take() {
        Value::Object(value) => Ok(Some((header, value))),
        _ => Ok(None),
    }
}

fn engine_name(context: &Context<'_>, names: &[&str]) -> String {
    let tools = &context.found.tools;
    let one = |name: &&str| {
        let program = if *name == "qpdf" { tools.qpdf.as_ref() } else { tools.ghostscript.as_ref() };
        context.engine_name(Some((name, program)))
    };
    names.iter().map(one).collect::<Vec<_>>().join(", ")
}
