//! `filepress-server join FILE COMMAND…`: joins a cgroup by its `cgroup.procs`, then becomes the command, so that nothing which
//! comes of it is ever outside.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use super::{jail, print_error};

/// The name of the subcommand.
pub(crate) const NAME: &str = "join";

/// Runs the subcommand; `arguments` are those behind its name. Returns only where something failed.
pub fn main(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let (Some(processes), Some(program)) = (arguments.next(), arguments.next()) else {
        print_error("join: wrong arguments");
        return ExitCode::from(jail::FAILED);
    };
    // Zero is who writes it.
    if let Err(error) = std::fs::write(&processes, "0") {
        print_error(&format!("join: {}: {error}", processes.display()));
        return ExitCode::from(jail::FAILED);
    }
    let error = Command::new(&program).args(arguments).exec();
    print_error(&format!("join: cannot start {}: {error}", program.display()));
    ExitCode::from(jail::FAILED)
}
