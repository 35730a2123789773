//! The process group of a child, which ends with it.

use rustix::process::{Pid, Signal, kill_process_group};

/// The process group of a child; dropped, all of it is killed.
pub(super) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// That of the child which leads it.
    pub(super) fn of(leader: Option<Pid>) -> Self {
        Self(leader)
    }

    /// The child was waited for: its number may be another's by now.
    pub(super) fn forget(mut self) {
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(pid) = self.0 {
            // It may have ended just now.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}
