//! Where children run: they see the tools, their input and one folder, no network, and end with their bounds.
//!
//! A ladder: bubblewrap (name spaces), else Landlock, else resource limits alone. The `jail` subcommand is on each rung, and
//! with it the resource limits and the filter of system calls. Which rung holds is found by a trial.

mod bubblewrap;
mod cgroup;
mod child;
mod pipes;
mod process_group;
mod process_tree;
mod resource_monitor;
mod resource_usage;
mod self_test;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Failure;
use super::jail::profile::Profile;
use crate::config::ConversionLimits;
use cgroup::DelegatedCgroup;

pub(super) use super::jail::landlock::is_supported as has_landlock;
pub(super) use child::{ChildExit, ChildOutput, SandboxSession, Tool, ToolCall};
pub(super) use resource_monitor::Children;
pub(super) use self_test::find;

/// How strong the confinement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfinementLevel {
    /// Name spaces of its own for files, processes, users and the network.
    Bubblewrap,
    /// Files by Landlock.
    Landlock,
    /// Resource limits and the filter of system calls alone.
    Limits,
}

/// A rung of the ladder that was found to hold.
#[derive(Debug, Clone)]
pub(super) struct Sandbox {
    level: ConfinementLevel,
    /// The own binary, which has the `jail` and `engine` subcommands.
    program: PathBuf,
    bwrap: Option<PathBuf>,
    /// Where the kernel holds the bounds of conversions.
    cgroup: Option<DelegatedCgroup>,
}

/// What may be read besides the input: programs, libraries, fonts, and how they are set up. What is not there is left out.
const READABLE: [&str; 14] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ghostscript",
    "/etc/ld.so.cache",
    "/etc/papersize",
    "/var/lib/ghostscript",
    "/var/cache/fontconfig",
    "/etc/localtime",
];

/// The name of the input in the folder of the conversion, whatever the user's is.
pub(super) const INPUT: &str = "input";

/// Address space of a child for each byte of memory that it may use: threads and large files take some that is never memory.
const ADDRESS_SPACE: u64 = 2;

/// The bounds of one conversion, and of each of its children.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResourceLimits {
    /// Bytes of memory of all children together.
    pub(super) memory: u64,
    /// Processes and threads of all children together.
    pub(super) processes: u64,
    /// Bytes on disk of all children together.
    pub(super) disk: u64,
    /// Seconds of all processors of a child.
    pub(super) cpu: u64,
    /// Bytes of any file that a child writes.
    pub(super) file: u64,
}

/// Seconds of processor time that a child may take beyond its time on the clock: starting, ending.
const CPU_GRACE: u64 = 10;

impl ResourceLimits {
    /// Those of a conversion that may take so long, with so many threads at work.
    pub(super) fn of(limits: &ConversionLimits, time: Duration, threads: u64) -> Self {
        Self {
            memory: limits.memory,
            processes: limits.processes,
            disk: limits.disk,
            cpu: (time.as_secs() + CPU_GRACE).saturating_mul(threads),
            file: limits.output,
        }
    }
}

impl ConfinementLevel {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::Limits => "limits",
        }
    }
}

impl Sandbox {
    pub(super) fn level(&self) -> ConfinementLevel {
        self.level
    }

    /// How the bounds of a whole conversion are held.
    pub(super) fn limits(&self) -> &'static str {
        if self.cgroup.is_some() { "cgroup" } else { "watched" }
    }

    /// Where the children of a conversion run.
    pub(super) fn children(&self, resource_limits: ResourceLimits) -> Result<Children, Failure> {
        let group = self.cgroup.as_ref().map(|cgroup| cgroup.group(resource_limits)).transpose();
        let failed = |error| Failure::Infrastructure(format!("a cgroup for a conversion: {error}"));
        Ok(Children::new(group.map_err(failed)?))
    }

    /// The whole command line. `command` begins with the path of a tool, or with [`super::jail::ENGINE`].
    ///
    /// Two paths are told, as they are outside: the input, which may be read, and the folder, which may be written and is the
    /// current one.
    fn command_line(
        &self,
        input: Option<&Path>,
        folder: &Path,
        resource_limits: ResourceLimits,
        profile: Profile,
        command: Vec<OsString>,
    ) -> Vec<OsString> {
        let mut jail: Vec<OsString> = vec!["jail".into(), "--profile".into(), profile.name().into()];
        let addresses = resource_limits.memory.saturating_mul(ADDRESS_SPACE);
        for (option, value) in
            [("--memory", addresses), ("--cpu", resource_limits.cpu), ("--file", resource_limits.file)]
        {
            jail.extend([option.into(), value.to_string().into()]);
        }
        let (mut line, jail) = match (self.level, &self.bwrap) {
            (ConfinementLevel::Bubblewrap, Some(bwrap)) => {
                (bubblewrap::arguments(bwrap, &self.program, input, folder), jail)
            }
            (ConfinementLevel::Landlock, _) => {
                jail.push("--landlock".into());
                let readable = READABLE.iter().map(Path::new).chain([self.program.as_path()]).chain(input);
                jail.extend(readable.flat_map(|path| ["--read".into(), path.into()]));
                jail.extend(["--write".into(), folder.into()]);
                (vec![self.program.clone().into()], jail)
            }
            _ => (vec![self.program.clone().into()], jail),
        };
        line.extend(jail);
        line.push("--".into());
        line.extend(command);
        line
    }
}
