//! `filepress-server jail`: confines itself, then becomes the program it was given.
//!
//! The limits of a process can be set only from within it, between fork and exec, and `unsafe` is forbidden here; so the own
//! binary stands between. It runs inside of bubblewrap, or alone. Nothing here reads a file of a user.
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

/// The exit status that says that the confinement failed, and not the program.
pub(super) const FAILED: u8 = 125;
/// Instead of a path: the engine in this binary, without another exec.
pub(super) const ENGINE: &str = "engine";

/// Open files: ffmpeg with libraries needs some dozen.
const MAX_OPEN_FILES: u64 = 256;
/// Processes and threads of the user; the kernel counts those outside of a user namespace too.
const MAX_PROCESSES: u64 = 4096;
/// Seconds between SIGXCPU and SIGKILL.
const CPU_GRACE: u64 = 5;

/// What it was told.
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

/// Runs the subcommand; `arguments` are those behind its name. Returns only where something failed, or for the engine.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(options) = JailOptions::parse(arguments) else {
        print_error("jail: wrong arguments");
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

    /// Limits first, as these calls are refused later; the filter last.
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

/// Never raises what is already lower.
fn limit(resource: Resource, soft: u64, hard: u64) -> rustix::io::Result<()> {
    let highest = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit = Rlimit { current: Some(soft.min(highest)), maximum: Some(hard.min(highest)) };
    setrlimit(resource, limit)
}
