//! The installed tools, and the pairs of types that they enable.

use std::sync::Arc;

use filepress_wire::{ErrorCode, MediaClass, MediaType};
use serde_json::{Map, Value};

use super::conversion_kind::{self, ConversionKind};
use super::convert::{self, Context};
use super::environment::Environment;
use super::ffmpeg::container;
use super::sandbox::{self, ConfinementLevel, Sandbox};
use super::settings::{SETTINGS, invalid, list};
use super::tools::{Ffmpeg, Program, Tools};
use super::{ConversionJob, ConversionResult, Failure, Plan, PlanError, ToolReport};
use crate::config::Config;

/// The tools that were found at startup. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Toolbox {
    pub(super) environment: Arc<Environment>,
}

impl Toolbox {
    /// Finds the tools and tests the sandbox.
    pub async fn find(config: &Config) -> Self {
        let tools = Tools::find().await;
        let bwrap = tools.bubblewrap.as_ref().map(|program| program.path.clone());
        let (sandbox, reasons) = sandbox::find(config, bwrap).await;
        for (level, reason) in &reasons {
            tracing::warn!(level = level.name(), reason, "a sandbox does not work on this machine");
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (processors / config.heavy_workers.max(1)).max(1);
        Self { environment: Arc::new(Environment { tools, sandbox, reasons, threads }) }
    }

    /// The sandbox in use: `bubblewrap`, `landlock`, `limits`, or `none` if none works and no tool runs.
    pub fn confinement(&self) -> &'static str {
        self.environment.sandbox.as_ref().map_or("none", |sandbox| sandbox.level().name())
    }

