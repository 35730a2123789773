//! `filepress-server join FILE COMMAND…`: joins a cgroup by writing to its `cgroup.procs`, then executes the command, so that the
//! command and its children are always inside.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use super::{jail, print_error};

/// The name of the subcommand.
pub(crate) const NAME: &str = "join";

/// Runs the subcommand; `arguments` follow its name. Returns only on failure.
pub fn main(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let (Some(processes), Some(program)) = (arguments.next(), arguments.next()) else {
        print_error("join: invalid arguments");
        return ExitCode::from(jail::FAILED);
    };
    // 0 means the writing process.
    if let Err(error) = std::fs::write(&processes, "0") {
        print_error(&format!("join: {}: {error}", processes.display()));
        return ExitCode::from(jail::FAILED);
    }
    let error = Command::new(&program).args(arguments).exec();
    print_error(&format!("join: cannot start {}: {error}", program.display()));
    ExitCode::from(jail::FAILED)
}
