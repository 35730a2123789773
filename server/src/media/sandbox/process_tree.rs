//! The process tree of a child, read from `/proc`.

use std::fs;

use rustix::process::Pid;

/// A child process and its descendants.
#[derive(Debug)]
pub(super) struct ProcessTree {
    root: i32,
    members: Vec<i32>,
    /// One of them has the seccomp filter, which forbids new processes. bubblewrap starts only one program, so the tree cannot grow.
    is_complete: bool,
}

/// The contents of `/proc/PID/status`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ProcessStatus {
    /// Bytes of anonymous and shared memory and page tables, including swap.
    pub(super) memory: u64,
    pub(super) threads: u64,
    filters: u64,
    /// It is a zombie.
    is_over: bool,
}

impl ProcessTree {
    pub(super) fn of(root: Pid) -> Self {
        Self { root: root.as_raw_pid(), members: Vec::new(), is_complete: false }
    }

    /// Updates the tree; returns the living processes with their status.
    pub(super) fn refresh(&mut self) -> Vec<(i32, ProcessStatus)> {
        if !self.is_complete {
            self.members = descendants(self.root);
        }
        let living = self.living();
        // This process may have seccomp filters itself, for example in a container.
        let own = ProcessStatus::read("self").unwrap_or_default().filters;
        self.is_complete |= living.iter().any(|(_, status)| status.filters > own);
        living
    }

    /// The processes of the last update that are still alive.
    pub(super) fn living(&self) -> Vec<(i32, ProcessStatus)> {
        let statuses =
            self.members.iter().filter_map(|pid| Some((*pid, ProcessStatus::read(&pid.to_string())?)));
        statuses.filter(|(_, status)| !status.is_over).collect()
    }
}

impl ProcessStatus {
    fn read(process: &str) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let mut status = Self::default();
        for line in text.lines() {
            let Some((name, value)) = line.split_once(':') else { continue };
            let number =
                value.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0_u64);
            match name {
                "RssAnon" | "RssShmem" | "VmSwap" | "VmPTE" => status.memory += number << 10,
                "State" => status.is_over = value.trim_start().starts_with(['Z', 'X']),
                "Threads" => status.threads = number,
                "Seccomp_filters" => status.filters = number,
                _ => {}
            }
        }
        Some(status)
    }
}

/// A process and its descendants.
fn descendants(root: i32) -> Vec<i32> {
    let mut parents: Vec<(i32, i32)> = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some((pid, parent)) = pid.and_then(|pid| Some((pid, parent_of(pid)?))) {
            parents.push((pid, parent));
        }
    }
    let mut members = vec![root];
    let mut next = 0;
    while let Some(&member) = members.get(next) {
        let children = parents.iter().filter(|(pid, parent)| *parent == member && *pid != member);
        members.extend(children.map(|(pid, _)| pid));
        next += 1;
    }
    members
}

fn parent_of(pid: i32) -> Option<i32> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name in parentheses may contain spaces and parentheses.
    let (_, after) = text.rsplit_once(')')?;
    after.split_whitespace().nth(1)?.parse().ok()
}
