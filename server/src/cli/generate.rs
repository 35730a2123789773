//! `generate`: writes the manual pages and the shell completions, which packages of the service install. They are made of the same
//! definition as `--help`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;

use super::{Result, print_line};

/// The directory of each shell's completions under `/usr/share`.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Fish, "fish/vendor_completions.d"),
    (Shell::Zsh, "zsh/vendor-completions"),
];

#[derive(Debug, Args)]
pub(super) struct Generate {
    /// Directory that gets the layout of /usr/share; created if missing
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
}

impl Generate {
    pub(super) fn run(self, command: clap::Command) -> Result<()> {
        let mut written = write_manual(command.clone(), &self.folder.join("man/man1"))?;
        written.extend(write_completions(command, &self.folder)?);
        written.iter().try_for_each(|path| print_line(path.display()))
    }
}

/// One page for the program and one for each command.
fn write_manual(command: clap::Command, folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)?;
    let mut pages = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    pages.sort();
    Ok(pages)
}

fn write_completions(mut command: clap::Command, folder: &Path) -> Result<Vec<PathBuf>> {
    let name = command.get_name().to_owned();
    COMPLETIONS
        .iter()
        .map(|(shell, place)| {
            let folder = folder.join(place);
            fs::create_dir_all(&folder)?;
            let path = clap_complete::generate_to(*shell, &mut command, &name, &folder)?;
            // bash-completion looks for the name of the program alone.
            Ok(match shell {
                Shell::Bash => {
                    let loaded = folder.join(&name);
                    fs::rename(&path, &loaded)?;
                    loaded
                }
                _ => path,
            })
        })
        .collect()
}
