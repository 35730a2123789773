//! Runs any program in the sandbox of the tools.

use std::path::Path;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::sandbox::{ChildExit, ResourceLimits, SandboxSession, Tool, ToolCall};
use super::{Failure, Profile, Toolbox};
use crate::config::ConversionLimits;

/// A program to run.
#[derive(Debug)]
pub struct SandboxedCommand<'a> {
    /// The tool whose system calls are allowed.
    pub profile: Profile,
    /// Its path inside the sandbox.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its current directory, which it may write.
    pub folder: &'a Path,
    /// A file that it may read, as `input` in its current directory.
    pub input: Option<&'a Path>,
    /// Its limits: time, memory, processes, disk and output apply.
    pub limits: &'a ConversionLimits,
}

/// The output of a program that ended by itself.
#[derive(Debug)]
pub struct CommandOutput {
    /// Its exit status; 128 plus the number of a signal.
    pub status: i32,
    /// The first 4 MiB of its standard output.
    pub stdout: Vec<u8>,
    /// The last 16 KiB of its standard error.
    pub stderr: String,
}

impl Toolbox {
    /// Runs a program in the sandbox of the tools.
    ///
    /// # Errors
    /// [`Failure`] if it exceeds a limit or the sandbox does not work.
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
