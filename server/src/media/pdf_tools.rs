//! The command lines of Ghostscript, qpdf, pdftoppm and pdfinfo, and what pdfinfo says. Files have fixed names in the current
//! folder; no text of a user comes near them.

use filepress_wire::TaskErrorCode;

use super::Failure;
use super::sandbox::Finished;
use super::settings::Pages;

/// How images in a document are made smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Squeeze {
    /// Pixels to an inch that are left to pictures.
    pub(super) dpi: u32,
    /// Of JPEG, 1 to 100.
    pub(super) quality: u8,
    /// JPEGs that need not shrink are coded again as well.
    pub(super) recode: bool,
}

/// Ghostscript: the pages of `input` written anew. -dSAFER lets it read and write no other file.
pub(super) fn ghostscript(squeeze: Squeeze, input: &str, output: &str) -> Vec<String> {
    let Squeeze { dpi, quality, recode } = squeeze;
    let factor = jpeg_factor(quality);
    let dictionary = format!("<< /QFactor {factor:.3} /Blend 1 /HSamples [2 1 1 2] /VSamples [2 1 1 2] >>");
    let kinds = ["ColorACSImageDict", "ColorImageDict", "GrayACSImageDict", "GrayImageDict"];
    let dictionaries: Vec<_> = kinds.iter().map(|kind| format!("/{kind} {dictionary}")).collect();
    let mut line: Vec<String> = vec!["-dSAFER".into(), "-dBATCH".into(), "-dNOPAUSE".into()];
    line.extend(["-sDEVICE=pdfwrite".into(), "-dCompatibilityLevel=1.7".into()]);
    line.extend(["-dDetectDuplicateImages=true".into(), "-dAutoRotatePages=/None".into()]);
    line.push(format!("-dPassThroughJPEGImages={}", !recode));
    for kind in ["Color", "Gray"] {
        line.push(format!("-dDownsample{kind}Images=true"));
        line.push(format!("-d{kind}ImageDownsampleType=/Bicubic"));
        line.push(format!("-d{kind}ImageResolution={dpi}"));
        line.push(format!("-d{kind}ImageDownsampleThreshold=1.1"));
    }
    // Letters in black and white need more.
    line.extend([
        "-dDownsampleMonoImages=true".into(),
        format!("-dMonoImageResolution={}", dpi.max(150) * 2),
    ]);
    line.push(format!("-sOutputFile={output}"));
    line.extend(["-c".into(), format!("<< {} >> setdistillerparams", dictionaries.join(" "))]);
    line.extend(["-f".into(), input.into()]);
    line
}

/// The factor on the tables of the standard that JPEG's quality stands for (libjpeg, `jpeg_quality_scaling`).
fn jpeg_factor(quality: u8) -> f64 {
    let quality = f64::from(quality.clamp(1, 100));
    let percent = if quality < 50.0 { 5000.0 / quality } else { 200.0 - 2.0 * quality };
    (percent / 100.0).max(0.01)
}

/// The number of a page that Ghostscript begins with, from a line of its output.
pub(super) fn page_begun(line: &str) -> Option<u32> {
    line.strip_prefix("Page ")?.trim().parse().ok()
}

/// qpdf: the same pages, or some of them, packed as tightly as goes without loss, and open.
pub(super) fn qpdf(pages: Option<&Pages>, update: Option<&str>, input: &str, output: &str) -> Vec<String> {
    let mut line: Vec<String> = [
        "--decrypt",
        "--object-streams=generate",
        "--compress-streams=y",
        "--recompress-flate",
        "--compression-level=9",
        "--remove-unreferenced-resources=yes",
    ]
    .map(str::to_owned)
    .into();
    line.extend(update.map(|update| format!("--update-from-json={update}")));
    line.push(input.to_owned());
    if let Some(pages) = pages {
        line.extend(["--pages".to_owned(), ".".to_owned(), pages.for_qpdf(), "--".to_owned()]);
    }
    line.push(output.to_owned());
    line
}

/// qpdf: an object of a document, as JSON; `trailer`, or `5,0` for the object 5.
pub(super) fn qpdf_object(object: &str, input: &str) -> Vec<String> {
    let object = format!("--json-object={object}");
    ["--json=2", "--json-key=qpdf", &object, input].map(str::to_owned).into()
}

/// qpdf ends with 3 where it had something to say, and did its work.
pub(super) fn qpdf_is_done(finished: &Finished) -> bool {
    matches!(finished.end, super::sandbox::End::Exit(0 | 3))
}

/// pdftoppm: a page as `<output>.png`.
pub(super) fn pdftoppm(page: u32, dpi: u32, input: &str, output: &str) -> Vec<String> {
    let (page, dpi) = (page.to_string(), dpi.to_string());
    ["-f", &page, "-l", &page, "-r", &dpi, "-cropbox", "-singlefile", "-png", input, output]
        .map(str::to_owned)
        .into()
}

/// pdfinfo, with the size of a page.
pub(super) fn pdfinfo(page: u32, input: &str) -> Vec<String> {
    let page = page.to_string();
    ["-enc", "UTF-8", "-f", &page, "-l", &page, input].map(str::to_owned).into()
}

/// What pdfinfo tells.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Document {
    pub(super) pages: u32,
    /// Of the asked page, in points, as it is shown.
    pub(super) size: Option<(f64, f64)>,
}

impl Document {
    /// Reads pdfinfo's lines. A title may hold lines of its own, but comes before what is read here: the last one counts.
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

/// A tool that ended without success: what its complaints mean.
pub(super) fn failure(tool: &str, finished: &Finished) -> Failure {
    let says = |sign: &str| {
        finished.stderr.contains(sign) || String::from_utf8_lossy(&finished.stdout).contains(sign)
    };
    tracing::debug!(tool, end = ?finished.end, stderr = %finished.stderr.trim(), "a tool failed");
    if says("No space left on device") {
        return Failure::Infrastructure("no space is left for a conversion".to_owned());
    }
    if says("ncorrect password") || says("invalid password") || says("requires a password") {
        return Failure::file(
            TaskErrorCode::PasswordProtected,
            "This PDF opens only with a password. Remove the password and try again.",
        );
    }
    if says("Unsupported security handler") || says("unsupported encryption") {
        return Failure::file(
            TaskErrorCode::PasswordProtected,
            "This PDF is encrypted in a way that can not be read here.",
        );
    }
    if says("VMerror") || says("emory") {
        return Failure::file(
            TaskErrorCode::TooMuchMemory,
            "The conversion needs more memory than it is given.",
        );
    }
    if says("File too large") {
        return Failure::file(TaskErrorCode::OutputTooLarge, "The result would be larger than it may be.");
    }
    Failure::file(TaskErrorCode::CorruptFile, "This PDF is damaged or incomplete.")
}
