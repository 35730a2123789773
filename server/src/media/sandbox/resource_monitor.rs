//! Samples the resource usage of a conversion and reports when it exceeds a limit.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use filepress_wire::TaskErrorCode;
use rustix::process::Pid;

use super::ResourceLimits;
use super::cgroup::Cgroup;
use super::process_tree::ProcessTree;
use super::resource_usage::ResourceUsage;
use crate::media::Failure;

/// The sampling interval: a processor can fill some 100 MB of memory in this time, and a sample takes less than 1 ms.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);
/// How often to check whether killed processes have ended.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(2);
/// How long to wait for killed processes; later, their ids may belong to others.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The running child processes of one conversion.
#[derive(Debug, Clone)]
pub(in crate::media) struct Children {
    running: Arc<Mutex<Vec<(Pid, ProcessTree)>>>,
    /// The cgroup that they join, if there is one.
    group: Option<Arc<Cgroup>>,
}

/// A monitored child process; dropping it ends the monitoring.
pub(super) struct MonitoredChild<'a> {
    children: &'a Children,
    root: Pid,
}

impl Children {
    pub(super) fn new(group: Option<Cgroup>) -> Self {
        Self { running: Arc::default(), group: group.map(Arc::new) }
    }

    pub(super) fn group(&self) -> Option<&Cgroup> {
        self.group.as_deref()
    }

    pub(super) fn add(&self, root: Pid) -> MonitoredChild<'_> {
        self.locked(|children| children.push((root, ProcessTree::of(root))));
        MonitoredChild { children: self, root }
    }

    /// Returns when all children and the directory together exceed a limit.
    pub(super) async fn until_exceeded(
        &self,
        resource_limits: ResourceLimits,
        folder: &Path,
        input: Option<&Path>,
    ) -> Failure {
        loop {
            tokio::time::sleep(SAMPLE_INTERVAL).await;
            let (children, folder, input) = (self.clone(), folder.to_owned(), input.map(PathBuf::from));
            let measure = move || {
                children.locked(|children| {
                    ResourceUsage::measure(
                        children.iter_mut().map(|(_, tree)| tree),
                        &folder,
                        input.as_deref(),
                    )
                })
            };
            match tokio::task::spawn_blocking(measure).await {
                Ok(usage) => {
                    if let Some(failure) = exceeded_limit(usage, resource_limits) {
                        tracing::info!(?usage, "a conversion exceeded a limit");
                        return failure;
                    }
                }
                Err(error) => {
                    return Failure::Infrastructure(format!("cannot monitor a conversion: {error}"));
                }
            }
        }
    }

    fn locked<T>(&self, work: impl FnOnce(&mut Vec<(Pid, ProcessTree)>) -> T) -> T {
        work(&mut self.running.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl MonitoredChild<'_> {
    /// Calls `kill` and waits until the processes have ended, because they may write files until then. The kernel ends them within
    /// moments.
    pub(super) async fn end(&self, kill: impl FnOnce()) {
        self.tree(|tree| drop(tree.refresh()));
        kill();
        let ended = async {
            while !self.tree(|tree| tree.living().is_empty()).unwrap_or(true) {
                tokio::time::sleep(EXIT_POLL_INTERVAL).await;
            }
        };
        let _ = tokio::time::timeout(EXIT_TIMEOUT, ended).await;
    }

    fn tree<T>(&self, work: impl FnOnce(&mut ProcessTree) -> T) -> Option<T> {
        self.children.locked(|children| {
            let own = children.iter_mut().find(|(root, _)| *root == self.root);
            own.map(|(_, tree)| work(tree))
        })
    }
}

impl Drop for MonitoredChild<'_> {
    fn drop(&mut self) {
        self.children.locked(|children| children.retain(|(root, _)| *root != self.root));
    }
}

fn exceeded_limit(usage: ResourceUsage, resource_limits: ResourceLimits) -> Option<Failure> {
    let (code, detail) = if usage.memory > resource_limits.memory {
        return Some(too_much_memory(resource_limits));
    } else if usage.disk > resource_limits.disk {
        let detail =
            format!("The conversion exceeded its limit of {} bytes of disk space.", resource_limits.disk);
        (TaskErrorCode::OutputTooLarge, detail)
    } else if usage.processes > resource_limits.processes {
        let detail = format!(
            "The conversion exceeded its limit of {} processes and threads.",
            resource_limits.processes
        );
        (TaskErrorCode::ConversionFailed, detail)
    } else {
        return None;
    };
    Some(Failure::file(code, detail))
}

pub(super) fn too_much_memory(resource_limits: ResourceLimits) -> Failure {
    let detail = format!("The conversion exceeded its limit of {} bytes of memory.", resource_limits.memory);
    Failure::file(TaskErrorCode::TooMuchMemory, detail)
}
