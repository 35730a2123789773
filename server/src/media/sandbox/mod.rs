//! The sandbox of child processes: access to the tools, the input and one directory, no network, and resource limits.
//!
//! There are three levels: bubblewrap (namespaces), else Landlock, else resource limits only. Every level runs the `jail` subcommand,
//! which sets the resource limits and the seccomp filter. A self-test at startup finds the strongest level that works.
//!
//! The seccomp filter is built in `jail/seccomp.rs`. `jail/profile.rs` says which system calls each tool may make, ffmpeg's among
//! them; `jail/syscalls.rs` lists the calls that it selects from.

mod bubblewrap;
mod cgroup;
mod child;
mod pipes;
mod process_group;
mod process_tree;
mod readable;
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
use readable::READABLE;

pub(super) use super::jail::landlock::is_supported as has_landlock;
pub(super) use child::{ChildExit, ChildOutput, SandboxSession, Tool, ToolCall};
pub(crate) use readable::readable_root;
pub(super) use resource_monitor::Children;
pub(super) use self_test::find;

/// The level of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfinementLevel {
    /// Own namespaces for files, processes, users and the network.
    Bubblewrap,
    /// Landlock restricts file access.
    Landlock,
    /// Resource limits and the seccomp filter only.
    Limits,
}

/// A sandbox of one level.
#[derive(Debug, Clone)]
pub(super) struct Sandbox {
    level: ConfinementLevel,
    /// The service's binary, which has the `jail` and `engine` subcommands.
    program: PathBuf,
    bwrap: Option<PathBuf>,
    /// The delegated cgroup, if the kernel enforces the limits of conversions.
    cgroup: Option<DelegatedCgroup>,
}

/// The name of the input in the working directory.
pub(super) const INPUT: &str = "input";

/// The factor between the limits of address space and memory: threads and mapped files reserve address space without using memory.
const ADDRESS_SPACE: u64 = 2;

/// The limits of one conversion and of each of its children.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResourceLimits {
    /// Bytes of memory of all children together.
    pub(super) memory: u64,
    /// Processes and threads of all children together.
    pub(super) processes: u64,
    /// Bytes on disk of all children together.
    pub(super) disk: u64,
    /// Processor seconds of one child.
    pub(super) cpu: u64,
    /// Bytes of any one file. Those between the input and the output may be larger than the output.
    pub(super) file: u64,
}

/// Processor seconds beyond the wall-clock limit, for starting and ending.
const CPU_GRACE: u64 = 10;

impl ResourceLimits {
    /// The limits of a conversion with this wall-clock limit and number of threads.
    pub(super) fn of(limits: &ConversionLimits, time: Duration, threads: u64) -> Self {
        Self {
            memory: limits.memory,
            processes: limits.processes,
            disk: limits.disk,
            cpu: (time.as_secs() + CPU_GRACE).saturating_mul(threads),
            file: limits.disk,
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

    /// How the limits of a conversion are enforced.
    pub(super) fn limits(&self) -> &'static str {
        if self.cgroup.is_some() { "cgroup" } else { "watched" }
    }

    /// The set of child processes of a conversion.
    pub(super) fn children(&self, resource_limits: ResourceLimits) -> Result<Children, Failure> {
        let group = self.cgroup.as_ref().map(|cgroup| cgroup.group(resource_limits)).transpose();
        let failed =
            |error| Failure::Infrastructure(format!("cannot create a cgroup for a conversion: {error}"));
        Ok(Children::new(group.map_err(failed)?))
    }

    /// The complete command line. `command` begins with the path of a tool or with [`super::jail::ENGINE`].
    ///
    /// `input` and `folder` are paths outside of the sandbox. The input is readable; the folder is writable and the current directory.
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