    /// How the limits of a conversion are enforced: `cgroup` by the kernel, or `watched` by sampling its processes; `none` if no tool
    /// runs.
    pub fn limits(&self) -> &'static str {
        self.environment.sandbox.as_ref().map_or("none", Sandbox::limits)
    }

    /// All tools, found or not.
    pub fn report(&self) -> Vec<ToolReport> {
        let tools = &self.environment.tools;
        let program = |name, program: Option<&Program>, needed_for| ToolReport {
            name,
            version: program.map(|program| program.version.clone()),
            path: program.map(|program| program.path.clone()),
            needed_for,
            lacks: Vec::new(),
        };
        let (ffmpeg, libheif) = (tools.ffmpeg.as_ref(), tools.libheif.as_ref());
        let mut reports = vec![
            ToolReport {
                name: "engine",
                version: self.environment.sandbox.as_ref().map(|_| env!("CARGO_PKG_VERSION").to_owned()),
                path: None,
                needed_for: "images",
                lacks: Vec::new(),
            },
            ToolReport {
                lacks: ffmpeg.map(missing_parts).unwrap_or_default(),
                ..program("ffmpeg", ffmpeg.map(|ffmpeg| &ffmpeg.program), "video and audio")
            },
            program("ffprobe", tools.ffprobe.as_ref(), "video and audio"),
            program("ghostscript", tools.ghostscript.as_ref(), "damaged PDF"),
            program("qpdf", tools.qpdf.as_ref(), "PDF"),
            program("pdftoppm", tools.pdftoppm.as_ref(), "PDF → image"),
            program("pdfinfo", tools.pdfinfo.as_ref(), "PDF → image"),
            ToolReport {
                lacks: libheif
                    .filter(|libheif| !libheif.decodes_hevc)
                    .map(|_| "decoder HEVC".to_owned())
                    .into_iter()
                    .collect(),
                ..program("heif-convert", libheif.map(|libheif| &libheif.convert), "HEIC")
            },
            program("heif-info", libheif.map(|libheif| &libheif.info), "HEIC"),
            program("bubblewrap", tools.bubblewrap.as_ref(), "the strongest sandbox"),
            ToolReport {
                name: "landlock",
                version: self.landlock(),
                path: None,
                needed_for: "a sandbox if bubblewrap does not work",
                lacks: Vec::new(),
            },
        ];
        for (level, reason) in &self.environment.reasons {
            if let Some(report) = reports.iter_mut().find(|report| report.name == level.name()) {
                report.lacks.push(reason.clone());
            }
        }
        reports
    }

    fn landlock(&self) -> Option<String> {
        let failed = self.environment.reasons.iter().any(|(level, _)| *level == ConfinementLevel::Landlock);
        (!failed && sandbox::has_landlock()).then(|| "in this kernel".to_owned())
    }

    /// The types that `input` can be converted to, in the order of the API; empty if it cannot be read.
    pub fn outputs(&self, input: MediaType) -> Vec<MediaType> {
        MediaType::ALL.into_iter().filter(|output| self.kind(input, *output).is_some()).collect()
    }

    /// The kind of conversion between two types, if its tools are installed.
    fn kind(&self, input: MediaType, output: MediaType) -> Option<ConversionKind> {
        let kind = conversion_kind::of_pair(input, output)?;
        self.environment.sandbox.as_ref()?;
        self.environment.tools.allow(kind, input, output).then_some(kind)
    }

    /// Plans a conversion. If `output` is `None`, or equals the input without settings, `optimize` is set.
    ///
    /// # Errors
    /// [`ErrorCode::UnsupportedPair`], [`ErrorCode::UnknownSetting`], [`ErrorCode::InvalidSetting`].
    pub fn plan(
        &self,
        input: MediaType,
        output: Option<MediaType>,
        settings: &Map<String, Value>,
    ) -> Result<Plan, PlanError> {
        let to = output.unwrap_or(input);
        let kind = self.kind(input, to).ok_or_else(|| self.refuse(input, to))?;
        let plan = Plan::read(kind, input, output, settings)?;
        if let Some(codec) = plan.settings.codec.filter(|codec| !self.environment.encodes(*codec)) {
            let detail = format!("`codec`: the ffmpeg of this service has no encoder for {}.", codec.name());
            return Err(invalid(format!("{SETTINGS}/codec"), detail));
        }
        Ok(plan)
    }

    /// Plans the conversion of inputs of these types to one output. Only images can be several, and only become a PDF.
    ///
    /// # Errors
    /// As [`Self::plan`]; the pointer of an unsupported input names the relationship.
    pub fn plan_several(
        &self,
        inputs: &[MediaType],
        output: Option<MediaType>,
        settings: &Map<String, Value>,
    ) -> Result<Plan, PlanError> {
        let several = |index: usize, detail: String| {
            let pointer = format!("/data/relationships/inputs/data/{index}");
            PlanError { code: ErrorCode::UnsupportedPair, detail, pointer }
        };
        let [first, more @ ..] = inputs else { return Err(several(0, "There is no input.".to_owned())) };
        if more.is_empty() {
            return self.plan(*first, output, settings);
        }
        for (index, input) in inputs.iter().enumerate() {
            if self.kind(*input, output.unwrap_or(*input)) != Some(ConversionKind::ImageToPdf) {
                let to = output.unwrap_or(*input);
                let detail = format!(
                    "Several inputs must be images, and the output application/pdf; not {input} → {to}."
                );
                return Err(several(index, detail));
            }
        }
        self.plan(*first, output, settings)?.with_more_inputs(more)
    }

    fn refuse(&self, input: MediaType, output: MediaType) -> PlanError {
        let outputs = self.outputs(input);
        let (detail, member) = if outputs.is_empty() {
            (format!("This service cannot read {} ({input}).", input.name()), "input")
        } else {
            let allowed = list(outputs.iter());
            let detail =
                format!("This service cannot convert {input} to {output}. Possible outputs: {allowed}.");
            (detail, "output")
        };
        let pointer = format!("/data/attributes/format/{member}");
        PlanError { code: ErrorCode::UnsupportedPair, detail, pointer }
    }

    /// Runs a plan.
    ///
    /// # Errors
    /// [`Failure`], which says whether a retry may succeed.
    pub async fn run(&self, plan: &Plan, job: ConversionJob<'_>) -> Result<ConversionResult, Failure> {
        let context = Context::open(&self.environment, plan, &job).await?;
        convert::run(&context).await
    }
}

