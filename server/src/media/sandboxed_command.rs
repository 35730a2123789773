//! Any program, run as a conversion runs its tools.

use std::path::Path;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::sandbox::{ChildExit, ResourceLimits, SandboxSession, Tool, ToolCall};
use super::{Failure, Profile, Toolbox};
use crate::config::ConversionLimits;

/// A program to run.
#[derive(Debug)]
pub struct SandboxedCommand<'a> {
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
    pub limits: &'a ConversionLimits,
}

/// A program that ended by itself.
#[derive(Debug)]
pub struct CommandOutput {
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
    pub async fn confine(&self, confined: SandboxedCommand<'_>) -> Result<CommandOutput, Failure> {
        let told = |error: std::io::Error| Failure::Infrastructure(error.to_string());
        let folder = std::fs::canonicalize(confined.folder).map_err(told)?;
        let input = confined.input.map(std::fs::canonicalize).transpose().map_err(told)?;
        let limits = confined.limits;
        let sandbox = self.environment.sandbox()?;
        let resource_limits = ResourceLimits::of(limits, limits.time, 1);
        let sandbox_session = SandboxSession {
            sandbox,
            input: input.as_deref(),
            folder: &folder,
            resource_limits,
            children: &sandbox.children(resource_limits)?,
            deadline: Instant::now() + limits.time,
            cancel: CancellationToken::new(),
        };
        let tool = Tool::As(confined.profile, confined.program);
        let finished =
            sandbox_session.run(ToolCall { tool, arguments: confined.arguments, on_line: None }).await?;
        let status = match finished.end {
            ChildExit::Exit(status) => status,
            ChildExit::Signal(signal) => 128 + signal,
        };
        Ok(CommandOutput { status, stdout: finished.stdout, stderr: finished.stderr })
    }
}
