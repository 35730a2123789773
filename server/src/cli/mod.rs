//! The command line: `serve` and the operator's other commands.

mod check;
mod confine;
mod drop_privileges;
mod generate;
mod keys;
mod logging;
mod migrate;
mod openapi;
mod serve;
mod signing;
mod users;

use std::ffi::OsStr;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tokio::runtime::Runtime;

use crate::config::Settings;
use crate::media;

/// The result of a command.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// Compresses and converts files: images, video, audio and PDF, over HTTPS.
#[derive(Debug, Parser)]
#[command(name = "filepress-server", version, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve until SIGTERM or SIGINT; SIGHUP reloads the certificate
    Serve(Box<Settings>),
    /// Manage API keys
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Manage users
    #[command(subcommand)]
    Users(users::Users),
    /// Manage the keys that sign URLs
    #[command(subcommand)]
    Signing(signing::Signing),
    /// Copy the database and the contents of a data directory, which no server may use, to --database and --blobs
    Migrate(Box<Settings>),
    /// List the tools found, their sandbox, and the conversions they enable
    Check(Box<Settings>),
    /// Run a program in the sandbox of the tools and print its output, to show what the sandbox blocks
    Confine(Box<confine::Confine>),
    /// Print the OpenAPI 3.1 description of the API as JSON
    Openapi,
    /// Write the manual pages and the shell completions of this program into a directory
    Generate(generate::Generate),
}

/// Runs the command that the process arguments name.
pub fn main() -> ExitCode {
    // The service starts these subcommands itself and often. They skip clap and the async runtime to start quickly; help hides them.
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next().as_deref().and_then(OsStr::to_str) {
        Some("engine") => return media::engine::main(arguments),
        Some("jail") => return media::jail::main(arguments),
        Some(media::join_cgroup::NAME) => return media::join_cgroup::main(arguments),
        _ => {}
    }
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, there is nowhere left to report to.
            let _ = writeln!(std::io::stderr(), "filepress-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Switches users before the runtime starts threads: on Linux, each thread has its own credentials.
fn run(command: Command) -> Result<()> {
    match command {
        Command::Serve(settings) => {
            let (config, telemetry) = serve::prepare(*settings)?;
            Runtime::new()?.block_on(serve::run(config, telemetry))
        }
        Command::Keys(keys) => {
            drop_privileges::for_data_folder(&keys.folder().clone().into_settings().with_file()?)?;
            Runtime::new()?.block_on(keys.run())
        }
        Command::Users(users) => {
            drop_privileges::for_data_folder(&users.folder().clone().into_settings().with_file()?)?;
            Runtime::new()?.block_on(users.run())
        }
        Command::Signing(signing) => {
            let config = signing.prepare()?;
            Runtime::new()?.block_on(signing::Signing::run(config))
        }
        Command::Migrate(settings) => {
            let config = migrate::prepare(*settings)?;
            Runtime::new()?.block_on(migrate::run(config))
        }
        Command::Check(settings) => {
            let settings = settings.with_file()?;
            drop_privileges::without_data_folder(&settings)?;
            Runtime::new()?.block_on(check::run(settings))
        }
        Command::Confine(mut confine) => {
            drop_privileges::without_data_folder(confine.settings()?)?;
            drop_privileges::forbid_ptrace()?;
            Runtime::new()?.block_on(confine.run())
        }
        Command::Openapi => openapi::run(),
        Command::Generate(generate) => generate.run(Cli::command()),
    }
}

/// The clap definition of the command line; tests compare the documentation with it.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Writes a line to standard output.
fn print_line(text: impl std::fmt::Display) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // The reader closed the pipe, as `head` does.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}
