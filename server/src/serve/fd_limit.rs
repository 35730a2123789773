//! Raises the limit of open files: the default of 1,024 is too low for the connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors besides the connections: the database, blobs, pipes of child processes.
const RESERVED_FDS: u64 = 1024;

/// Raises the soft limit for so many connections: each needs a socket and may need a file.
pub(super) fn raise(connections: usize) {
    let needed = (connections as u64).saturating_mul(2).saturating_add(RESERVED_FDS);
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return;
    }
    let granted = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
    let raised = Rlimit { current: Some(granted), ..limit };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
    if granted < needed {
        tracing::warn!(
            granted,
            needed,
            "the hard limit of open files is too low for max-connections; raise it or lower max-connections"
        );
    }
}
