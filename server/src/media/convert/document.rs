//! A document as qpdf reads it: the asked pages, open and parsed. What qpdf cannot read is written anew by Ghostscript first, which
//! may lose much; nothing else goes there.

use filepress_wire::TaskErrorCode;
use serde_json::Value;

use super::context::{Context, INPUT_FILE};
use crate::media::Failure;
use crate::media::engine::Warning;
use crate::media::pdf_commands::{self as tools, Document};
use crate::media::sandbox::ChildOutput;
use crate::media::settings::Pages;

/// The asked pages, without encryption, each object by itself.
pub(super) const CLEAN: &str = "clean.pdf";
/// Its objects as JSON, and the beginning of the names of their streams.
pub(super) const OBJECTS: &str = "objects.json";
const STREAMS: &str = "stream";
/// The password of the input.
const PASSWORD: &str = "password";
/// What Ghostscript made of a broken document.
const REPAIRED: &str = "repaired.pdf";

/// A document that was read.
pub(super) struct OpenedDocument {
    /// Pages of the input.
    pub(super) pages: u32,
    /// Pages that were asked for.
    pub(super) asked: u64,
    /// It was encrypted, with a password that opens it.
    pub(super) is_encrypted: bool,
    /// Ghostscript wrote it anew.
    pub(super) is_repaired: bool,
}

/// Reads the input and writes [`CLEAN`] and [`OBJECTS`].
pub(super) async fn open(context: &Context<'_>) -> Result<OpenedDocument, Failure> {
    write_password(context).await?;
    let opened = match read(context, INPUT_FILE).await {
        Err(Failure::File { code: TaskErrorCode::CorruptFile, .. }) => {
            repair(context).await?;
            Ok(OpenedDocument { is_repaired: true, ..read(context, REPAIRED).await? })
        }
        read => read,
    };
    remove_password(context).await;
    opened
}

/// Writes the password where qpdf reads it: a command line could be seen by others.
async fn write_password(context: &Context<'_>) -> Result<(), Failure> {
    let Some(password) = &context.plan.settings.password else { return Ok(()) };
    let written = tokio::fs::write(context.path(PASSWORD), password.reveal()).await;
    written.map_err(|error| Failure::Infrastructure(format!("writing a password: {error}")))
}

/// Removes it again; the folder goes with the conversion in any case.
async fn remove_password(context: &Context<'_>) {
    if context.plan.settings.password.is_some() {
        let _ = tokio::fs::remove_file(context.path(PASSWORD)).await;
    }
}

/// Writes [`CLEAN`] with all pages of the input.
pub(super) async fn clean_all_pages(context: &Context<'_>) -> Result<(), Failure> {
    write_password(context).await?;
    let cleaned = match clean(context, INPUT_FILE, None).await {
        Err(Failure::File { code: TaskErrorCode::CorruptFile, .. }) => {
            repair(context).await?;
            clean(context, REPAIRED, None).await
        }
        cleaned => cleaned,
    };
    remove_password(context).await;
    cleaned
}

async fn read(context: &Context<'_>, file: &str) -> Result<OpenedDocument, Failure> {
    let is_encrypted = is_encrypted(context, file).await?;
    let counted = qpdf(context, with_password(context, tools::qpdf_count(file))).await?;
    let pages = String::from_utf8_lossy(&counted.stdout).trim().parse().unwrap_or(0);
    if pages == 0 {
        return Err(tools::damaged());
    }
    check_pages(context, u64::from(pages))?;
    let asked = match &context.plan.settings.pages {
        Some(list) => check_requested(context, list, pages)?.count(pages),
        None => u64::from(pages),
    };
    clean(context, file, context.plan.settings.pages.as_ref()).await?;
    qpdf(context, tools::qpdf_objects(CLEAN, STREAMS, OBJECTS)).await?;
    Ok(OpenedDocument { pages, asked, is_encrypted, is_repaired: false })
}

/// Writes [`CLEAN`].
async fn clean(context: &Context<'_>, file: &str, pages: Option<&Pages>) -> Result<(), Failure> {
    qpdf(context, with_password(context, tools::qpdf_clean(pages, file, CLEAN))).await.map(|_| ())
}

/// The arguments of a call of qpdf that reads the input.
fn with_password(context: &Context<'_>, mut arguments: Vec<String>) -> Vec<String> {
    if context.plan.settings.password.is_some() {
        arguments.insert(0, format!("--password-file={PASSWORD}"));
    }
    arguments
}

async fn is_encrypted(context: &Context<'_>, file: &str) -> Result<bool, Failure> {
    let told = qpdf(context, with_password(context, tools::qpdf_encryption(file))).await?;
    let told: Value = serde_json::from_slice(&told.stdout).unwrap_or_default();
    Ok(told["encrypt"]["encrypted"] == true)
}

/// Ghostscript writes what it makes of the input; images keep their pixels.
async fn repair(context: &Context<'_>) -> Result<(), Failure> {
    let mut read = |line: &str| {
        if let Some(page) = tools::page_begun(line) {
            // It is not known how many pages there are.
            context.progress(0.3 * (1.0 - 1.0 / f64::from(page.max(1))));
        }
    };
    let program = context.environment.tools.ghostscript.as_ref();
    if program.is_none() {
        return Err(tools::damaged());
    }
    let finished = context.tool(program, tools::ghostscript(INPUT_FILE, REPAIRED), Some(&mut read)).await?;
    match finished.is_success() && context.size_of(REPAIRED).await.is_some() {
        true => Ok(()),
        false => Err(tools::failure("ghostscript", &finished)),
    }
}

/// Runs qpdf, which may complain but has to do its work.
pub(super) async fn qpdf(context: &Context<'_>, arguments: Vec<String>) -> Result<ChildOutput, Failure> {
    let finished = context.tool(context.environment.tools.qpdf.as_ref(), arguments, None).await?;
    match tools::qpdf_is_done(&finished) {
        true => Ok(finished),
        false => Err(tools::failure("qpdf", &finished)),
    }
}

/// What pdfinfo tells of a file, with the size of a page if there is one of that number.
pub(super) async fn info(context: &Context<'_>, page: u32, file: &str) -> Result<Document, Failure> {
    let program = context.environment.tools.pdfinfo.as_ref();
    let finished = context.tool(program, tools::pdfinfo(page, file), None).await?;
    let document = Document::read(&String::from_utf8_lossy(&finished.stdout));
    document
        .filter(|document| finished.is_success() && document.pages > 0)
        .ok_or_else(|| tools::failure("pdfinfo", &finished))
}

/// The asked pages of a document that has `count`, if it has them all and they are not too many.
pub(super) fn check_requested<'p>(
    context: &Context<'_>,
    asked: &'p Pages,
    count: u32,
) -> Result<&'p Pages, Failure> {
    if let Some(page) = asked.beyond(count) {
        return Err(no_such_page(page, count));
    }
    check_pages(context, asked.count(count)).map(|()| asked)
}

pub(super) fn check_pages(context: &Context<'_>, pages: u64) -> Result<(), Failure> {
    let most = context.job.limits.pages;
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

impl OpenedDocument {
    /// What a new file lacks of the input, whatever is done to its images.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.is_repaired {
            let message = "The document was damaged, and was written anew from what can be seen on its pages. \
                           Forms, attachments, tags, the language and bookmarks may be missing.";
            warnings.push(Warning::new("rewritten", message));
        }
        if self.is_encrypted {
            let message = "The output is not encrypted: it does not restrict printing, copying and changes.";
            warnings.push(Warning::new("encryption_removed", message));
        }
        warnings
    }
}
