//! cgroup v2: where this service was given a part of the hierarchy to divide, the kernel holds the bounds of each conversion.
//! <https://docs.kernel.org/admin-guide/cgroup-v2.html>, <https://systemd.io/CGROUP_DELEGATION/>

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::ResourceLimits;

/// What marks a part as given away. Without the mark it is another's, whoever may write it.
const DELEGATION_XATTRS: [&str; 2] = ["user.delegate", "trusted.delegate"];
/// Where this process is itself: a group with groups has no processes.
const SERVICE: &str = "service";
/// What the names of the groups of conversions begin with.
const CONVERSION: &str = "conversion-";

/// The part of the hierarchy that is this service's.
#[derive(Debug, Clone)]
pub(in crate::media) struct DelegatedCgroup {
    folder: PathBuf,
}

/// The group of one conversion; dropped, all in it is killed.
#[derive(Debug)]
pub(super) struct Cgroup {
    folder: PathBuf,
}

impl DelegatedCgroup {
    /// Takes possession of the part that this process is in; else says why there is none.
    pub(super) fn find() -> Result<Self, String> {
        let own = own().ok_or("there is no cgroup v2")?;
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

    /// Makes room for groups, and removes those of a process that is dead.
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

    /// A group for a conversion.
    pub(super) fn group(&self, resource_limits: ResourceLimits) -> io::Result<Cgroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let group =
            Cgroup { folder: self.folder.join(format!("{CONVERSION}{}-{number}", std::process::id())) };
        fs::create_dir(&group.folder)?;
        group.set("memory.max", resource_limits.memory)?;
        group.set("pids.max", resource_limits.processes)?;
        // All end where one has to.
        group.set("memory.oom.group", 1)?;
        match group.set("memory.swap.max", 0) {
            // A kernel without swap.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            set => set?,
        }
        Ok(group)
    }
}

impl Cgroup {
    /// The file by which a process joins.
    pub(super) fn processes(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Whether the kernel killed for want of memory.
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
        // Kernels before 5.14 do not have it; the children were killed before.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
        if let Err(error) = fs::remove_dir(&self.folder) {
            tracing::debug!(%error, "a cgroup is removed at the next start");
        }
    }
}

/// The folder of the group that this process is in.
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