impl Tools {
    /// Whether the tools for a kind of conversion are installed.
    fn allow(&self, kind: ConversionKind, input: MediaType, output: MediaType) -> bool {
        let moves = |check: &dyn Fn(&Ffmpeg) -> bool| {
            self.ffprobe.is_some() && self.ffmpeg.as_ref().is_some_and(check)
        };
        let reads = |ffmpeg: &Ffmpeg| container::of(input).is_some_and(|input| ffmpeg.reads(input.demuxer));
        match kind {
            ConversionKind::Image | ConversionKind::ImageToPdf => true,
            ConversionKind::HeicToImage => self.libheif.as_ref().is_some_and(|libheif| libheif.decodes_hevc),
            ConversionKind::Video | ConversionKind::Audio => {
                moves(&|ffmpeg| reads(ffmpeg) && writes(ffmpeg, output))
            }
            ConversionKind::Animation if output == MediaType::Gif => {
                moves(&|ffmpeg| reads(ffmpeg) && ffmpeg.writes("gif") && ffmpeg.encodes("gif"))
            }
            ConversionKind::Animation => {
                moves(&|ffmpeg| reads(ffmpeg) && ffmpeg.writes("webp") && ffmpeg.encodes("libwebp_anim"))
            }
            ConversionKind::Frame => {
                moves(&|ffmpeg| reads(ffmpeg) && ffmpeg.writes("image2") && ffmpeg.encodes("png"))
            }
            ConversionKind::AnimationToVideo => {
                let demuxer = if input == MediaType::Gif { "gif" } else { "apng" };
                moves(&|ffmpeg| ffmpeg.reads(demuxer) && writes(ffmpeg, output))
            }
            ConversionKind::Pdf => self.qpdf.is_some(),
            ConversionKind::PdfToImage => {
                self.qpdf.is_some() && self.pdfinfo.is_some() && self.pdftoppm.is_some()
            }
        }
    }
}

/// Whether ffmpeg has the muxer and the default encoders of a type.
fn writes(ffmpeg: &Ffmpeg, output: MediaType) -> bool {
    container::of(output).is_some_and(|container| {
        let pictures = container.video.first().is_none_or(|codec| ffmpeg.encodes(codec.encoder()));
        pictures && ffmpeg.writes(container.muxer) && ffmpeg.encodes(container.audio.encoder())
    })
}

/// The demuxers, muxers and encoders that ffmpeg lacks for the types of the API.
fn missing_parts(ffmpeg: &Ffmpeg) -> Vec<String> {
    let mut lacks = Vec::new();
    let mut need = |has: bool, kind: &str, name: &str| {
        let text = format!("{kind} {name}");
        if !has && !lacks.contains(&text) {
            lacks.push(text);
        }
    };
    let moving = MediaType::ALL
        .into_iter()
        .filter(|media| matches!(media.class(), MediaClass::Video | MediaClass::Audio));
    for container in moving.filter_map(container::of) {
        need(ffmpeg.reads(container.demuxer), "demuxer", container.demuxer);
        need(ffmpeg.writes(container.muxer), "muxer", container.muxer);
        need(ffmpeg.encodes(container.audio.encoder()), "encoder", container.audio.encoder());
        for codec in container.video {
            need(ffmpeg.encodes(codec.encoder()), "encoder", codec.encoder());
        }
    }
    for (kind, name) in [("demuxer", "gif"), ("demuxer", "apng")] {
        need(ffmpeg.reads(name), kind, name);
    }
    for name in ["gif", "libwebp_anim", "png"] {
        need(ffmpeg.encodes(name), "encoder", name);
    }
    lacks
}
