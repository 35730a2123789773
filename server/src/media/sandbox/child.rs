//! Runs one child process with a deadline and bounded output, and kills its whole process group on failure.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use filepress_wire::TaskErrorCode;
use rustix::process::{Pid, Signal};
use tokio::process::{Child, Command};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cgroup::Cgroup;
use super::pipes::{first, last, lines};
use super::process_group::ProcessGroup;
use super::resource_monitor::{Children, too_much_memory};
use super::{ConfinementLevel, INPUT, ResourceLimits, Sandbox};
use crate::media::jail::profile::Profile;
use crate::media::{Failure, jail, join_cgroup};

/// The environment of a child, besides `TMPDIR`. OpenBLAS, a dependency of ffmpeg, would start threads of its own.
pub(super) const ENVIRONMENT: [(&str, &str); 4] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("LC_ALL", "C.UTF-8"),
    ("HOME", "/nonexistent"),
    ("OPENBLAS_NUM_THREADS", "1"),
];

/// Signals that a service manager, a guard against full memory or a person sends, and no tool to itself.
const FROM_OUTSIDE: [Signal; 4] = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP];

/// The statuses with which ffmpeg ends after one signal that it handles, and after several.
const FFMPEG_SIGNALLED: [i32; 2] = [255, 123];

/// What the child processes of one conversion share.
pub(in crate::media) struct SandboxSession<'a> {
    pub(in crate::media) sandbox: &'a Sandbox,
    /// The absolute path of the user's file, if there is one.
    pub(in crate::media) input: Option<&'a Path>,
    /// The absolute path of the working directory.
    pub(in crate::media) folder: &'a Path,
    pub(in crate::media) resource_limits: ResourceLimits,
    /// The running children.
    pub(in crate::media) children: &'a Children,
    pub(in crate::media) deadline: Instant,
    pub(in crate::media) cancel: CancellationToken,
}

