//! cgroup v2: in a delegated cgroup, the kernel enforces the limits of each conversion.
//! <https://docs.kernel.org/admin-guide/cgroup-v2.html>, <https://systemd.io/CGROUP_DELEGATION/>

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::ResourceLimits;

/// Extended attributes that mark a cgroup as delegated. A cgroup without them is not used, even if it is writable.
const DELEGATION_XATTRS: [&str; 2] = ["user.delegate", "trusted.delegate"];
/// The child cgroup of this process: a cgroup with children must not contain processes itself.
const SERVICE: &str = "service";
/// The prefix of the cgroups of conversions.
const CONVERSION: &str = "conversion-";

/// The cgroup that is delegated to this service.
#[derive(Debug, Clone)]
pub(in crate::media) struct DelegatedCgroup {
    folder: PathBuf,
}

/// The cgroup of one conversion. Dropping it kills its processes.
#[derive(Debug)]
pub(super) struct Cgroup {
    folder: PathBuf,
}

impl DelegatedCgroup {
    /// Finds the delegated cgroup of this process and prepares it; else returns why there is none.
    pub(super) fn find() -> Result<Self, String> {
        let own = own().ok_or("cgroup v2 is not mounted")?;
        let above = own.parent().map(Path::to_owned);
        let folder = [Some(own.clone()), above].into_iter().flatten().find(|folder| is_marked(folder));
        let folder = folder.ok_or("no cgroup was delegated to this service")?;
        let controllers = fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
        if !["memory", "pids"].iter().all(|name| controllers.split_whitespace().any(|has| has == *name)) {
            return Err("the delegated cgroup lacks the controllers memory and pids".to_owned());
        }
        let taken = Self { folder };
        taken.divide(taken.folder == own).map_err(|error| format!("the delegated cgroup: {error}"))?;
        Ok(taken)
    }

    /// Prepares the cgroup for children, and removes those of an earlier process.
    fn divide(&self, is_inside: bool) -> io::Result<()> {
        if is_inside {
            let service = self.folder.join(SERVICE);
            make(&service)?;
            fs::write(service.join("cgroup.procs"), "0")?;
        }
        fs::write(self.folder.join("cgroup.subtree_control"), "+memory +pids")?;
        for entry in fs::read_dir(&self.folder)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(CONVERSION) {
                drop(Cgroup { folder: entry.path() });
            }
        }
        Ok(())
    }

    /// Creates the cgroup of a conversion.
    pub(super) fn group(&self, resource_limits: ResourceLimits) -> io::Result<Cgroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let group =
            Cgroup { folder: self.folder.join(format!("{CONVERSION}{}-{number}", std::process::id())) };
        fs::create_dir(&group.folder)?;
        group.set("memory.max", resource_limits.memory)?;
        group.set("pids.max", resource_limits.processes)?;
        // If one process runs out of memory, all are killed.
        group.set("memory.oom.group", 1)?;
        match group.set("memory.swap.max", 0) {
            // The kernel was built without swap.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            set => set?,
        }
        Ok(group)
    }
}

impl Cgroup {
    /// The file to which a process writes to join.
    pub(super) fn processes(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Whether the kernel killed a process because of the memory limit.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        let kills = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        kills.is_some_and(|kills| kills.trim() != "0")
    }

    fn set(&self, name: &str, value: u64) -> io::Result<()> {
        fs::write(self.folder.join(name), value.to_string())
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Kernels before 5.14 do not have this file; the child processes were already killed.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
        if let Err(error) = fs::remove_dir(&self.folder) {
            tracing::debug!(%error, "cannot remove a cgroup; the next start will");
        }
    }
}

/// The directory of this process's cgroup.
fn own() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?.split(' ').nth(4)?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new(mount).join(path))
}

fn is_marked(folder: &Path) -> bool {
    DELEGATION_XATTRS.iter().any(|mark| {
        let mut value = [0; 8];
        matches!(rustix::fs::getxattr(folder, *mark, &mut value), Ok(1) if value[0] == b'1')
    })
}

fn make(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
