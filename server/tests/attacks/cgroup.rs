//! `join` moves a process into the given cgroup before it executes another program. The test needs neither the memory
//! nor the pids controller, which few test machines have.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use tempfile::Builder;

const HIERARCHIES: [&str; 2] = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"];

fn join(group: &Path, command: &[&str]) -> std::process::Output {
    let mut line = Command::new(env!("CARGO_BIN_EXE_filepress-server"));
    line.arg("join").arg(group.join("cgroup.procs")).args(command).output().unwrap()
}

#[test]
fn a_child_joins_its_cgroup_before_exec() {
    let mounted = HIERARCHIES.iter().map(Path::new).find(|path| path.join("cgroup.procs").exists());
    let made = mounted.and_then(|path| Builder::new().prefix("filepress-test-").tempdir_in(path).ok());
    let Some(group) = made else {
        std::io::stderr().write_all(b"not run: no cgroup can be made here\n").unwrap();
        return;
    };
    let output = join(group.path(), &["/bin/cat", "/proc/self/cgroup"]);
    let name = group.path().file_name().unwrap().to_str().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let own = text.lines().find(|line| line.starts_with("0::")).unwrap();
    assert!(output.status.success() && own.ends_with(name), "{text}");
    // A folder of this kind is removed as an empty one, with its files.
    fs::remove_dir(group.keep()).unwrap();
}

#[test]
fn a_child_that_cannot_join_its_cgroup_does_not_start() {
    let output = join(Path::new("/nonexistent"), &["/bin/echo", "out"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(125), 0));
}
