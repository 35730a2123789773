//! The command line of the service.

use std::process::ExitCode;

fn main() -> ExitCode {
    filepress_server::cli::main()
}
