//! What can be converted into what on this machine, and the doing of it: files in, files out, in a sandbox.
//!
//! Nothing here knows of requests, users or the database. A pair of types has a [`conversion_kind`]; its [`settings`] are typed; the two
//! are a [`Plan`], which [`convert`] carries out by children in a [`sandbox`]: ffmpeg, Ghostscript, qpdf, pdftoppm, and the
//! [`engine`] of this repository. Subcommands of the own binary run in those children: [`join_cgroup`],
//! [`jail`] and [`engine`].

pub mod engine;
pub mod jail;
pub mod join_cgroup;

mod conversion_kind;
mod convert;
mod environment;
mod ffmpeg;
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
pub use sandboxed_command::{CommandOutput, SandboxedCommand};
pub use toolbox::Toolbox;

/// A tool of the machine.
#[derive(Debug, Clone)]
pub struct ToolReport {
    /// `engine`, `ffmpeg`, `ffprobe`, `ghostscript`, `qpdf`, `pdftoppm`, `pdfinfo`, `bubblewrap`, `landlock`.
    pub name: &'static str,
    /// Its version; none where it was not found.
    pub version: Option<String>,
    /// Where it was found; none for what is no file.
    pub path: Option<PathBuf>,
    /// What is missing without it, for a person.
    pub needed_for: &'static str,
    /// What it was built without, or why it does not work, for a person: encoders, demuxers, muxers.
    pub lacks: Vec<String>,
}

/// Why a conversion cannot be planned: always a 422.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanError {
    /// The stable code: `unsupported_pair`, `unknown_setting`, `invalid_setting` …
    pub code: filepress_wire::ErrorCode,
    /// For a person; names the allowed pairs where the pair is the reason.
    pub detail: String,
    /// JSON pointer in the request, e.g. `/data/attributes/settings/resize/width` or `/data/attributes/format/output`.
    pub pointer: String,
}

/// What a conversion is carried out with.
pub struct ConversionJob<'a> {
    /// The bytes; read only.
    pub input: &'a Path,
    /// A folder of its own.
    pub scratch: &'a Path,
    /// Its bounds.
    pub limits: &'a ConversionLimits,
    /// Told how far it is, 0 to 1; never less than before.
    pub progress: &'a (dyn Fn(f64) + Send + Sync),
    /// Ends it at once, with its children.
    pub cancel: CancellationToken,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct ConversionResult {
    /// A file in the scratch folder; the input itself where it was kept.
    pub output: PathBuf,
    /// The bytes are those of the input, since nothing smaller could be made.
    pub kept_original: bool,
    /// The file is a ZIP of files of the asked type.
    pub is_archive: bool,
    /// `engine`, `input`, `output` (facts), `bytes_saved`, `warnings`: members of `processing_metadata`.
    pub metadata: Map<String, Value>,
}

/// Why nothing came out.
#[derive(Debug, Clone)]
pub enum Failure {
    /// The file, or what was asked of it; trying again is of no use.
    File {
        /// A stable code of the interface.
        code: TaskErrorCode,
        /// For a person.
        detail: String,
    },
    /// The machine: worth another attempt. The text is for the log.
    Infrastructure(String),
    /// The token was cancelled.
    Cancelled,
}

impl Failure {
    fn file(code: TaskErrorCode, detail: impl Into<String>) -> Self {
        Self::File { code, detail: detail.into() }
    }
}

/// Says something from a child, in whose standard error it is read by the server.
fn print_error(text: &str) {
    use std::io::Write;
    // Where nobody listens there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{text}");
}
