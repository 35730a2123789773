//! The command lines of Ghostscript, qpdf, pdftoppm and pdfinfo, and the parser of pdfinfo's output. File names are fixed and
//! relative to the current directory, so that no user text gets into a command line.

use filepress_wire::TaskErrorCode;

use super::Failure;
use super::sandbox::ChildOutput;
use super::settings::Pages;

/// Ghostscript: rewrites a damaged document without downsampling its images. -dSAFER denies access to all other files.
pub(super) fn ghostscript(input: &str, output: &str) -> Vec<String> {
    let mut line: Vec<String> =
        ["-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite"].map(str::to_owned).into();
    line.extend(["-dCompatibilityLevel=1.7".into(), "-dAutoRotatePages=/None".into()]);
    line.push("-dPassThroughJPEGImages=true".into());
    for kind in ["Color", "Gray"] {
        line.push(format!("-dDownsample{kind}Images=false"));
        line.push(format!("-dAutoFilter{kind}Images=false"));
        line.push(format!("-d{kind}ImageFilter=/FlateEncode"));
    }
    line.push("-dDownsampleMonoImages=false".into());
    line.extend([format!("-sOutputFile={output}"), "-f".into(), input.into()]);
    line
}

/// The page that Ghostscript starts, from a line of its output.
pub(super) fn page_begun(line: &str) -> Option<u32> {
    line.strip_prefix("Page ")?.trim().parse().ok()
}

/// qpdf: extracts all or some pages, decrypts, keeps streams unchanged and does not use object streams.
pub(super) fn qpdf_clean(pages: Option<&Pages>, input: &str, output: &str) -> Vec<String> {
    let options = ["--decrypt", "--object-streams=disable", "--stream-data=preserve"];
    let mut line: Vec<String> = options.map(str::to_owned).into();
    line.push("--remove-unreferenced-resources=auto".to_owned());
    line.push(input.to_owned());
    if let Some(pages) = pages {
        line.extend(["--pages".to_owned(), ".".to_owned(), pages.for_qpdf(), "--".to_owned()]);
    }
    line.push(output.to_owned());
    line
}

/// qpdf: writes the objects as JSON, and each stream to a file whose name begins with `prefix`.
pub(super) fn qpdf_objects(input: &str, prefix: &str, output: &str) -> Vec<String> {
    let prefix = format!("--json-stream-prefix={prefix}");
    ["--json-output=2", "--json-stream-data=file", &prefix, input, output].map(str::to_owned).into()
}

/// qpdf: applies an update and compresses the document losslessly. Flate streams stay unchanged.
pub(super) fn qpdf_pack(update: Option<&str>, input: &str, output: &str) -> Vec<String> {
    let options = ["--object-streams=generate", "--compress-streams=y", "--compression-level=9"];
    let mut line: Vec<String> = options.map(str::to_owned).into();
    line.extend(update.map(|update| format!("--update-from-json={update}")));
    line.extend([input.to_owned(), output.to_owned()]);
    line
}

/// qpdf: checks the whole document, including streams.
pub(super) fn qpdf_check(input: &str) -> Vec<String> {
    ["--check", input].map(str::to_owned).into()
}

/// qpdf: the number of pages.
pub(super) fn qpdf_count(input: &str) -> Vec<String> {
    ["--show-npages", input].map(str::to_owned).into()
}

/// qpdf: how a document is encrypted, as JSON.
pub(super) fn qpdf_encryption(input: &str) -> Vec<String> {
    ["--json=2", "--json-key=encrypt", input].map(str::to_owned).into()
}

/// Whether qpdf succeeded: exit status 3 means success with warnings.
pub(super) fn qpdf_is_done(finished: &ChildOutput) -> bool {
    matches!(finished.end, super::sandbox::ChildExit::Exit(0 | 3))
}

/// pdftoppm: writes a page to `<output>.png`.
pub(super) fn pdftoppm(page: u32, dpi: u32, input: &str, output: &str) -> Vec<String> {
    let (page, dpi) = (page.to_string(), dpi.to_string());
    ["-f", &page, "-l", &page, "-r", &dpi, "-cropbox", "-singlefile", "-png", input, output]
        .map(str::to_owned)
        .into()
}

/// pdfinfo: with the size of one page.
pub(super) fn pdfinfo(page: u32, input: &str) -> Vec<String> {
    let page = page.to_string();
    ["-enc", "UTF-8", "-f", &page, "-l", &page, input].map(str::to_owned).into()
}

/// The output of pdfinfo.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Document {
    pub(super) pages: u32,
    /// The displayed size of the requested page in points.
    pub(super) size: Option<(f64, f64)>,
}

impl Document {
    /// Parses the output. A title may contain fake lines, but it comes before the real ones: the last match counts.
    pub(super) fn read(text: &str) -> Option<Self> {
        let value = |name: &str| text.lines().rev().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let size = text.lines().rev().find(|line| line.starts_with("Page") && line.contains(" size:"));
        let turned = text.lines().rev().find(|line| line.starts_with("Page") && line.contains(" rot:"));
        let quarter = turned.is_some_and(|line| line.ends_with(" 90") || line.ends_with(" 270"));
        let size = size.and_then(|line| {
            let mut numbers = line.split_once(':')?.1.split_whitespace().filter_map(|word| word.parse().ok());
            let (width, height): (f64, f64) = (numbers.next()?, numbers.next()?);
            Some(if quarter { (height, width) } else { (width, height) })
        });
        Some(Self { pages: value("Pages:")?.parse().ok()?, size })
    }
}

/// Maps the output of a failed tool to an error.
pub(super) fn failure(tool: &str, finished: &ChildOutput) -> Failure {
    let says = |sign: &str| {
        finished.stderr.contains(sign) || String::from_utf8_lossy(&finished.stdout).contains(sign)
    };
    tracing::debug!(tool, end = ?finished.end, stderr = ?finished.stderr.trim(), "a tool failed");
    if says("No space left on device") {
        return Failure::Infrastructure("the disk is full".to_owned());
    }
    if says("ncorrect password") || says("invalid password") || says("requires a password") {
        return Failure::file(
            TaskErrorCode::PasswordProtected,
            "This PDF is encrypted: the setting `password` is missing or wrong.",
        );
    }
    if says("Unsupported security handler") || says("unsupported encryption") {
        return Failure::file(
            TaskErrorCode::PasswordProtected,
            "This PDF uses an encryption that is not supported.",
        );
    }
    if says("VMerror") || says("emory") {
        return Failure::file(TaskErrorCode::TooMuchMemory, "The conversion exceeded its memory limit.");
    }
    if says("File too large") {
        return Failure::file(TaskErrorCode::OutputTooLarge, "The result exceeds the maximum output size.");
    }
    damaged()
}

/// The error for a document that no tool can read.
pub(super) fn damaged() -> Failure {
    Failure::file(TaskErrorCode::CorruptFile, "This PDF is damaged or incomplete.")
}
