//! `confine`: runs a program in the sandbox of the tools, to show what the sandbox blocks.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Result, print_line};
use crate::config::Settings;
use crate::media::{Failure, Profile, SandboxedCommand, Toolbox};

#[derive(Debug, Args)]
pub(super) struct Confine {
    #[command(flatten)]
    settings: Settings,
    /// Allow the system calls of this tool
    #[arg(long = "as", value_name = "TOOL", value_enum)]
    profile: Profile,
    /// Directory that the program may write; its current directory
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
    /// File that the program may read, as `input` in its current directory
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// The program, by its absolute path inside the sandbox, and its arguments
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

impl Confine {
    pub(super) fn settings(&mut self) -> Result<&Settings> {
        let mut settings = std::mem::take(&mut self.settings).with_file()?;
        // `into_config` requires a data directory, but this command does not read it.
        settings.data.get_or_insert_default();
        self.settings = settings;
        Ok(&self.settings)
    }

    pub(super) async fn run(self) -> Result<()> {
        let config = self.settings.into_config()?;
        let tools = Toolbox::find(&config).await;
        let (program, arguments) = self.command.split_first().ok_or("no program was given")?;
        let confined = SandboxedCommand {
            profile: self.profile,
            program: Path::new(program),
            arguments: arguments.to_vec(),
            folder: &self.folder,
            input: self.input.as_deref(),
            limits: &config.limits,
        };
        match tools.confine(confined).await {
            Ok(ended) => {
                print_line(String::from_utf8_lossy(&ended.stdout).trim_end())?;
                match ended.status {
                    0 => Ok(()),
                    status => {
                        Err(format!("the program exited with status {status}: {}", ended.stderr.trim_end())
                            .into())
                    }
                }
            }
            Err(Failure::File { code, detail }) => Err(format!("{code}: {detail}").into()),
            Err(Failure::Infrastructure(reason)) => Err(reason.into()),
            Err(Failure::Cancelled) => Err("cancelled".into()),
        }
    }
}
