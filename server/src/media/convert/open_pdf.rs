//! Opens a PDF with qpdf: extracts the requested pages, decrypted and as JSON. Ghostscript first repairs a document that qpdf cannot
//! read, which may lose parts of it; no other document is passed to Ghostscript.

use filepress_wire::TaskErrorCode;
use serde_json::Value;

use super::context::{Context, INPUT_FILE};
use crate::media::Failure;
use crate::media::engine::Warning;
use crate::media::pdf_commands::{self as tools, Document};
use crate::media::sandbox::ChildOutput;
use crate::media::settings::Pages;

/// The requested pages, decrypted and without object streams.
pub(super) const CLEAN: &str = "clean.pdf";
/// Its objects as JSON, and the prefix of its stream files.
pub(super) const OBJECTS: &str = "objects.json";
const STREAMS: &str = "stream";
/// The file with the password of the input.
const PASSWORD: &str = "password";
/// A document that Ghostscript repaired.
const REPAIRED: &str = "repaired.pdf";

/// An opened document.
pub(super) struct OpenedDocument {
    /// The number of pages of the input.
    pub(super) pages: u32,
    /// The number of requested pages.
    pub(super) asked: u64,
    /// The input was encrypted.
    pub(super) is_encrypted: bool,
    /// Ghostscript repaired it.
    pub(super) is_repaired: bool,
}

/// Opens the input and writes [`CLEAN`] and [`OBJECTS`].
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

/// Writes the password to a file for qpdf: other users could see a command line.
async fn write_password(context: &Context<'_>) -> Result<(), Failure> {
    let Some(password) = &context.plan.settings.password else { return Ok(()) };
    let written = tokio::fs::write(context.path(PASSWORD), password.reveal()).await;
    written.map_err(|error| Failure::Infrastructure(format!("writing a password: {error}")))
}

/// Removes the password file early; the working directory is deleted later anyway.
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
            context.note_damage();
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

/// Adds the password to the arguments of a qpdf command that reads the input.
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

/// Repairs the input with Ghostscript; images keep their resolution.
async fn repair(context: &Context<'_>) -> Result<(), Failure> {
    let mut pages = 0;
    let mut read = |line: &str| {
        if let Some(page) = tools::page_begun(line) {
            pages = page;
            // The number of pages is unknown.
            context.progress(0.3 * (1.0 - 1.0 / f64::from(page.max(1))));
        }
    };
    let program = context.environment.tools.ghostscript.as_ref();
    if program.is_none() {
        return Err(tools::damaged());
    }
    let finished = context.tool(program, tools::ghostscript(INPUT_FILE, REPAIRED), Some(&mut read)).await?;
    match finished.is_success() && context.size_of(REPAIRED).await.is_some() {
        // Of what is no document, Ghostscript makes an empty page.
        true if pages == 0 => Err(tools::damaged()),
        true => Ok(()),
        false => Err(tools::failure("ghostscript", &finished)),
    }
}

/// Runs qpdf; warnings are accepted.
pub(super) async fn qpdf(context: &Context<'_>, arguments: Vec<String>) -> Result<ChildOutput, Failure> {
    let finished = context.tool(context.environment.tools.qpdf.as_ref(), arguments, None).await?;
    match tools::qpdf_is_done(&finished) {
        true => Ok(finished),
        false => Err(tools::failure("qpdf", &finished)),
    }
}

/// Runs pdfinfo on a file; the result includes the size of `page` if it exists.
pub(super) async fn info(context: &Context<'_>, page: u32, file: &str) -> Result<Document, Failure> {
    let program = context.environment.tools.pdfinfo.as_ref();
    let finished = context.tool(program, tools::pdfinfo(page, file), None).await?;
    let document = Document::read(&String::from_utf8_lossy(&finished.stdout));
    document
        .filter(|document| finished.is_success() && document.pages > 0)
        .ok_or_else(|| tools::failure("pdfinfo", &finished))
}

/// Checks that a document of `count` pages has the requested pages and that they are not too many.
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
        let detail = format!("The document has {pages} pages; the maximum is {most}.");
        return Err(Failure::file(TaskErrorCode::TooManyPages, detail));
    }
    Ok(())
}

/// The error for a requested page that does not exist.
pub(super) fn no_such_page(page: u32, pages: u32) -> Failure {
    let detail = format!("Page {page} does not exist: the document has {pages} pages.");
    Failure::file(TaskErrorCode::PageOutOfRange, detail)
}

impl OpenedDocument {
    /// Warnings about what opening the document has lost.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.is_repaired {
            let message = "The document was damaged and was rebuilt from the visible content of its pages. \
                           Forms, attachments, tags, the language and bookmarks may be missing.";
            warnings.push(Warning::new("rewritten", message));
        }
        if self.is_encrypted {
            let message =
                "The output is not encrypted; restrictions on printing, copying and editing are removed.";
            warnings.push(Warning::new("encryption_removed", message));
        }
        warnings
    }
}
