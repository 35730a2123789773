//! The command line: `serve`, and what an operator does beside it.

mod check;
mod confine;
mod drop_privileges;
mod keys;
mod logging;
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

/// What a command may fail with.
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
    /// Serve until SIGTERM or SIGINT; SIGHUP reads the certificate again
    Serve(Box<Settings>),
    /// API keys
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Users
    #[command(subcommand)]
    Users(users::Users),
    /// The keys that sign URLs
    #[command(subcommand)]
    Signing(signing::Signing),
    /// Tell which tools were found, how they are confined and which conversions that allows
    Check(Box<Settings>),
    /// Run a program as the tools are run, and print what it prints: to see what their confinement keeps from them
    Confine(Box<confine::Confine>),
    /// Print the description of the interface as OpenAPI 3.1, JSON
    Openapi,
}

/// Runs what the arguments of the process say.
pub fn main() -> ExitCode {
    // What the service starts itself as, often, and shall start quickly: no parser, no runtime. Help does not show it.
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
            // Nothing is left to be done where standard error is closed.
            let _ = writeln!(std::io::stderr(), "filepress-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Who this process is is settled before a runtime starts threads.
fn run(command: Command) -> Result<()> {
    match command {
        Command::Serve(settings) => {
            let config = serve::prepare(*settings)?;
            Runtime::new()?.block_on(serve::run(config))
        }
        Command::Keys(keys) => {
            drop_privileges::for_data_folder(&keys.folder().clone().into_settings().with_file()?)?;
            Runtime::new()?.block_on(keys.run())
        }
        Command::Users(users) => {
            drop_privileges::for_data_folder(&users.folder().clone().into_settings().with_file()?)?;
            Runtime::new()?.block_on(users.run())
        }
        Command::Signing(signing) => signing.run(),
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
    }
}

/// The command line as a description, by which documentation is checked.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Writes a line on standard output.
fn print_line(text: impl std::fmt::Display) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // Whoever reads has read enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}
