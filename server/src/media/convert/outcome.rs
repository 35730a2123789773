//! The end of a conversion: with the output, with the original, or with an error.

use std::path::PathBuf;

use filepress_wire::TaskErrorCode;
use serde_json::{Map, Value, json};

use super::context::Context;
use super::processing_metadata::FileProperties;
use super::size_search;
use crate::media::conversion_kind::ConversionKind;
use crate::media::engine::Warning;
use crate::media::tools::Program;
use crate::media::{ConversionResult, Failure};

impl Context<'_> {
    /// Whether only a `target_size` was requested that the original does not exceed.
    pub(super) fn is_small_enough(&self) -> bool {
        let settings = &self.plan.settings;
        let is_within = settings.target_size.is_some_and(|target| self.input_size <= target);
        self.may_keep() && is_within && !settings.sets_rate()
    }

    /// Whether the original may be returned: same type, and no setting that changes the content.
    pub(super) fn may_keep(&self) -> bool {
        self.plan.input == self.plan.output && !self.plan.settings.changes_content()
    }

    /// Returns a file in the working directory as the output, after checking its size.
    pub(super) async fn finish(
        &self,
        file: &str,
        engine: String,
        info: (FileProperties, FileProperties),
        mut warnings: Vec<Warning>,
    ) -> Result<ConversionResult, Failure> {
        let Some(size) = self.size_of(file).await else {
            return Err(Failure::file(TaskErrorCode::ConversionFailed, "The conversion produced no output."));
        };
        if size > self.job.limits.output {
            let detail = format!("The result exceeds the maximum of {} bytes.", self.job.limits.output);
            return Err(Failure::file(TaskErrorCode::OutputTooLarge, detail));
        }
        if let Some(target) = self.plan.settings.target_size.filter(|target| size > *target) {
            return Err(size_search::target_unreachable(target, size));
        }
        if self.is_damaged() {
            let message = "The input is damaged or incomplete; the output contains what could be read.";
            warnings.push(Warning::new("damaged", message));
        }
        let output = FileProperties { size, ..info.1 };
        Ok(self.done(self.path(file), false, engine, (info.0, output), warnings))
    }

    /// Returns the input unchanged.
    pub(super) fn keep_original(
        &self,
        engine: String,
        info: FileProperties,
        mut warnings: Vec<Warning>,
    ) -> ConversionResult {
        let info = FileProperties { size: self.input_size, ..info };
        if self.plan.settings.strip_metadata && self.plan.kind != ConversionKind::Image {
            let message =
                "The original was returned with its metadata, because no smaller file was possible.";
            warnings.push(Warning::new("metadata_kept", message));
        }
        self.done(self.job.input.to_owned(), true, engine, (info.clone(), info), warnings)
    }

    fn done(
        &self,
        output: PathBuf,
        kept_original: bool,
        engine: String,
        (input, made): (FileProperties, FileProperties),
        warnings: Vec<Warning>,
    ) -> ConversionResult {
        self.progress(1.0);
        let saved = i128::from(self.input_size) - i128::from(made.size);
        let input = FileProperties { size: self.input_size, ..input };
        let members = [
            ("engine", json!(engine)),
            ("input", input.json()),
            ("output", made.json()),
            ("kept_original", json!(kept_original)),
            ("bytes_saved", json!(i64::try_from(saved).unwrap_or(0))),
            ("warnings", warnings.iter().map(|warning| json!(warning)).collect::<Value>()),
        ];
        let metadata: Map<_, _> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        ConversionResult { output, kept_original, is_archive: false, metadata }
    }

    /// The name and version of a tool, else of filepress: `filepress 0.1.0`.
    pub(super) fn engine_name(&self, tool: Option<(&str, Option<&Program>)>) -> String {
        let own = concat!("filepress ", env!("CARGO_PKG_VERSION"));
        match tool {
            Some((name, Some(program))) => format!("{name} {}", program.version),
            _ => own.to_owned(),
        }
    }

    /// `ffmpeg 5.1.9`.
    pub(super) fn ffmpeg_name(&self) -> String {
        self.engine_name(Some((
            "ffmpeg",
            self.environment.tools.ffmpeg.as_ref().map(|ffmpeg| &ffmpeg.program),
        )))
    }
}
