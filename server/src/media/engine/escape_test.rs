//! Tests the sandbox from inside: tries what attacks try, with arguments that are harmless if they succeed.

use std::fs::File;
use std::net::UdpSocket;
use std::os::unix::net::UnixDatagram;
use std::path::Path;

use nix::sched::CloneFlags;
use rustix::fs::CWD;
use rustix::io::Errno;
use rustix::mount;
use rustix::process::geteuid;
use rustix::thread::{CapabilitySet, capabilities, capability_is_in_bounding_set, no_new_privs};

/// The argument that runs the test.
pub(in crate::media) const ESCAPE_TEST: &str = "trial";
/// The output if the sandbox holds; else a list of what was possible.
pub(in crate::media) const CONFINED: &str = "confined";
/// The attempts that concern files outside of the sandbox.
pub(in crate::media) const FILES_OUTSIDE: [&str; 2] = ["read outside", "write outside"];

/// Tries everything; `outside` is a file that must be inaccessible.
pub(super) fn run(outside: &Path) -> String {
    let [read, write] = FILES_OUTSIDE;
    let attempts = [
        (read, File::open(outside).is_ok()),
        (write, File::options().append(true).open(outside).is_ok()),
        ("use a network", !denied(UdpSocket::bind(("127.0.0.1", 0)))),
        ("make a socket", !denied(UnixDatagram::unbound())),
        ("use a capability", has_capabilities()),
        ("gain privileges", !no_new_privs().unwrap_or(false)),
        ("mount", !refused(mount::mount("", "", "", mount::MountFlags::empty(), None))),
        ("unmount", !refused(mount::unmount("", mount::UnmountFlags::empty()))),
        ("open a mount", !refused(mount::open_tree(CWD, "", mount::OpenTreeFlags::empty()))),
        ("move a mount", !refused(mount::move_mount(CWD, "", CWD, "", mount::MoveMountFlags::empty()))),
        ("open a file system", !refused(mount::fsopen("", mount::FsOpenFlags::empty()))),
        ("pick a file system", !refused(mount::fspick(CWD, "", mount::FsPickFlags::empty()))),
        ("change its root", !refused(rustix::process::chroot(""))),
        ("swap its root", !refused(rustix::process::pivot_root("", ""))),
        ("leave its namespaces", nix::sched::unshare(CloneFlags::empty()) != Err(nix::Error::EPERM)),
        ("trace", nix::sys::ptrace::traceme() != Err(nix::Error::EPERM)),
    ];
    let could: Vec<_> = attempts.into_iter().filter(|(_, could)| *could).map(|(what, _)| what).collect();
    if could.is_empty() { CONFINED.to_owned() } else { could.join(", ") }
}

fn refused<T>(done: rustix::io::Result<T>) -> bool {
    done.is_err_and(|error| error == Errno::PERM)
}

fn denied<T>(done: std::io::Result<T>) -> bool {
    done.is_err_and(|error| error.raw_os_error() == Some(Errno::PERM.raw_os_error()))
}

/// Whether the process has capabilities. The bounding set matters only for root.
fn has_capabilities() -> bool {
    let empty = capabilities(None).is_ok_and(|sets| {
        sets.effective.is_empty() && sets.permitted.is_empty() && sets.inheritable.is_empty()
    });
    let mut numbers = (0..u64::BITS).map(|number| CapabilitySet::from_bits_retain(1 << number));
    let bounding = numbers.any(|number| capability_is_in_bounding_set(number).unwrap_or(false));
    !empty || (bounding && geteuid().is_root())
}
