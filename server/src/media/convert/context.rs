//! The shared state of one conversion: its working directory, child processes, limits and progress.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use filepress_wire::{MediaType, TaskErrorCode};
use tokio::time::Instant;

use super::{child_failure, truncation};
use crate::lanes::Lane;
use crate::media::engine::{self, EngineOutput, Request, Response};
use crate::media::environment::Environment;
use crate::media::ffmpeg::{self, arguments, ffprobe, filters, media_info, progress::Progress, tags::Tags};
use crate::media::sandbox::{ChildOutput, Children, INPUT, ResourceLimits, SandboxSession, Tool, ToolCall};
use crate::media::tools::Program;
use crate::media::{ConversionJob, Failure, Plan};

/// One conversion.
pub(in crate::media) struct Context<'a> {
    pub(super) environment: &'a Environment,
    pub(super) plan: &'a Plan,
    pub(super) job: &'a ConversionJob<'a>,
    /// The size of all inputs in bytes.
    pub(super) input_size: u64,
    pub(super) folder: PathBuf,
    /// The inputs, in the order of the plan.
    inputs: Vec<PathBuf>,
    resource_limits: ResourceLimits,
    children: Children,
    deadline: Instant,
    /// The last reported progress.
    told: Mutex<f64>,
    /// A tool could not read the whole input.
    is_damaged: AtomicBool,
}

impl<'a> Context<'a> {
    /// Resolves the paths and starts the deadline.
    pub(in crate::media) async fn open(
        environment: &'a Environment,
        plan: &'a Plan,
        job: &'a ConversionJob<'a>,
    ) -> Result<Self, Failure> {
        let infrastructure =
            |what: &'static str| move |error| Failure::Infrastructure(format!("{what}: {error}"));
        let (mut inputs, mut input_size) = (Vec::new(), 0);
        for path in std::iter::once(job.input).chain(job.more_inputs.iter().map(PathBuf::as_path)) {
            let path = tokio::fs::canonicalize(path).await.map_err(infrastructure("cannot open an input"))?;
            let metadata =
                tokio::fs::metadata(&path).await.map_err(infrastructure("cannot open an input"))?;
            input_size += metadata.len();
            inputs.push(path);
        }
        let folder = tokio::fs::canonicalize(job.scratch)
            .await
            .map_err(infrastructure("cannot open the working directory"))?;
        let (time, threads) = match plan.lane() {
            Lane::Image => (job.limits.image_time, 1),
            Lane::Heavy => (job.limits.time, environment.threads as u64),
        };
        let resource_limits = ResourceLimits::of(job.limits, time, threads);
        let deadline = Instant::now() + time;
        let children = environment.sandbox()?.children(resource_limits)?;
        let told = Mutex::new(0.0);
        Ok(Self {
            environment,
            plan,
            job,
            input_size,
            folder,
            inputs,
            resource_limits,
            children,
            deadline,
            told,
            is_damaged: AtomicBool::new(false),
        })
    }

    /// The fixed name of the output.
    pub(super) fn output_name(&self) -> String {
        name_of("output", self.plan.output)
    }

    /// Reports the progress, which never decreases.
    pub(super) fn progress(&self, share: f64) {
        let Ok(mut told) = self.told.lock() else { return };
        let share = share.clamp(0.0, 1.0);
        if share > *told {
            *told = share;
            (self.job.progress)(share);
        }
    }