/// What to run.
#[derive(Debug, Clone, Copy)]
pub(in crate::media) enum Tool<'a> {
    /// A known program.
    Program(&'a Path),
    /// Any program, with the profile of another.
    As(Profile, &'a Path),
    /// The image engine in the service's binary.
    Engine,
}

/// A call of a tool.
pub(in crate::media) struct ToolCall<'a> {
    pub(in crate::media) tool: Tool<'a>,
    pub(in crate::media) arguments: Vec<String>,
    /// Called with each line of standard output; without it the output is collected.
    pub(in crate::media) on_line: Option<&'a mut (dyn FnMut(&str) + Send)>,
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum ChildExit {
    Exit(i32),
    Signal(i32),
}

/// The output of a child that ended by itself.
#[derive(Debug)]
pub(in crate::media) struct ChildOutput {
    pub(in crate::media) end: ChildExit,
    pub(in crate::media) stdout: Vec<u8>,
    /// For the log and for recognizing errors. It may contain paths, so users never see it.
    pub(in crate::media) stderr: String,
}

impl SandboxSession<'_> {
    /// Runs a tool to its end. A nonzero exit status is an error only if its cause is known: time, output size or the sandbox.
    pub(in crate::media) async fn run(&self, task: ToolCall<'_>) -> Result<ChildOutput, Failure> {
        if self.cancel.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let profile = profile_of(task.tool)?;
        let mut child = self.spawn(&task, profile)?;
        let started = Instant::now();
        let root = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let group = ProcessGroup::of(root);
        let monitored = root.map(|root| self.children.add(root));
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        let mut on_line = task.on_line;
        let communicate = async {
            let output = async {
                match &mut on_line {
                    Some(on_line) => lines(stdout, *on_line).await.map(|()| Vec::new()),
                    None => first(stdout).await,
                }
            };
            let (stdout, stderr) = tokio::try_join!(output, last(stderr))?;
            Ok::<_, std::io::Error>((child.wait().await?, stdout, stderr))
        };
        let ended = tokio::select! {
            ended = communicate => ended.map_err(|error| Failure::Infrastructure(format!("cannot read from a child process: {error}"))),
            () = self.cancel.cancelled() => Err(Failure::Cancelled),
            () = tokio::time::sleep_until(self.deadline) => Err(timed_out()),
            failure = self.children.until_exceeded(self.resource_limits, self.folder, self.input) => Err(failure),
        };
        match ended {
            Ok((status, stdout, stderr)) => {
                group.forget();
                let stderr = String::from_utf8_lossy(&stderr).into_owned();
                let end = self.end(status, profile, started);
                self.classify(ChildOutput { end, stdout, stderr })
            }
            Err(failure) => {
                // The processes write to the directory until they have ended.
                if let Some(monitored) = &monitored {
                    monitored.end(|| drop(group)).await;
                }
                let _ = child.wait().await;
                Err(failure)
            }
        }
    }

    fn spawn(&self, task: &ToolCall<'_>, profile: Profile) -> Result<Child, Failure> {
        let tool: OsString = match task.tool {
            Tool::Program(path) | Tool::As(_, path) => path.into(),
            Tool::Engine => jail::ENGINE.into(),
        };
        if self.sandbox.level != ConfinementLevel::Bubblewrap {
            self.link_input()
                .map_err(|error| Failure::Infrastructure(format!("cannot link the input: {error}")))?;
        }
        let command = std::iter::once(tool).chain(task.arguments.iter().map(OsString::from)).collect();
        let line = self.sandbox.command_line(self.input, self.folder, self.resource_limits, profile, command);
        let mut line = self.join_cgroup_command().chain(line);
        let program = line.next().unwrap_or_default();
        Command::new(&program)
            .args(line)
            .current_dir(self.folder)
            .env_clear()
            .envs(ENVIRONMENT)
            .env("TMPDIR", self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| Failure::Infrastructure(format!("cannot start {}: {error}", program.display())))
    }

    /// The arguments before a command that make it join the cgroup.
    fn join_cgroup_command(&self) -> impl Iterator<Item = OsString> {
        let group = self.children.group().map(Cgroup::processes);
        let program = self.sandbox.program.clone();
        group
            .into_iter()
            .flat_map(move |group| [program.clone().into(), join_cgroup::NAME.into(), group.into()])
    }

    /// Without bubblewrap, the input is a symbolic link: the child could write through a hard link. A link of an earlier session
    /// in the same directory is replaced if it names another input.
    fn link_input(&self) -> std::io::Result<()> {
        let Some(input) = self.input else { return Ok(()) };
        let link = self.folder.join(INPUT);
        if std::fs::read_link(&link).is_ok_and(|earlier| earlier != input) {
            std::fs::remove_file(&link)?;
        }
        match std::os::unix::fs::symlink(input, &link) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        }
    }

    /// bubblewrap reports a signal as exit status 128 plus its number, as shells do. ffmpeg does not tell which signal it was: that for
    /// its processor time if all processors together can have used that up.
    fn end(&self, status: ExitStatus, profile: Profile, started: Instant) -> ChildExit {
        match (status.code(), status.signal()) {
            (Some(code), _) if profile == Profile::Ffmpeg && FFMPEG_SIGNALLED.contains(&code) => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
                let most = started.elapsed().as_secs().saturating_add(1).saturating_mul(processors);
                let signal = if most < self.resource_limits.cpu { Signal::TERM } else { Signal::XCPU };
                ChildExit::Signal(signal.as_raw())
            }
            (Some(code @ 129..=159), _) if self.sandbox.level == ConfinementLevel::Bubblewrap => {
                ChildExit::Signal(code - 128)
            }
            (Some(code), _) => ChildExit::Exit(code),
            (None, signal) => ChildExit::Signal(signal.unwrap_or_default()),
        }
    }

    /// Maps the ends that mean the same for every tool.
    fn classify(&self, finished: ChildOutput) -> Result<ChildOutput, Failure> {
        let is = |signal: Signal| finished.end == ChildExit::Signal(signal.as_raw());
        if finished.end == ChildExit::Exit(i32::from(jail::FAILED))
            || (finished.end == ChildExit::Exit(1) && finished.stderr.starts_with("bwrap: "))
        {
            return Err(Failure::Infrastructure(format!("the sandbox failed: {}", finished.stderr.trim())));
        }
        if is(Signal::XCPU) {
            return Err(timed_out());
        }
        if is(Signal::XFSZ) {
            return Err(Failure::file(
                TaskErrorCode::OutputTooLarge,
                format!(
                    "A file of the conversion exceeds the maximum of {} bytes.",
                    self.resource_limits.file
                ),
            ));
        }
        if self.children.group().is_some_and(Cgroup::ran_out_of_memory) {
            return Err(too_much_memory(self.resource_limits));
        }
        if FROM_OUTSIDE.into_iter().any(is) {
            return Err(Failure::Infrastructure(
                "a child process was ended from outside, possibly because the machine ran out of memory"
                    .to_owned(),
            ));
        }
        Ok(finished)
    }
}

impl ChildOutput {
    /// Whether it exited with status 0.
    pub(in crate::media) fn is_success(&self) -> bool {
        self.end == ChildExit::Exit(0)
    }
}

/// Which system calls a tool may make.
fn profile_of(tool: Tool<'_>) -> Result<Profile, Failure> {
    match tool {
        Tool::Program(path) => Profile::of(path).ok_or_else(|| {
            Failure::Infrastructure(format!("there is no system call profile for {}", path.display()))
        }),
        Tool::As(profile, _) => Ok(profile),
        Tool::Engine => Ok(Profile::Engine),
    }
}

fn timed_out() -> Failure {
    Failure::file(
        TaskErrorCode::TimedOut,
        "The conversion exceeded its time limit. Use a shorter or smaller file, or a faster preset.",
    )
}
