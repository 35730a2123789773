//! `filepress-server jail`: sandboxes itself, then executes a program.
//!
//! Resource limits and filters must be set between fork and exec, which needs `unsafe` code in the parent process. Instead the service
//! starts its own binary, which sets them for itself and then executes the tool, inside bubblewrap or alone. It reads no user file.
//!
//! `jail [--landlock] [--read PATH]… [--write PATH] --profile NAME --memory BYTES --cpu SECONDS --file BYTES -- (engine | PROGRAM)
//! ARGUMENT…`

mod capabilities;
pub(super) mod landlock;
pub(super) mod profile;
mod seccomp;
mod syscalls;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::ValueEnum;
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};

use super::{engine, print_error};
use profile::Profile;

/// The exit status if the sandbox failed, and not the program.
pub(super) const FAILED: u8 = 125;
/// Used instead of a path to run the engine in this process.
pub(super) const ENGINE: &str = "engine";

/// The limit of open files: ffmpeg and its libraries need some dozen.
const MAX_OPEN_FILES: u64 = 256;
/// The limit of processes and threads of the user; the kernel also counts those outside of a user namespace.
const MAX_PROCESSES: u64 = 4096;
/// Seconds between SIGXCPU and SIGKILL.
const CPU_GRACE: u64 = 5;

/// The arguments.
#[derive(Default)]
struct JailOptions {
    landlock: bool,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    profile: Option<Profile>,
    memory: u64,
    cpu: u64,
    file: u64,
    command: Vec<OsString>,
}

/// Runs the subcommand; `arguments` follow its name. Returns only on failure, or after the engine ran.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(options) = JailOptions::parse(arguments) else {
        print_error("jail: invalid arguments");
        return ExitCode::from(FAILED);
    };
    if let Err(error) = options.confine() {
        print_error(&format!("jail: {error}"));
        return ExitCode::from(FAILED);
    }
    let mut command = options.command.into_iter();
    let program = command.next().unwrap_or_default();
    if program == ENGINE {
        return engine::main(command);
    }
    let error = Command::new(&program).args(command).exec();
    print_error(&format!("jail: cannot start the program: {error}"));
    ExitCode::from(FAILED)
}

impl JailOptions {
    fn parse(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut options = Self::default();
        loop {
            let option = arguments.next()?;
            let mut number = || arguments.next()?.to_str()?.parse().ok();
            match option.to_str()? {
                "--landlock" => options.landlock = true,
                "--profile" => {
                    options.profile = Some(Profile::from_str(arguments.next()?.to_str()?, false).ok()?)
                }
                "--memory" => options.memory = number()?,
                "--cpu" => options.cpu = number()?,
                "--file" => options.file = number()?,
                "--read" => options.read.push(arguments.next()?.into()),
                "--write" => options.write.push(arguments.next()?.into()),
                "--" => break,
                _ => return None,
            }
        }
        options.command = arguments.collect();
        let bounded = options.memory > 0 && options.cpu > 0 && options.file > 0;
        (bounded && options.profile.is_some() && !options.command.is_empty()).then_some(options)
    }

    /// Sets the limits first, because the filter refuses these calls, and the filter last.
    fn confine(&self) -> Result<(), Box<dyn std::error::Error>> {
        let profile = self.profile.ok_or("no profile")?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        limit(Resource::As, self.memory, self.memory)?;
        limit(Resource::Cpu, self.cpu, self.cpu.saturating_add(CPU_GRACE))?;
        limit(Resource::Fsize, self.file, self.file)?;
        limit(Resource::Nofile, MAX_OPEN_FILES, MAX_OPEN_FILES)?;
        limit(Resource::Nproc, MAX_PROCESSES, MAX_PROCESSES)?;
        limit(Resource::Core, 0, 0)?;
        capabilities::drop_all()?;
        if self.landlock {
            landlock::restrict(&self.read, &self.write)?;
        }
        seccomp::install(profile)
    }
}

/// Sets a limit; never raises a lower one.
fn limit(resource: Resource, soft: u64, hard: u64) -> rustix::io::Result<()> {
    let highest = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit = Rlimit { current: Some(soft.min(highest)), maximum: Some(hard.min(highest)) };
    setrlimit(resource, limit)
}