    /// Runs an installed program.
    pub(super) async fn tool<'t>(
        &self,
        program: Option<&'t Program>,
        arguments: Vec<String>,
        on_line: Option<&'t mut (dyn FnMut(&str) + Send)>,
    ) -> Result<ChildOutput, Failure> {
        let program = program.ok_or_else(|| Failure::Infrastructure("a tool is not installed".to_owned()))?;
        self.sandbox_session(0)?
            .run(ToolCall { tool: Tool::Program(&program.path), arguments, on_line })
            .await
    }

    /// A session whose children see one of the inputs.
    fn sandbox_session(&self, input: usize) -> Result<SandboxSession<'_>, Failure> {
        Ok(SandboxSession {
            sandbox: self.environment.sandbox()?,
            input: self.inputs.get(input).map(PathBuf::as_path),
            folder: &self.folder,
            resource_limits: self.resource_limits,
            children: &self.children,
            deadline: self.deadline,
            cancel: self.job.cancel.clone(),
        })
    }

    /// Runs the image engine on the first input.
    pub(super) async fn engine(&self, request: &Request) -> Result<EngineOutput, Failure> {
        self.engine_on(0, request).await
    }

    /// Runs the image engine on one of the inputs.
    pub(super) async fn engine_on(&self, input: usize, request: &Request) -> Result<EngineOutput, Failure> {
        let argument = serde_json::to_string(request).map_err(|error| {
            Failure::Infrastructure(format!("cannot serialize a request to the engine: {error}"))
        })?;
        let task = ToolCall { tool: Tool::Engine, arguments: vec![argument], on_line: None };
        let finished = self.sandbox_session(input)?.run(task).await?;
        let reply = serde_json::from_slice(&finished.stdout);
        match reply {
            Ok(Response::Success(made)) if finished.is_success() => Ok(made),
            Ok(Response::Failure(fault)) if fault.code == TaskErrorCode::Internal => {
                Err(Failure::Infrastructure(format!("the engine: {}", fault.detail)))
            }
            Ok(Response::Failure(fault)) => Err(Failure::file(fault.code, fault.detail)),
            _ => Err(child_failure::engine_crashed(&finished)),
        }
    }

    /// An image in the working directory, with the limits for reading it.
    pub(super) fn image(&self, file: &str, from: MediaType) -> engine::ImageSource {
        engine::ImageSource { input: file.to_owned(), from, limits: self.engine_limits(), is_upright: false }
    }

    /// The limits that the engine enforces itself.
    pub(super) fn engine_limits(&self) -> engine::InputLimits {
        let limits = self.job.limits;
        engine::InputLimits {
            bytes: limits.memory / 4,
            pixels: limits.pixels,
            memory: limits.memory / 4 * 3,
            frames: limits.frames,
        }
    }

    /// The seconds until the deadline.
    pub(super) fn seconds_left(&self) -> f64 {
        self.deadline.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// Probes the input with ffprobe, checks the limits, and notes whether the file is truncated.
    pub(super) async fn probe_input(
        &self,
        demuxer: &str,
        file: &str,
    ) -> Result<media_info::MediaInfo, Failure> {
        let info = self.probe(demuxer, file).await?;
        info.check(self.job.limits)?;
        let is_truncated = truncation::is_truncated(self.job.input, self.plan.input).await?;
        self.is_damaged.fetch_or(is_truncated, Ordering::Relaxed);
        Ok(info)
    }

    /// Records that the output contains only what could be read of the input.
    pub(super) fn note_damage(&self) {
        self.is_damaged.store(true, Ordering::Relaxed);
    }

    /// Whether a step found that the input is damaged or incomplete.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Probes a file in the working directory with ffprobe.
    pub(super) async fn probe(&self, demuxer: &str, file: &str) -> Result<media_info::MediaInfo, Failure> {
        let said = self.ffprobe(ffprobe::arguments(demuxer, file)).await?;
        let mut info = media_info::MediaInfo::read(&said).ok_or_else(|| {
            Failure::file(TaskErrorCode::CorruptFile, "The headers of the file cannot be read.")
        })?;
        // HDR10 metadata is often only in the frames.
        if let Some(color) =
            info.video.as_mut().map(|video| &mut video.color).filter(|color| color.hdr().is_some())
        {
            color.add_frame(&self.ffprobe(ffprobe::frame_arguments(demuxer, file)).await?);
        }
        Ok(info)
    }

    /// Reads the tags of a file in the working directory with ffprobe.
    pub(super) async fn tags(&self, demuxer: &str, file: &str) -> Result<Tags, Failure> {
        Ok(Tags::read(&self.ffprobe(ffprobe::tag_arguments(demuxer, file)).await?))
    }

    async fn ffprobe(&self, arguments: Vec<String>) -> Result<Vec<u8>, Failure> {
        let finished = self.tool(self.environment.tools.ffprobe.as_ref(), arguments, None).await?;
        match finished.is_success() {
            true => Ok(finished.stdout),
            false => Err(ffmpeg::stderr::failure(&finished, self.plan.input)),
        }
    }

    /// The common arguments of ffmpeg commands. [`Self::finish`] refuses an output that ffmpeg cut because of its size.
    pub(super) fn ffmpeg_command<'c>(
        &self,
        demuxer: &'c str,
        input: &'c str,
        output: String,
    ) -> arguments::FfmpegCommand<'c> {
        let limits = self.job.limits;
        arguments::FfmpegCommand {
            demuxer,
            input,
            decoder: None,
            output,
            trim: self.plan.settings.trim,
            strip_metadata: self.plan.settings.strip_metadata,
            threads: self.environment.threads,
            limits: arguments::OutputLimits {
                pixels: limits.pixels,
                // One more than is allowed: an output may have as many as that.
                frames: limits.frames.saturating_add(1),
                seconds: limits.duration.as_secs_f64(),
                bytes: Some(limits.output.saturating_add(1)),
            },
        }
    }

    /// Runs ffmpeg and reports its progress as `from` to `to` of the whole. Fails if ffmpeg stopped at a limit.
    pub(super) async fn ffmpeg(
        &self,
        arguments: Vec<String>,
        (seconds, frames): (f64, u64),
        (from, to): (f64, f64),
    ) -> Result<Progress, Failure> {
        let mut progress = Progress::default();
        let mut read = |line: &str| {
            if progress.read(line) {
                self.progress(from + (to - from) * progress.share(seconds, frames));
            }
        };
        let program = self.environment.tools.ffmpeg.as_ref().map(|ffmpeg| &ffmpeg.program);
        let finished = self.tool(program, arguments, Some(&mut read)).await?;
        if !finished.is_success() {
            return Err(ffmpeg::stderr::failure(&finished, self.plan.input));
        }
        child_failure::check_limits(self.job.limits, &progress)?;
        if ffmpeg::stderr::tells_damage(&finished.stderr) {
            self.note_damage();
        }
        self.progress(to);
        Ok(progress)
    }

    /// Whether a frame of a file in the working directory has a transparent pixel.
    pub(super) async fn is_transparent(&self, demuxer: &str, file: &str) -> Result<bool, Failure> {
        let mut found = false;
        let mut read = |line: &str| found |= filters::has_transparent_pixel(line);
        let call = self.ffmpeg_command(demuxer, file, String::new());
        let program = self.environment.tools.ffmpeg.as_ref().map(|ffmpeg| &ffmpeg.program);
        let finished = self.tool(program, call.alpha_statistics(), Some(&mut read)).await?;
        match finished.is_success() {
            true => Ok(found),
            false => Err(ffmpeg::stderr::failure(&finished, self.plan.input)),
        }
    }

    /// The size of a file in the working directory; `None` if it is missing or empty.
    pub(super) async fn size_of(&self, file: &str) -> Option<u64> {
        let metadata = tokio::fs::metadata(self.path(file)).await.ok()?;
        Some(metadata.len()).filter(|size| *size > 0)
    }

    /// The path of a file in the working directory.
    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }
}

/// A fixed name with the extension of a type; some tools choose the output format by it.
pub(super) fn name_of(stem: &str, media: MediaType) -> String {
    format!("{stem}.{}", media.extensions().first().copied().unwrap_or("bin"))
}

/// The name of the input in the working directory.
pub(super) const INPUT_FILE: &str = INPUT;
