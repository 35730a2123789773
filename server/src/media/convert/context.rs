//! What the steps of one conversion share: its folder, its children, how far it is, and how it ends.

use std::path::PathBuf;
use std::sync::Mutex;

use filepress_wire::{MediaType, TaskErrorCode};
use tokio::time::Instant;

use super::child_failure;
use crate::media::engine::{self, Made, Reply, Request};
use crate::media::environment::Found;
use crate::media::ffmpeg::{self, arguments, ffprobe, media_info, progress::Progress, tags::Tags};
use crate::media::sandbox::{Bounds, Children, Finished, INPUT, Session, Task, Tool};
use crate::media::tools::Program;
use crate::media::{Failure, Plan, Work};
use crate::workload::Lane;

/// One conversion.
pub(in crate::media) struct Context<'a> {
    pub(super) found: &'a Found,
    pub(super) plan: &'a Plan,
    pub(super) work: &'a Work<'a>,
    /// Bytes of the input.
    pub(super) input_size: u64,
    pub(super) folder: PathBuf,
    input: PathBuf,
    bounds: Bounds,
    children: Children,
    deadline: Instant,
    /// The share that was told last.
    told: Mutex<f64>,
}

impl<'a> Context<'a> {
    /// Looks at the files and starts the clock.
    pub(in crate::media) async fn open(
        found: &'a Found,
        plan: &'a Plan,
        work: &'a Work<'a>,
    ) -> Result<Self, Failure> {
        let infrastructure =
            |what: &'static str| move |error| Failure::Infrastructure(format!("{what}: {error}"));
        let input = tokio::fs::canonicalize(work.input).await.map_err(infrastructure("the input"))?;
        let folder = tokio::fs::canonicalize(work.scratch).await.map_err(infrastructure("the folder"))?;
        let input_size = tokio::fs::metadata(&input).await.map_err(infrastructure("the input"))?.len();
        let (time, threads) = match plan.lane() {
            Lane::Image => (work.caps.image_time, 1),
            Lane::Heavy => (work.caps.time, found.threads as u64),
        };
        let bounds = Bounds::of(work.caps, time, threads);
        let deadline = Instant::now() + time;
        let children = found.sandbox()?.children(bounds)?;
        let told = Mutex::new(0.0);
        Ok(Self { found, plan, work, input_size, folder, input, bounds, children, deadline, told })
    }

    /// The fixed name of the result.
    pub(super) fn output_name(&self) -> String {
        name_of("output", self.plan.output)
    }

    /// Tells how far it is; never less than before.
    pub(super) fn progress(&self, share: f64) {
        let Ok(mut told) = self.told.lock() else { return };
        let share = share.clamp(0.0, 1.0);
        if share > *told {
            *told = share;
            (self.work.progress)(share);
        }
    }

