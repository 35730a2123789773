//! Conversions: which pairs of types this machine can convert, and the conversion of files in a sandbox.
//!
//! This module knows nothing of requests, users or the database. A pair of types has a [`conversion_kind`] and typed [`settings`];
//! together they form a [`Plan`]. [`convert`] runs a plan with child processes in a [`sandbox`]: ffmpeg, Ghostscript, qpdf,
//! pdftoppm, libheif's heif-convert, and the image [`engine`] of this repository. The service starts its own binary in these child
//! processes, with the subcommands [`join_cgroup`], [`jail`] and [`engine`].

pub mod engine;
pub mod jail;
pub mod join_cgroup;

mod conversion_kind;
mod convert;
mod environment;
mod ffmpeg;
mod heif_commands;
mod pdf_commands;
mod plan;
mod sandbox;
mod sandboxed_command;
mod settings;
mod toolbox;
mod tools;
mod work_class;

use std::path::{Path, PathBuf};

use filepress_wire::TaskErrorCode;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::config::ConversionLimits;

pub use jail::profile::Profile;
pub use plan::Plan;
pub(crate) use sandbox::readable_root;
pub use sandboxed_command::{CommandOutput, SandboxedCommand};
pub use toolbox::Toolbox;

/// A tool, as `check` reports it.
#[derive(Debug, Clone)]
pub struct ToolReport {
    /// `engine`, `ffmpeg`, `ffprobe`, `ghostscript`, `qpdf`, `pdftoppm`, `pdfinfo`, `heif-convert`, `heif-info`, `bubblewrap`, `landlock`.
    pub name: &'static str,
    /// Its version; `None` if it was not found.
    pub version: Option<String>,
    /// Its path; `None` if it is not a program.
    pub path: Option<PathBuf>,
    /// What it is needed for, for a person.
    pub needed_for: &'static str,
    /// Missing encoders, demuxers and muxers, or why it does not work, for a person.
    pub lacks: Vec<String>,
}

/// Why a conversion cannot be planned; always a 422.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanError {
    /// The stable code: `unsupported_pair`, `unknown_setting`, `invalid_setting` …
    pub code: filepress_wire::ErrorCode,
    /// For a person; names the allowed pairs if the pair is not supported.
    pub detail: String,
    /// JSON pointer in the request, e.g. `/data/attributes/settings/resize/width` or `/data/attributes/format/output`.
    pub pointer: String,
}

/// The input, limits and callbacks of a conversion.
pub struct ConversionJob<'a> {
    /// The input file, read-only; the first of several.
    pub input: &'a Path,
    /// The other input files, as many as the plan has other types.
    pub more_inputs: &'a [PathBuf],
    /// The working directory of this conversion.
    pub scratch: &'a Path,
    /// Its limits.
    pub limits: &'a ConversionLimits,
    /// Called with the progress, 0 to 1, which never decreases.
    pub progress: &'a (dyn Fn(f64) + Send + Sync),
    /// Stops the conversion and its child processes.
    pub cancel: CancellationToken,
}

/// The result of a conversion.
#[derive(Debug, Clone)]
pub struct ConversionResult {
    /// A file in the working directory, or the input itself if the original was kept.
    pub output: PathBuf,
    /// The output is the input, because the conversion did not make it smaller.
    pub kept_original: bool,
    /// The output is a ZIP archive of files of the requested type.
    pub is_archive: bool,
    /// Members of `processing_metadata`: `engine`, `input`, `output`, `kept_original`, `bytes_saved`, `warnings`.
    pub metadata: Map<String, Value>,
}

/// Why a conversion failed.
#[derive(Debug, Clone)]
pub enum Failure {
    /// Because of the file or the settings; a retry would fail again.
    File {
        /// The stable error code.
        code: TaskErrorCode,
        /// For a person.
        detail: String,
    },
    /// Because of the machine; a retry may succeed. The text is for the log.
    Infrastructure(String),
    /// It was cancelled.
    Cancelled,
}

impl Failure {
    fn file(code: TaskErrorCode, detail: impl Into<String>) -> Self {
        Self::File { code, detail: detail.into() }
    }
}

/// Prints an error from a child process to standard error, which the service reads.
fn print_error(text: &str) {
    use std::io::Write;
    // If standard error is closed, there is nowhere left to report to.
    let _ = writeln!(std::io::stderr(), "{text}");
}
