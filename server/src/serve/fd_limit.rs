//! File descriptors: a process may open 1,024 by default, which the connections alone would use up.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What is open beside the connections: the database, blobs of requests and tasks, pipes of children.
const RESERVED_FDS: u64 = 1024;

/// Raises the soft limit to what so many connections need: each has its socket, and a request a file.
pub(super) fn raise(connections: usize) {
    let needed = (connections as u64).saturating_mul(2).saturating_add(RESERVED_FDS);
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return;
    }
    let granted = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
    let raised = Rlimit { current: Some(granted), ..limit };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
    if granted < needed {
        tracing::warn!(granted, needed, "the hard limit of open files is lower than max-connections needs");
    }
}
