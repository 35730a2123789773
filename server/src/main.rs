//! The binary `filepress-server`. Its subcommands, such as `serve` and `keys`, are in `cli/`.

use std::process::ExitCode;

fn main() -> ExitCode {
    filepress_server::cli::main()
}
