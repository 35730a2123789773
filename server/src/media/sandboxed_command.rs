//! Any program, run as a conversion runs its tools.

use std::path::Path;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::sandbox::{Bounds, End, Session, Task, Tool};
use super::{Failure, Profile, Toolbox};
use crate::config::Caps;

/// A program to run.
#[derive(Debug)]
pub struct Confined<'a> {
    /// The tool whose system calls it may make.
    pub profile: Profile,
    /// Where it is inside of the confinement.
    pub program: &'a Path,
    /// What it is told.
    pub arguments: Vec<String>,
    /// The folder that it may write, and runs in.
    pub folder: &'a Path,
    /// A file that it may read, named `input` in the folder.
    pub input: Option<&'a Path>,
    /// Its bounds, of which those of a tool hold: time, memory, processes, disk, output.
    pub caps: &'a Caps,
}

/// A program that ended by itself.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status; of a signal, 128 and its number.
    pub status: i32,
    /// The first 4 MiB that it printed.
    pub stdout: Vec<u8>,
    /// The last 16 KiB of its complaints.
    pub stderr: String,
}

impl Toolbox {
    /// Runs a program as a conversion runs its tools.
    ///
    /// # Errors
    /// [`Failure`]: it went over a bound, or the confinement does not work.
    pub async fn confine(&self, confined: Confined<'_>) -> Result<Ended, Failure> {
        let told = |error: std::io::Error| Failure::Infrastructure(error.to_string());
        let folder = std::fs::canonicalize(confined.folder).map_err(told)?;
        let input = confined.input.map(std::fs::canonicalize).transpose().map_err(told)?;
        let caps = confined.caps;
        let sandbox = self.found.sandbox()?;
        let bounds = Bounds::of(caps, caps.time, 1);
        let session = Session {
            sandbox,
            input: input.as_deref(),
            folder: &folder,
            bounds,
            children: &sandbox.children(bounds)?,
            deadline: Instant::now() + caps.time,
            cancel: CancellationToken::new(),
        };
        let tool = Tool::As(confined.profile, confined.program);
        let finished = session.run(Task { tool, arguments: confined.arguments, on_line: None }).await?;
        let status = match finished.end {
            End::Exit(status) => status,
            End::Signal(signal) => 128 + signal,
        };
        Ok(Ended { status, stdout: finished.stdout, stderr: finished.stderr })
    }
}