    /// Runs a program of the machine.
    pub(super) async fn tool<'t>(
        &self,
        program: Option<&'t Program>,
        arguments: Vec<String>,
        on_line: Option<&'t mut (dyn FnMut(&str) + Send)>,
    ) -> Result<Finished, Failure> {
        let program = program.ok_or_else(|| Failure::Infrastructure("a tool is not installed".to_owned()))?;
        self.session()?.run(Task { tool: Tool::Program(&program.path), arguments, on_line }).await
    }

    fn session(&self) -> Result<Session<'_>, Failure> {
        Ok(Session {
            sandbox: self.found.sandbox()?,
            input: Some(&self.input),
            folder: &self.folder,
            bounds: self.bounds,
            children: &self.children,
            deadline: self.deadline,
            cancel: self.work.cancel.clone(),
        })
    }

    /// Runs the image engine.
    pub(super) async fn engine(&self, request: &Request) -> Result<Made, Failure> {
        let argument = serde_json::to_string(request)
            .map_err(|error| Failure::Infrastructure(format!("a request to the engine: {error}")))?;
        let task = Task { tool: Tool::Engine, arguments: vec![argument], on_line: None };
        let finished = self.session()?.run(task).await?;
        let reply = serde_json::from_slice(&finished.stdout);
        match reply {
            Ok(Reply::Made(made)) if finished.is_success() => Ok(made),
            Ok(Reply::Fault(fault)) if fault.code == TaskErrorCode::Internal => {
                Err(Failure::Infrastructure(format!("the engine: {}", fault.detail)))
            }
            Ok(Reply::Fault(fault)) => Err(Failure::file(fault.code, fault.detail)),
            _ => Err(child_failure::crashed(&finished)),
        }
    }

    /// An image of the folder, within the bounds.
    pub(super) fn image(&self, file: &str, from: MediaType) -> engine::Inspection {
        engine::Inspection { input: file.to_owned(), from, bounds: self.engine_bounds() }
    }

    /// The bounds that the engine holds by itself.
    pub(super) fn engine_bounds(&self) -> engine::Bounds {
        let caps = self.work.caps;
        engine::Bounds {
            bytes: caps.memory / 4,
            pixels: caps.pixels,
            memory: caps.memory / 4 * 3,
            frames: caps.frames,
        }
    }

    /// The seconds until the conversion has to be done.
    pub(super) fn seconds_left(&self) -> f64 {
        self.deadline.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// The facts of the input, by ffprobe, held against the bounds.
    pub(super) async fn probe_input(&self, demuxer: &str, file: &str) -> Result<media_info::Facts, Failure> {
        let facts = self.probe(demuxer, file).await?;
        facts.check(self.work.caps)?;
        Ok(facts)
    }

    /// The facts of a file of the folder, by ffprobe.
    pub(super) async fn probe(&self, demuxer: &str, file: &str) -> Result<media_info::Facts, Failure> {
        let said = self.ffprobe(ffprobe::arguments(demuxer, file)).await?;
        let mut facts = media_info::Facts::read(&said).ok_or_else(|| {
            Failure::file(TaskErrorCode::CorruptFile, "The file says nothing sensible of itself.")
        })?;
        // The metadata of HDR10 are often in the frames alone.
        if let Some(color) =
            facts.video.as_mut().map(|video| &mut video.color).filter(|color| color.hdr().is_some())
        {
            color.add_frame(&self.ffprobe(ffprobe::frame_arguments(demuxer, file)).await?);
        }
        Ok(facts)
    }

    /// The tags of a file of the folder, by ffprobe.
    pub(super) async fn tags(&self, demuxer: &str, file: &str) -> Result<Tags, Failure> {
        Ok(Tags::read(&self.ffprobe(ffprobe::tag_arguments(demuxer, file)).await?))
    }

    async fn ffprobe(&self, arguments: Vec<String>) -> Result<Vec<u8>, Failure> {
        let finished = self.tool(self.found.tools.ffprobe.as_ref(), arguments, None).await?;
        match finished.is_success() {
            true => Ok(finished.stdout),
            false => Err(ffmpeg::stderr::of(&finished, self.plan.input)),
        }
    }

    /// What every call of ffmpeg begins and ends with.
    pub(super) fn call<'c>(&self, demuxer: &'c str, input: &'c str, output: String) -> arguments::Call<'c> {
        let caps = self.work.caps;
        arguments::Call {
            demuxer,
            input,
            decoder: None,
            output,
            trim: self.plan.settings.trim,
            strip_metadata: self.plan.settings.strip_metadata,
            threads: self.found.threads,
            bounds: arguments::Bounds {
                pixels: caps.pixels,
                frames: caps.frames,
                seconds: caps.duration.as_secs_f64(),
                bytes: caps.output,
            },
        }
    }

    /// Runs ffmpeg, told of as the share from `from` to `to` of the whole; refuses what it stopped at a bound.
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
        let program = self.found.tools.ffmpeg.as_ref().map(|ffmpeg| &ffmpeg.program);
        let finished = self.tool(program, arguments, Some(&mut read)).await?;
        if !finished.is_success() {
            return Err(ffmpeg::stderr::of(&finished, self.plan.input));
        }
        child_failure::check_bounds(self.work.caps, &progress)?;
        self.progress(to);
        Ok(progress)
    }

    /// The bytes of a file of the folder; none where it is not there or empty.
    pub(super) async fn size_of(&self, file: &str) -> Option<u64> {
        let metadata = tokio::fs::metadata(self.path(file)).await.ok()?;
        Some(metadata.len()).filter(|size| *size > 0)
    }

    /// A file of the folder.
    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }
}

/// A fixed name with the extension of a type, by which some tools know what to write.
pub(super) fn name_of(stem: &str, media: MediaType) -> String {
    format!("{stem}.{}", media.extensions().first().copied().unwrap_or("bin"))
}

/// The name of the input in the folder.
pub(super) const SOURCE: &str = INPUT;
