//! A guard that kills the process group of a child.

use rustix::process::{Pid, Signal, kill_process_group};

/// The process group of a child. Dropping it kills all its processes.
pub(super) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group that `leader` leads.
    pub(super) fn of(leader: Option<Pid>) -> Self {
        Self(leader)
    }

    /// Disarms the guard: the child has been waited for, and its id may belong to another process now.
    pub(super) fn forget(mut self) {
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(pid) = self.0 {
            // It may already have ended.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}
